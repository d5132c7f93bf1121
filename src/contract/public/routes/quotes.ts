import { QuoteRequestSchema, QuoteSchema } from '../quotes.js';
import { defineRoute } from '../../shared/route.js';

export const createQuoteRoute = defineRoute({
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

/** In the order of the document. */
export const quoteRoutes = [createQuoteRoute] as const;
