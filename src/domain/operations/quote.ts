import { maxIntegerDigits, type Amount, type AssetCode, type Rate } from '../../contract/shared/common.js';
import type { Fee } from '../../contract/public/operations.js';
import type { FeeSetting } from '../../contract/scenario/settings.js';
import type { OperationQuote, Quote, QuoteRequest } from '../../contract/public/quotes.js';
import { accountRef, type AccountRecord } from '../accounts/account.js';
import { later, type Context } from '../context.js';
import { DomainError } from '../errors.js';
import { Decimal, amountOf, formatRate, isZero, overflows } from '../money.js';

export interface QuoteRecord extends Quote {
  readonly seq: number;
  /** The amount that the client fixed, as opposed to the one that followed. */
  readonly requestedAmount: Amount;
  readonly fees: readonly Fee[];
  readonly createdAt: string;
  readonly consumedAt: string | null;
  /** The operation that used the quote up. */
  readonly consumedBy: string | null;
}

/** What prices depend on. Decimals are strings, the TTL is in milliseconds. */
export interface Pricing {
  /** What one unit of each asset is worth in USD. */
  readonly usdValues: Readonly<Record<AssetCode, string>>;
  /** Mid rates that replace the computed one, by pair: `BRL/USD`. Each also sets its reciprocal. */
  readonly rates: Readonly<Record<string, string>>;
  /** Share of the mid rate that the service keeps across assets. */
  readonly spread: string;
  readonly quoteTtlMs: number;
  /** Charged besides the spread, across assets; inside the rate, as the spread is. */
  readonly fees: readonly FeeSetting[];
}

function midRate(pricing: Pricing, source: AssetCode, target: AssetCode): Decimal {
  const set = pricing.rates[`${source}/${target}`];
  if (set !== undefined) return new Decimal(set);
  const reverse = pricing.rates[`${target}/${source}`];
  if (reverse !== undefined) return one.div(reverse);
  return new Decimal(pricing.usdValues[source]).div(pricing.usdValues[target]);
}

const one = new Decimal(1);

/** A rate to reckon with, and as the contract writes it. */
interface EffectiveRate {
  readonly rate: Decimal;
  readonly text: string;
}

const atPar: EffectiveRate = { rate: one, text: formatRate(one) };
/** The rates that were computed under a pricing, by pair. */
const rates = new WeakMap<Pricing, Map<string, EffectiveRate>>();

/** The rate that converts `source` into `target`: mid less the spread, cut to 10 fractional digits; exactly 1 within one asset. */
export function effectiveRate(pricing: Pricing, source: AssetCode, target: AssetCode): EffectiveRate {
  if (source === target) return atPar;
  let known = rates.get(pricing);
  if (!known) rates.set(pricing, (known = new Map()));
  const pair = `${source}/${target}`;
  let effective = known.get(pair);
  if (!effective) {
    const rate = midRate(pricing, source, target).times(one.minus(pricing.spread)).toDecimalPlaces(10, Decimal.ROUND_DOWN);
    known.set(pair, (effective = { rate, text: formatRate(rate) }));
  }
  return effective;
}

/** Why a quote cannot be made: what `details.reason` says of it, and the same for people. */
const quoteFailures = {
  NO_RATE: 'there is no usable rate between the two',
  ZERO_AMOUNT: 'one side comes out as zero',
  AMOUNT_TOO_LARGE: `one side comes out with more than ${maxIntegerDigits} digits before the point`,
} as const;

/**
 * Prices a quote: a fixed source rounds the target down, a fixed target rounds the source up.
 * @throws DomainError QUOTE_CREATION_FAILED when an amount comes out as zero or too large
 */
