import type { Amount, Rate } from '../../contract/shared/common.js';
import type { Fee } from '../../contract/public/operations.js';
import type { OperationQuote, Quote, QuoteRequest } from '../../contract/public/quotes.js';
import { accountRef, type AccountRecord } from '../accounts/account.js';
import { later, type Context } from '../context.js';
import { DomainError } from '../errors.js';
import { priceOf, type Pricing, type Terms } from './pricing.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { decimal, text, timestamp, type FilterFields } from '../lists/fields.js';

export interface QuoteRecord extends Quote {
  readonly seq: number;
  /** The amount that the client specified. The other amount is computed. */
  readonly requestedAmount: Amount;
  readonly fees: readonly Fee[];
  /** Absent if the effective rate alone determines the target amount. */
  readonly terms?: Terms;
  readonly createdAt: string;
  readonly consumedAt: string | null;
  /** Id of the operation that consumed the quote; null if unused. */
  readonly consumedBy: string | null;
}

/** Creates a quote for an account. @throws DomainError QUOTE_CREATION_FAILED */
export function decideQuote(context: Context, account: AccountRecord, request: QuoteRequest, pricing: Pricing, seq: number): QuoteRecord {
  const { requestedAmount, sourceAmount, targetAmount, effectiveRate, fees, terms } = priceOf(request, pricing);
  return {
    id: context.deriveId('quote', String(seq)),
    seq,
    customerId: account.customerId,
    account: accountRef(account),
    requestedAmount,
    sourceAmount,
    targetAmount,
    effectiveRate,
    fees,
    ...(terms ? { terms } : {}),
    expiresAt: later(context.now, pricing.quoteTtlMs),
    createdAt: context.now,
    consumedAt: null,
    consumedBy: null,
  };
}

/**
 * Checks, in this order, that a quote is not expired, belongs to the account and is unused.
 * @throws DomainError QUOTE_EXPIRED, QUOTE_ACCOUNT_MISMATCH or QUOTE_ALREADY_CONSUMED
 */
export function checkQuoteUsable(context: Context, quote: QuoteRecord, accountId: string): void {
  const quoteId = quote.id;
  if (context.now > quote.expiresAt) {
    throw new DomainError('QUOTE_EXPIRED', `Quote ${quoteId} expired at ${quote.expiresAt}. Create a new one.`, {
      quoteId,
      expiredAt: quote.expiresAt,
    });
  }
  if (quote.account.id !== accountId) {
    throw new DomainError('QUOTE_ACCOUNT_MISMATCH', `Quote ${quoteId} was made for another account.`, {
      quoteId,
      accountId,
      quoteAccountId: quote.account.id,
    });
  }
  if (quote.consumedAt !== null) {
    throw new DomainError('QUOTE_ALREADY_CONSUMED', `Quote ${quoteId} was used by operation ${quote.consumedBy}.`, {
      quoteId,
      consumedByOperationId: quote.consumedBy,
      consumedAt: quote.consumedAt,
    });
  }
}

/** Returns the quote as consumed by an operation. */
export function consumeQuote(context: Context, quote: QuoteRecord, operationId: string): QuoteRecord {
  return { ...quote, consumedAt: context.now, consumedBy: operationId };
}

/**
 * Returns the quote as expired. A quote that is already expired does not change.
 * @throws DomainError INVALID_STATUS_CHANGE if an operation has consumed the quote
 */
export function decideQuoteExpiry(context: Context, quote: QuoteRecord): QuoteRecord {
  if (quote.consumedAt !== null) {
    throw new DomainError(
      'INVALID_STATUS_CHANGE',
      `Quote ${quote.id} was used by operation ${quote.consumedBy} and can no longer expire.`,
      {
        resource: 'Quote',
        id: quote.id,
        consumedByOperationId: quote.consumedBy,
        possible: [],
      },
    );
  }
  return context.now > quote.expiresAt ? quote : { ...quote, expiresAt: later(context.now, -1) };
}

export function quoteView(quote: QuoteRecord): Quote {
  const { id, customerId, account, sourceAmount, targetAmount, effectiveRate: rate, expiresAt } = quote;
  return { id, customerId, account, sourceAmount, targetAmount, effectiveRate: rate, expiresAt };
}

/** Returns a quote as part of the operation that consumed it. */
export function operationQuoteView(quote: {
  id: string;
  effectiveRate: Rate;
  expiresAt: string;
  consumedAt: string | null;
}): OperationQuote {
  return { id: quote.id, effectiveRate: quote.effectiveRate, expiresAt: quote.expiresAt, consumedAt: quote.consumedAt };
}

export const quoteFilters: FilterFields<QuoteRecord, FilterFieldOf<'quotes'>> = {
  id: text(({ id }) => id),
  'account.id': text(({ account }) => account.id),
  'sourceAmount.asset': text(({ sourceAmount }) => sourceAmount.asset),
  'sourceAmount.value': decimal(({ sourceAmount }) => sourceAmount.value),
  'targetAmount.asset': text(({ targetAmount }) => targetAmount.asset),
  'targetAmount.value': decimal(({ targetAmount }) => targetAmount.value),
  expiresAt: timestamp(({ expiresAt }) => expiresAt),
  consumedAt: timestamp(({ consumedAt }) => consumedAt),
  consumedBy: text(({ consumedBy }) => consumedBy),
  createdAt: timestamp(({ createdAt }) => createdAt),
};

/** A quote as the control API shows it. */
export function sandboxQuoteView(quote: QuoteRecord) {
  const { requestedAmount, createdAt, consumedAt, consumedBy } = quote;
  return { ...quoteView(quote), requestedAmount, createdAt, consumedAt, consumedBy };
}
