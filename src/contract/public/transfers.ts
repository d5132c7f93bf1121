import { z } from '@hono/zod-openapi';
import { AmountRequestSchema, UuidSchema } from '../shared/common.js';
import { fieldsOf, rule } from '../shared/rule.js';

export const TransferRequestSchema = rule(
  z.object({
    sourceAccountId: UuidSchema.meta({ description: 'The account that pays.' }),
    targetAccountId: UuidSchema.meta({ description: 'The account that receives; another one of the same customer.' }),
    amount: AmountRequestSchema.meta({ description: 'Leaves one account and arrives on the other unchanged.' }),
    quoteId: UuidSchema.optional().meta({ description: 'Reserved. Accepted and ignored: a transfer makes its own 1:1 quote.' }),
  }),
  (raw, report) => {
    const { sourceAccountId, targetAccountId } = fieldsOf(raw);
    const source = UuidSchema.safeParse(sourceAccountId);
    if (source.success && source.data === UuidSchema.safeParse(targetAccountId).data)
      report('ACCOUNTS_MUST_DIFFER', ['targetAccountId'], 'A transfer needs two accounts; targetAccountId is the same as sourceAccountId.');
  },
).openapi('TransferRequest');

export type TransferRequest = z.output<typeof TransferRequestSchema>;

export const SwapRequestSchema = z
  .object({
    accountId: UuidSchema.meta({ description: "The account that converts; the quote's account." }),
    quoteId: UuidSchema.meta({ description: 'Fixes both assets and both amounts.' }),
  })
  .openapi('SwapRequest');

export type SwapRequest = z.output<typeof SwapRequestSchema>;
