import { z } from '@hono/zod-openapi';
import { AmountValueSchema, UuidSchema, amountFault } from '../shared/common.js';
import { NetworkSchema, fundingRails } from '../shared/rails.js';
import { fieldsOf, rule } from '../shared/rule.js';

const bankRails = fundingRails.filter((rail) => rail !== 'CRYPTO');

const CryptoFundingRequestSchema = z
  .object({
    rail: z.literal('CRYPTO'),
    network: NetworkSchema.optional().meta({ description: 'The first one that carries the asset when left out.' }),
  })
  .openapi('CryptoFundingRequest');

const BankFundingRequestSchema = z.object({ rail: z.enum(bankRails) }).openapi('BankFundingRequest');

export const DepositRequestSchema = z
  .object({
    accountId: UuidSchema.meta({ description: "The account that receives; the quote's account." }),
    quoteId: UuidSchema.meta({ description: 'Its source is what is to be paid in, its target what the account receives.' }),
    fundingInstruction: z
      .discriminatedUnion('rail', [CryptoFundingRequestSchema, BankFundingRequestSchema])
      .openapi('FundingRequest', { description: "The rail to pay by; it has to carry the quote's source asset." }),
  })
  .openapi('DepositRequest');

export type DepositRequest = z.output<typeof DepositRequestSchema>;

/** How much a payment brings in; without an amount, exactly what was quoted. */
export const PaymentSchema = rule(z.strictObject({ amount: AmountValueSchema.optional() }), (raw, report) => {
  const fault = amountFault(fieldsOf(raw)['amount'], undefined);
  if (fault) report(fault.code, ['amount'], fault.message, fault.params);
}).openapi('Payment', { description: "The amount is in the quote's source asset. Without one, exactly what was quoted arrives." });
