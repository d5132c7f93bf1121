import { z } from '@hono/zod-openapi';
import { AmountValueSchema, UuidSchema, amountFaults } from '../shared/common.js';
import { NetworkSchema, type FundingRail } from '../shared/rails.js';
import { fieldsOf, rule } from '../shared/rule.js';

const CryptoFundingRequestSchema = z
  .object({
    rail: z.literal('CRYPTO').describe('Says that the money comes on a blockchain.'),
    network: NetworkSchema.optional().describe('The blockchain to pay on; the first one that carries the asset when left out.'),
  })
  .openapi('CryptoFundingRequest', { description: 'The wish to pay in on a blockchain.' });

/** One shape for each rail: generators of clients take the name of a shape for the value of `rail`. */
const bankFunding = <R extends FundingRail>(rail: R, name: string, description: string) =>
  z
    .object({ rail: z.literal(rail).describe('The payment system that the money comes by.') })
    .openapi(`${name}FundingRequest`, { description });

export const DepositRequestSchema = z
  .object({
    accountId: UuidSchema.describe("The account that receives: the quote's account."),
    quoteId: UuidSchema.describe(
      'The quote to use up. Its source amount is to be paid in, its target amount is what the account receives.',
    ),
    fundingInstruction: z
      .discriminatedUnion('rail', [
        CryptoFundingRequestSchema,
        bankFunding('PIX_KEY', 'PixKey', 'The wish to pay in by PIX, to a key.'),
        bankFunding('PIX_STATIC_QR_CODE', 'PixStaticQrCode', 'The wish to pay in by PIX, with a QR code.'),
        bankFunding('TED', 'Ted', 'The wish to pay in by transfer between Brazilian banks.'),
        bankFunding('BOLETO', 'Boleto', 'The wish to pay in by boleto, the Brazilian payment slip.'),
        bankFunding('WIRE', 'Wire', 'The wish to pay in by wire transfer in the United States.'),
        bankFunding('ACH', 'Ach', 'The wish to pay in by the Automated Clearing House of the United States.'),
        bankFunding('SWIFT', 'Swift', 'The wish to pay in by international transfer.'),
        bankFunding('SEPA', 'Sepa', 'The wish to pay in by transfer within the euro area.'),
      ])
      .openapi('FundingRequest', { description: 'How money is to be paid in; `rail` tells which of the shapes it is.' })
      .describe("The rail to pay by; it has to carry the quote's source asset."),
  })
  .openapi('DepositRequest', { description: 'Money that is going to be paid in.' });

export type DepositRequest = z.output<typeof DepositRequestSchema>;

/** How much a payment brings in; without an amount, exactly what was quoted. */
export const PaymentSchema = rule(
  z.strictObject({
    amount: AmountValueSchema.optional().describe("How much arrives, in the quote's source asset; exactly what was quoted when left out."),
  }),
  (raw, report) => {
    for (const { code, message, params } of amountFaults(fieldsOf(raw)['amount'], undefined)) report(code, ['amount'], message, params);
  },
).openapi('Payment', { description: 'The payment of a deposit, as a tester lets it arrive.' });
