import { z } from '@hono/zod-openapi';
import { AccountSchema } from '../public/accounts.js';
import { AmountRequestSchema, AmountSchema, AssetCodeSchema, TimestampSchema, UuidSchema, orNull, assetCodes } from '../shared/common.js';
import { QuoteSchema } from '../public/quotes.js';
import { payerField } from '../public/transactions.js';

/** Accounts, quotes and ledger entries with data that the public API does not show. */

export const AccountWithBalancesSchema = AccountSchema.extend({
  balances: z
    .array(AmountSchema)
    .max(assetCodes.length)
    .meta({ description: 'Balance of each asset of the account; negative if overdrawn.' }),
}).openapi('AccountWithBalances', { description: 'An account with its balances, which the public API does not show.' });

export const CreditRequestSchema = z
  .strictObject({
    amount: AmountRequestSchema.strict()
      .openapi('CreditAmount', { description: 'An amount of one asset to book.' })
      .describe('Amount to book. The account must have the asset.'),
  })
  .openapi('CreditRequest', { description: 'An amount to credit to an account, or to debit from it.' });

export const SandboxQuoteSchema = QuoteSchema.extend({
  requestedAmount: AmountSchema.describe('The amount in the request; the other amount was computed.'),
  createdAt: TimestampSchema.describe('Time at which the quote was created.'),
  consumedAt: orNull(TimestampSchema).describe('Time at which an operation used the quote; null before.'),
  consumedBy: orNull(UuidSchema).meta({ description: 'Id of the operation that used the quote; null before.' }),
}).openapi('SandboxQuote', { description: 'A quote with the operation that used it.' });

const PostingSchema = z
  .object({
    account: z.string().meta({
      description: 'Ledger account: `customer:<account id>`, `rail:<rail>`, `fx`, `fees:<source>`, `control` and similar.',
      example: 'fx',
    }),
    asset: AssetCodeSchema.describe('Asset in which the posting is made.'),
    amount: z.string().meta({ description: 'Amount as a decimal string; positive if the ledger account receives it.', example: '-150.00' }),
  })
  .openapi('Posting', { description: 'A change of one ledger account in one asset.' });

export const LedgerEntrySchema = z
  .object({
    id: UuidSchema.describe('Id of the entry, for use with `why`.'),
    at: TimestampSchema.describe('Time of the booking.'),
    operationId: orNull(UuidSchema).meta({
      description: 'The operation that settled; null for credits and debits through the control API.',
    }),
    causeId: z
      .string()
      .meta({ description: 'Id of the request, control request or scenario step that caused the entry, for use with `why`.' }),
    payer: payerField(),
    postings: z
      .array(PostingSchema)
      .max(100)
      .meta({ description: 'The changes of all ledger accounts. They add up to zero in every asset.' }),
  })
  .openapi('LedgerEntry', { description: 'A movement of money in the ledger of the sandbox.' });
