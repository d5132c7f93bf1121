import type { QuoteRequest } from '../../contract/public/quotes.js';
import { createQuote as decide, type QuoteRecord } from '../../domain/operations/quote.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Creates a quote for an account. @throws DomainError RESOURCE_NOT_FOUND (account), QUOTE_CREATION_FAILED */
export function createQuote(uow: UnitOfWork, request: QuoteRequest): QuoteRecord {
  const account = uow.require('accounts', request.accountId, 'account');
  const quote = decide(uow, account, request, uow.pricing, uow.count('quote'));
  uow.put('quotes', quote);
  return quote;
}