export function createQuote(context: Context, account: AccountRecord, request: QuoteRequest, pricing: Pricing, seq: number): QuoteRecord {
  const { sourceAsset, targetAsset } = request;
  const { rate, text } = effectiveRate(pricing, sourceAsset, targetAsset);
  const failed = (reason: keyof typeof quoteFailures) =>
    new DomainError('QUOTE_CREATION_FAILED', `No quote from ${sourceAsset} to ${targetAsset} for this amount: ${quoteFailures[reason]}.`, {
      reason,
      sourceAsset,
      targetAsset,
    });
  if (!rate.isFinite() || rate.isZero()) throw failed('NO_RATE');

  const fixesSource = request.sourceAmount !== undefined;
  const requestedAmount = amountOf(request.sourceAmount ?? request.targetAmount ?? '0', fixesSource ? sourceAsset : targetAsset);
  const otherAmount = (): Amount => {
    if (rate === one) return requestedAmount;
    const requested = new Decimal(requestedAmount.value);
    return fixesSource ? amountOf(requested.times(rate), targetAsset, 'DOWN') : amountOf(requested.div(rate), sourceAsset, 'UP');
  };
  const [sourceAmount, targetAmount] = fixesSource ? [requestedAmount, otherAmount()] : [otherAmount(), requestedAmount];
  if (isZero(sourceAmount) || isZero(targetAmount)) throw failed('ZERO_AMOUNT');
  if (overflows(sourceAmount) || overflows(targetAmount)) throw failed('AMOUNT_TOO_LARGE');

  return {
    id: context.deriveId('quote', String(seq)),
    seq,
    customerId: account.customerId,
    account: accountRef(account),
    sourceAmount,
    targetAmount,
    effectiveRate: { value: text, base: sourceAsset, quote: targetAsset },
    expiresAt: later(context.now, pricing.quoteTtlMs),
    requestedAmount,
    fees: conversionFees(sourceAmount, targetAsset, pricing),
    createdAt: context.now,
    consumedAt: null,
    consumedBy: null,
  };
}

/** The fees of a conversion: its spread, and those of the settings that fit its source asset. None within one asset. */
function conversionFees(sourceAmount: Amount, targetAsset: AssetCode, { spread, fees }: Pricing): Fee[] {
  if (sourceAmount.asset === targetAsset) return [];
  const share = (percentage: string, source: Fee['source']): Fee => {
    const part = new Decimal(percentage);
    return {
      type: 'PERCENTAGE',
      amount: amountOf(part.times(sourceAmount.value), sourceAmount.asset, 'HALF_EVEN'),
      source,
      percentage: part.toFixed(Math.max(4, part.decimalPlaces())),
    };
  };
  const charged = fees.flatMap((fee): Fee[] => {
    if (fee.type === 'PERCENTAGE') return [share(fee.percentage, fee.source)];
    if (fee.amount.asset !== sourceAmount.asset) return [];
    return [{ type: 'ABSOLUTE', amount: amountOf(fee.amount.value, fee.amount.asset), source: fee.source }];
  });
  return [share(spread, 'FX_SPREAD'), ...charged];
}

/**
 * Refuses a quote that an operation on this account cannot use now, in the decided order: expired, account, consumed.
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

/** The quote, used up by an operation. */
export function consumeQuote(context: Context, quote: QuoteRecord, operationId: string): QuoteRecord {
  return { ...quote, consumedAt: context.now, consumedBy: operationId };
}

/**
 * The quote, no longer usable from now on; one that has expired anyway stays as it is.
 * @throws DomainError INVALID_STATUS_CHANGE when an operation has used it up
 */
export function expireQuote(context: Context, quote: QuoteRecord): QuoteRecord {
  if (quote.consumedAt !== null) {
    throw new DomainError(
      'INVALID_STATUS_CHANGE',
      `Quote ${quote.id} was used by operation ${quote.consumedBy} and cannot expire any more.`,
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

/** A quote as its own responses show it. */
export function quoteView(quote: QuoteRecord): Quote {
  const { id, customerId, account, sourceAmount, targetAmount, effectiveRate: rate, expiresAt } = quote;
  return { id, customerId, account, sourceAmount, targetAmount, effectiveRate: rate, expiresAt };
}

/** A quote as the operation that consumed it shows it. */
export function operationQuoteView(quote: {
  id: string;
  effectiveRate: Rate;
  expiresAt: string;
  consumedAt: string | null;
}): OperationQuote {
  return { id: quote.id, effectiveRate: quote.effectiveRate, expiresAt: quote.expiresAt, consumedAt: quote.consumedAt };
}
