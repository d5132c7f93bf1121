import { z } from '@hono/zod-openapi';
import {
  AccountRefSchema,
  AmountSchema,
  SourceAmountSchema,
  AmountValueSchema,
  AssetCodeSchema,
  RateSchema,
  TimestampSchema,
  UuidSchema,
  amountFaults,
  orNull,
} from '../shared/common.js';
import { exactlyOne, fieldsOf, rule } from '../shared/rule.js';

export const QuoteRequestSchema = rule(
  z.object({
    accountId: UuidSchema.describe('The account that the quote is for; only operations on it can use the quote.'),
    sourceAsset: AssetCodeSchema.describe('What is given.'),
    targetAsset: AssetCodeSchema.describe('What is got for it; may be the same, which makes a quote of 1:1.'),
    sourceAmount: AmountValueSchema.optional().describe(
      'Fixes what is spent, in the source asset; the target amount follows. Either this or targetAmount, not both.',
    ),
    targetAmount: AmountValueSchema.optional().describe(
      'Fixes what is received, in the target asset; the source amount follows. Either this or sourceAmount, not both.',
    ),
  }),
  (raw, report) => {
    const { sourceAmount, targetAmount, sourceAsset, targetAsset } = fieldsOf(raw);
    if (sourceAmount === undefined && targetAmount === undefined) {
      report('MISSING_AMOUNT', ['sourceAmount'], 'expected either sourceAmount or targetAmount');
    } else if (![sourceAmount, targetAmount].some((each) => each === undefined || each === null)) {
      report('MUTUALLY_EXCLUSIVE_AMOUNTS', ['sourceAmount'], 'expected either sourceAmount or targetAmount, not both');
    }
    for (const { code, message, params } of amountFaults(sourceAmount, sourceAsset)) report(code, ['sourceAmount'], message, params);
    for (const { code, message, params } of amountFaults(targetAmount, targetAsset)) report(code, ['targetAmount'], message, params);
  },
).openapi('QuoteRequest', {
  description: 'A conversion to fix the rate of, by one of its two amounts.',
  ...exactlyOne('sourceAmount', 'targetAmount'),
  example: {
    accountId: '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417',
    sourceAsset: 'USD',
    targetAsset: 'BRL',
    sourceAmount: '100.00',
  },
});

export type QuoteRequest = z.output<typeof QuoteRequestSchema>;

export const QuoteSchema = z
  .object({
    id: UuidSchema.describe('Id of the quote: what an operation names to use it.'),
    customerId: UuidSchema.describe('The customer who asked for it.'),
    account: AccountRefSchema.describe('The account whose operations can use the quote.'),
    sourceAmount: SourceAmountSchema.describe('What is given.'),
    targetAmount: AmountSchema.describe('What is got for it.'),
    effectiveRate: RateSchema.describe('The rate that holds until then, spread and fees within it.'),
    expiresAt: TimestampSchema.meta({
      description: 'Last instant at which an operation may use the quote; afterwards it is QUOTE_EXPIRED.',
      example: '2026-11-21T14:03:37.512Z',
    }),
  })
  .openapi('Quote', { description: 'A rate locked for a short while, for one account and one operation.' });

export type Quote = z.infer<typeof QuoteSchema>;

/** A quote as an operation carries it. */
export const OperationQuoteSchema = z
  .object({
    id: UuidSchema.describe('Id of the quote that the operation used; a transfer has one of its own.'),
    effectiveRate: RateSchema.describe('The rate that converted the amounts.'),
    expiresAt: TimestampSchema.meta({ description: 'Until when the quote could have been used.', example: '2026-11-21T14:03:37.512Z' }),
    consumedAt: orNull(TimestampSchema).describe('When the operation used it up; null before.'),
  })
  .openapi('OperationQuote', { description: 'A quote as the operation that used it shows it.' });

export type OperationQuote = z.infer<typeof OperationQuoteSchema>;
