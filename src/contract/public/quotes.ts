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
  amountFault,
  orNull,
} from '../shared/common.js';
import { fieldsOf, rule } from '../shared/rule.js';

export const QuoteRequestSchema = rule(
  z.object({
    accountId: UuidSchema,
    sourceAsset: AssetCodeSchema,
    targetAsset: AssetCodeSchema,
    sourceAmount: AmountValueSchema.optional().meta({ description: 'Fixes what is spent; the target amount follows.' }),
    targetAmount: AmountValueSchema.optional().meta({ description: 'Fixes what is received; the source amount follows.' }),
  }),
  (raw, report) => {
    const { sourceAmount, targetAmount, sourceAsset, targetAsset } = fieldsOf(raw);
    if (sourceAmount === undefined && targetAmount === undefined) {
      report('MISSING_AMOUNT', ['sourceAmount'], 'Give either sourceAmount or targetAmount.');
    } else if (![sourceAmount, targetAmount].some((each) => each === undefined || each === null)) {
      report('MUTUALLY_EXCLUSIVE_AMOUNTS', ['sourceAmount'], 'Give either sourceAmount or targetAmount, not both.');
    }
    const source = amountFault(sourceAmount, sourceAsset);
    if (source) report(source.code, ['sourceAmount'], source.message, source.params);
    const target = amountFault(targetAmount, targetAsset);
    if (target) report(target.code, ['targetAmount'], target.message, target.params);
  },
).openapi('QuoteRequest', {
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
    id: UuidSchema,
    customerId: UuidSchema,
    account: AccountRefSchema,
    sourceAmount: SourceAmountSchema,
    targetAmount: AmountSchema,
    effectiveRate: RateSchema,
    expiresAt: TimestampSchema.meta({
      description: 'Last instant at which an operation may use the quote.',
      example: '2026-11-21T14:03:37.512Z',
    }),
  })
  .openapi('Quote', { description: 'A rate locked for a short while, for one account and one operation.' });

export type Quote = z.infer<typeof QuoteSchema>;

/** A quote as an operation carries it. */
export const OperationQuoteSchema = z
  .object({
    id: UuidSchema,
    effectiveRate: RateSchema,
    expiresAt: TimestampSchema.meta({ example: '2026-11-21T14:03:37.512Z' }),
    consumedAt: orNull(TimestampSchema),
  })
  .openapi('OperationQuote');

export type OperationQuote = z.infer<typeof OperationQuoteSchema>;
