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
}).openapi('AccountWithBalances', { description: 'An account with what it holds, which the public API does not show.' });

export const CreditRequestSchema = z
  .strictObject({
    amount: AmountRequestSchema.strict()
      .openapi('CreditAmount', { description: 'A sum of one asset to book.' })
      .describe('How much of which asset to book; the account has to have the asset.'),
  })
  .openapi('CreditRequest', { description: 'Money to give to an account, or to take from it.' });

export const SandboxQuoteSchema = QuoteSchema.extend({
  requestedAmount: AmountSchema.describe('The amount that the client fixed: one of the two, before the other was computed.'),
  createdAt: TimestampSchema.describe('When the quote was made.'),
  consumedAt: orNull(TimestampSchema).describe('When an operation used it up; null before.'),
  consumedBy: orNull(UuidSchema).meta({ description: 'Id of the operation that used it up; null before.' }),
}).openapi('SandboxQuote', { description: 'A quote with what became of it.' });

const PostingSchema = z
  .object({
    account: z.string().meta({
      description: 'Ledger account: `customer:<account id>`, `rail:<rail>`, `fx`, `fees:<source>`, `control` and the like.',
      example: 'fx',
    }),
    asset: AssetCodeSchema.describe('What is booked.'),
    amount: z
      .string()
      .meta({ description: 'How much, as a decimal string: above zero when the ledger account receives.', example: '-150.00' }),
  })
  .openapi('Posting', { description: 'What one ledger account gives or receives of one asset.' });

export const LedgerEntrySchema = z
  .object({
    id: UuidSchema.describe('Id of the entry, which `why` explains.'),
    at: TimestampSchema.describe('When it was booked.'),
    operationId: orNull(UuidSchema).meta({ description: 'The operation that settled; null for credits and debits.' }),
    causeId: z.string().meta({ description: 'Id of the request, control call or scenario step behind it, which `why` tells of.' }),
    postings: z
      .array(PostingSchema)
      .max(100)
      .meta({ description: 'What each ledger account gives and receives; they sum to zero in every asset.' }),
  })
  .openapi('LedgerEntry', { description: 'A movement of money in the books of the sandbox.' });
