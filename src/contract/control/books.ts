import { z } from '@hono/zod-openapi';
import { AccountSchema } from '../public/accounts.js';
import { AmountRequestSchema, AmountSchema, AssetCodeSchema, TimestampSchema, UuidSchema, orNull, assetCodes } from '../shared/common.js';
import { QuoteSchema } from '../public/quotes.js';

/** What the control plane shows of money beyond the public API. */

export const AccountWithBalancesSchema = AccountSchema.extend({
  balances: z
    .array(AmountSchema)
    .max(assetCodes.length)
    .meta({ description: 'What the account holds of each of its assets; negative when overdrawn.' }),
}).openapi('AccountWithBalances');

export const CreditRequestSchema = z
  .strictObject({ amount: AmountRequestSchema.strict().openapi('CreditAmount') })
  .openapi('CreditRequest');

export const SandboxQuoteSchema = QuoteSchema.extend({
  requestedAmount: AmountSchema.meta({ description: 'The amount that the client fixed.' }),
  createdAt: TimestampSchema,
  consumedAt: orNull(TimestampSchema),
  consumedBy: orNull(UuidSchema).meta({ description: 'The operation that used the quote up.' }),
}).openapi('SandboxQuote');

const PostingSchema = z
  .object({
    account: z.string().meta({
      description: 'Ledger account: `customer:<account id>`, `rail:<rail>`, `fx`, `fees:<source>`, `control` and the like.',
      example: 'fx',
    }),
    asset: AssetCodeSchema,
    amount: z.string().meta({ description: 'Decimal string; positive when the ledger account receives.', example: '-150.00' }),
  })
  .openapi('Posting');

export const LedgerEntrySchema = z
  .object({
    id: UuidSchema,
    at: TimestampSchema,
    operationId: orNull(UuidSchema).meta({ description: 'The operation that settled; null for credits and debits.' }),
    causeId: z.string().meta({ description: 'The request, control call or scenario step behind it.' }),
    postings: z.array(PostingSchema).max(100).meta({ description: 'They sum to zero in every asset.' }),
  })
  .openapi('LedgerEntry');
