import { z } from '@hono/zod-openapi';
import { AmountValueSchema, UuidSchema, amountProblems } from '../shared/common.js';
import { fundingRails, fundingSchema, NetworkSchema } from '../shared/rails.js';
import { fieldsOf, rule } from '../shared/rule.js';
import { PayerRequestSchema } from './transactions.js';

const CryptoFundingRequestSchema = z
  .object({
    rail: z.literal('CRYPTO').describe('The money is paid in on a blockchain.'),
    network: NetworkSchema.optional().describe('Blockchain to pay on. Default: the first one that supports the asset.'),
  })
  .openapi(...fundingSchema('CRYPTO', 'FundingRequest'));

/** The schemas of all other rails. Each has its own schema, because client generators use the schema name as the value of `rail`. */
const otherFundingSchemas = fundingRails
  .filter((rail) => rail !== 'CRYPTO')
  .map((rail) =>
    z.object({ rail: z.literal(rail).describe('Payment system for the deposit.') }).openapi(...fundingSchema(rail, 'FundingRequest')),
  );

export const DepositRequestSchema = z
  .object({
    accountId: UuidSchema.describe('The account that receives the money. It must be the account of the quote.'),
    quoteId: UuidSchema.describe('The quote to use. You pay in its source amount, and the account receives its target amount.'),
    fundingInstruction: z
      .discriminatedUnion('rail', [CryptoFundingRequestSchema, ...otherFundingSchemas])
      .openapi('FundingRequest', { description: 'How money is paid in. `rail` selects the variant.' })
      .describe('The rail to pay by. It must support the source asset of the quote.'),
  })
  .openapi('DepositRequest', { description: 'A payment to expect on an account.' });

export type DepositRequest = z.output<typeof DepositRequestSchema>;

/** The payment of a deposit. Default amount: exactly the quoted amount. */
export const PaymentSchema = rule(
  z.strictObject({
    amount: AmountValueSchema.optional().describe(
      'Amount that arrives, in the source asset of the quote. Default: exactly the quoted amount.',
    ),
    payer: PayerRequestSchema.describe('Payer of the deposit. The transaction, its webhooks and the ledger show the payer.').optional(),
  }),
  (raw, report) => {
    for (const { code, message, params } of amountProblems(fieldsOf(raw)['amount'], undefined)) report(code, ['amount'], message, params);
  },
).openapi('Payment', { description: 'A simulated payment of a deposit.' });
