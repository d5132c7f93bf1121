import { z } from '@hono/zod-openapi';
import { AmountValueSchema, UuidSchema, amountFaults } from '../shared/common.js';
import { NetworkSchema, type FundingRail } from '../shared/rails.js';
import { fieldsOf, rule } from '../shared/rule.js';
import { PayerRequestSchema } from './transactions.js';

const CryptoFundingRequestSchema = z
  .object({
    rail: z.literal('CRYPTO').describe('The money is paid in on a blockchain.'),
    network: NetworkSchema.optional().describe('Blockchain to pay on. Default: the first one that supports the asset.'),
  })
  .openapi('CryptoFundingRequest', { description: 'Pay in on a blockchain.' });

/** Returns the schema of a rail. Each rail has its own schema, because client generators use the schema name as the value of `rail`. */
const bankFunding = <R extends FundingRail>(rail: R, name: string, description: string) =>
  z.object({ rail: z.literal(rail).describe('Payment system for the deposit.') }).openapi(`${name}FundingRequest`, { description });

export const DepositRequestSchema = z
  .object({
    accountId: UuidSchema.describe('The account that receives the money. It must be the account of the quote.'),
    quoteId: UuidSchema.describe('The quote to use. You pay in its source amount, and the account receives its target amount.'),
    fundingInstruction: z
      .discriminatedUnion('rail', [
        CryptoFundingRequestSchema,
        bankFunding('PIX_KEY', 'PixKey', 'Pay in by PIX, with a key from the directory.'),
        bankFunding('PIX_STATIC_QR_CODE', 'PixStaticQrCode', 'Pay in by PIX, with a QR code.'),
        bankFunding('TED', 'Ted', 'Pay in by TED, a transfer between Brazilian banks.'),
        bankFunding('BOLETO', 'Boleto', 'Pay in by boleto, the Brazilian payment slip.'),
        bankFunding('WIRE', 'Wire', 'Pay in by wire transfer in the United States.'),
        bankFunding('ACH', 'Ach', 'Pay in by the Automated Clearing House of the United States.'),
        bankFunding('SWIFT', 'Swift', 'Pay in by international transfer.'),
        bankFunding('SEPA', 'Sepa', 'Pay in by transfer within the euro area.'),
      ])
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
    for (const { code, message, params } of amountFaults(fieldsOf(raw)['amount'], undefined)) report(code, ['amount'], message, params);
  },
).openapi('Payment', { description: 'A simulated payment of a deposit.' });
