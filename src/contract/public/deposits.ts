import { z } from '@hono/zod-openapi';
import { AmountValueSchema, UuidSchema, amountFaults } from '../shared/common.js';
import { NetworkSchema, fundingRails } from '../shared/rails.js';
import { fieldsOf, rule } from '../shared/rule.js';

const bankRails = fundingRails.filter((rail) => rail !== 'CRYPTO');

const CryptoFundingRequestSchema = z
  .object({
    rail: z.literal('CRYPTO').describe('Says that the money comes on a blockchain.'),
    network: NetworkSchema.optional().describe('The blockchain to pay on; the first one that carries the asset when left out.'),
  })
  .openapi('CryptoFundingRequest', { description: 'The wish to pay in on a blockchain.' });

const BankFundingRequestSchema = z
  .object({
    rail: z
      .enum(bankRails)
      .openapi('BankFundingRail', { description: 'A payment system of banks that money can come in by.' })
      .describe('The payment system that the money comes by.'),
  })
  .openapi('BankFundingRequest', { description: 'The wish to pay in by a payment system of banks.' });

export const DepositRequestSchema = z
  .object({
    accountId: UuidSchema.describe("The account that receives: the quote's account."),
    quoteId: UuidSchema.describe(
      'The quote to use up. Its source amount is to be paid in, its target amount is what the account receives.',
    ),
    fundingInstruction: z
      .discriminatedUnion('rail', [CryptoFundingRequestSchema, BankFundingRequestSchema])
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
