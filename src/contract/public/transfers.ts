import { z } from '@hono/zod-openapi';
import { AmountRequestSchema, UuidSchema, uuidOf } from '../shared/common.js';
import { fieldsOf, rule } from '../shared/rule.js';

export const TransferRequestSchema = rule(
  z.object({
    sourceAccountId: UuidSchema.describe('The account that pays: an ACTIVE account of the customer.'),
    targetAccountId: UuidSchema.meta({ description: 'The account that receives the money: another account of the same customer.' }),
    amount: AmountRequestSchema.describe('Amount and asset to move. Both accounts must have the asset. The full amount arrives.'),
    quoteId: UuidSchema.optional().meta({ description: 'Reserved: accepted and ignored. A transfer creates its own 1:1 quote.' }),
  }),
  (raw, report) => {
    const { sourceAccountId, targetAccountId } = fieldsOf(raw);
    const [source, target] = [sourceAccountId, targetAccountId].map((id) => (typeof id === 'string' ? uuidOf(id) : undefined));
    if (source !== undefined && source === target)
      report('ACCOUNTS_MUST_DIFFER', ['targetAccountId'], 'expected an account that differs from sourceAccountId');
  },
).openapi('TransferRequest', { description: 'A movement of money to another account of the same customer.' });

export type TransferRequest = z.output<typeof TransferRequestSchema>;

export const SwapRequestSchema = z
  .object({
    accountId: UuidSchema.describe('The account of the quote. It must have both assets.'),
    quoteId: UuidSchema.describe('The quote to use. It defines both assets and both amounts. Its assets must differ.'),
  })
  .openapi('SwapRequest', { description: 'A conversion within an account.' });

export type SwapRequest = z.output<typeof SwapRequestSchema>;
