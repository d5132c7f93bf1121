import { QuoteRequestSchema, QuoteSchema } from '../quotes.js';
import { defineRoute } from '../../shared/route.js';

export const createQuoteRoute = defineRoute({
  operationId: 'createQuote',
  method: 'post',
  path: '/api/quotes',
  tag: 'Quotes',
  summary: 'Lock a rate for an account',
  description:
    'Give one amount; the other one is computed from the rate. If both assets are the same, the rate is 1:1. One operation can use the quote, until `expiresAt`.',
  body: QuoteRequestSchema,
  status: 201,
  response: QuoteSchema,
  errors: ['INVALID_AMOUNT_PRECISION', 'RESOURCE_NOT_FOUND', 'QUOTE_CREATION_FAILED'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const quoteRoutes = [createQuoteRoute] as const;
