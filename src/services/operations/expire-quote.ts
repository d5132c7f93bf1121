import { expireQuote as decide, type QuoteRecord } from '../../domain/operations/quote.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Makes a quote expire now. @throws DomainError RESOURCE_NOT_FOUND, INVALID_STATUS_CHANGE */
export function expireQuote(uow: UnitOfWork, { quoteId }: { quoteId: string }): QuoteRecord {
  const quote = decide(uow, uow.require('quotes', quoteId, 'quote'));
  uow.put('quotes', quote);
  return quote;
}
