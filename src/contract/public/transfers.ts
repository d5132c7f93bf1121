import { z } from '@hono/zod-openapi';
import { AmountRequestSchema, UuidSchema, uuidOf } from '../shared/common.js';
import { fieldsOf, rule } from '../shared/rule.js';

export const TransferRequestSchema = rule(
  z.object({
    sourceAccountId: UuidSchema.describe('Where the money leaves: an ACTIVE account of the customer.'),
    targetAccountId: UuidSchema.meta({ description: 'The account that receives; another one of the same customer.' }),
    amount: AmountRequestSchema.describe('How much of which asset moves; both accounts have to have the asset. It arrives unchanged.'),
    quoteId: UuidSchema.optional().meta({ description: 'Reserved. Accepted and ignored: a transfer makes its own 1:1 quote.' }),
  }),
  (raw, report) => {
    const { sourceAccountId, targetAccountId } = fieldsOf(raw);
    const [source, target] = [sourceAccountId, targetAccountId].map((id) => (typeof id === 'string' ? uuidOf(id) : undefined));
    if (source !== undefined && source === target)
      report('ACCOUNTS_MUST_DIFFER', ['targetAccountId'], 'expected another account than sourceAccountId');
  },
).openapi('TransferRequest', { description: 'Money to move to another account of the same customer.' });

export type TransferRequest = z.output<typeof TransferRequestSchema>;

export const SwapRequestSchema = z
  .object({
    accountId: UuidSchema.describe("The account that converts: the quote's account. It has to have both assets."),
    quoteId: UuidSchema.describe('The quote to use up, which fixes both assets and both amounts. Its assets have to differ.'),
  })
  .openapi('SwapRequest', { description: 'A conversion within an account.' });

export type SwapRequest = z.output<typeof SwapRequestSchema>;
