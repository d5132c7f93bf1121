import type { QuoteRequest } from '../../contract/public/quotes.js';
import { decideQuote, type QuoteRecord, decideQuoteExpiry } from '../../domain/operations/quote.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Creates a quote for an account. @throws DomainError RESOURCE_NOT_FOUND (account), QUOTE_CREATION_FAILED */
export function createQuote(uow: UnitOfWork, request: QuoteRequest): QuoteRecord {
  const account = uow.require('accounts', request.accountId, 'account');
  const quote = decideQuote(uow, account, request, uow.pricing, uow.count('quote'));
  uow.put('quotes', quote);
  return quote;
}

/** Makes a quote expire now. @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE */
export function expireQuote(uow: UnitOfWork, { quoteId }: { quoteId: string }): QuoteRecord {
  const quote = decideQuoteExpiry(uow, uow.require('quotes', quoteId, 'quote'));
  uow.put('quotes', quote);
  return quote;
}
