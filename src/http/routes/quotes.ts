import { QuoteRequestSchema, QuoteSchema } from '../../contract/public/quotes.js';
import { quoteView } from '../../domain/operations/quote.js';
import { createQuote } from '../../services/operations/create-quote.js';
import { defineRoute } from '../../web/route.js';
import type { PublicPlane } from '../plane.js';

const createQuoteRoute = defineRoute({
  operationId: 'createQuote',
  method: 'post',
  path: '/api/quotes',
  tag: 'Quotes',
  summary: 'Lock a rate for an account',
  description:
    'Fix either side: the other one follows from the rate. Within one asset the rate is 1:1. A quote serves one operation, until `expiresAt`.',
  body: QuoteRequestSchema,
  status: 201,
  response: QuoteSchema,
  errors: ['INVALID_AMOUNT_PRECISION', 'RESOURCE_NOT_FOUND', 'QUOTE_CREATION_FAILED'],
});

export function serveQuotes(plane: PublicPlane): void {
  plane.serve(createQuoteRoute, (uow, { body }) => quoteView(createQuote(uow, body)));
}
