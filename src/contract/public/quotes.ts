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
  amountProblems,
  orNull,
} from '../shared/common.js';
import { exactlyOne, fieldsOf, rule } from '../shared/rule.js';

export const QuoteRequestSchema = rule(
  z.object({
    accountId: UuidSchema.describe('Account of the quote. Only operations on this account can use the quote.'),
    sourceAsset: AssetCodeSchema.describe('Asset to convert from.'),
    targetAsset: AssetCodeSchema.describe('Asset to convert to. The same asset gives a 1:1 quote.'),
    sourceAmount: AmountValueSchema.optional().describe(
      'Amount to spend, in the source asset; the target amount is computed. Exactly one of `sourceAmount` and `targetAmount` is required.',
    ),
    targetAmount: AmountValueSchema.optional().describe(
      'Amount to receive, in the target asset; the source amount is computed. Exactly one of `sourceAmount` and `targetAmount` is required.',
    ),
  }),
  (raw, report) => {
    const { sourceAmount, targetAmount, sourceAsset, targetAsset } = fieldsOf(raw);
    if (sourceAmount === undefined && targetAmount === undefined) {
      report('MISSING_AMOUNT', ['sourceAmount'], 'expected either sourceAmount or targetAmount');
    } else if (![sourceAmount, targetAmount].some((each) => each === undefined || each === null)) {
      report('MUTUALLY_EXCLUSIVE_AMOUNTS', ['sourceAmount'], 'expected either sourceAmount or targetAmount, not both');
    }
    for (const { code, message, params } of amountProblems(sourceAmount, sourceAsset)) report(code, ['sourceAmount'], message, params);
    for (const { code, message, params } of amountProblems(targetAmount, targetAsset)) report(code, ['targetAmount'], message, params);
  },
).openapi('QuoteRequest', {
  description: 'A conversion whose rate is to be locked, with one of its two amounts.',
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
    id: UuidSchema.describe('Id of the quote, for use in operations.'),
    customerId: UuidSchema.describe('The customer who created the quote.'),
    account: AccountRefSchema.describe('The account whose operations can use the quote.'),
    sourceAmount: SourceAmountSchema.describe('Amount before the conversion.'),
    targetAmount: AmountSchema.describe('Amount after the conversion.'),
    effectiveRate: RateSchema.describe('The locked rate, including spread and fees.'),
    expiresAt: TimestampSchema.meta({
      description: 'Last time at which an operation may use the quote. After it, operations fail with QUOTE_EXPIRED.',
      example: '2026-11-21T14:03:37.512Z',
    }),
  })
  .openapi('Quote', { description: 'A rate locked for a short time, for one account and one operation.' });

export type Quote = z.infer<typeof QuoteSchema>;

/** The quote in an operation. */
export const OperationQuoteSchema = z
  .object({
    id: UuidSchema.describe('Id of the quote that the operation used. A transfer creates its own quote.'),
    effectiveRate: RateSchema.describe('The rate that converted the source amount.'),
    expiresAt: TimestampSchema.meta({ description: 'Time at which the quote expired or expires.', example: '2026-11-21T14:03:37.512Z' }),
    consumedAt: orNull(TimestampSchema).describe('Time at which the operation used the quote; null before.'),
  })
  .openapi('OperationQuote', { description: 'The rate and expiry of the quote that an operation used.' });

export type OperationQuote = z.infer<typeof OperationQuoteSchema>;
