import { z } from '@hono/zod-openapi';
import { AmountSchema, NameSchema, TimestampSchema, UuidSchema } from '../shared/common.js';
import { TaxIdRequestSchema, TaxIdSchema } from '../shared/tax-ids.js';
import { NetworkSchema } from '../shared/rails.js';

const transactionStatuses = ['PROCESSING', 'CONFIRMED', 'FAILED'] as const;
const directions = ['CREDIT', 'DEBIT'] as const;
export type Direction = (typeof directions)[number];

export const TransactionStatusSchema = z
  .enum(transactionStatuses)
  .openapi('TransactionStatus', { description: 'Whether a payment is in progress, has arrived, or has failed.' });
export const DirectionSchema = z.enum(directions).openapi('Direction', {
  description: 'Direction of the money from the view of the account: CREDIT is incoming, DEBIT is outgoing.',
  example: 'DEBIT',
});

/** The identifiers to trace a payment, for the rails that have them. */
export const traces = {
  PIX: {
    endToEnd: z.string().meta({
      description: "End-to-end id of the payment in the central bank's format, 32 characters.",
      example: 'E9999010120261121140300a1B2c3D4e',
    }),
  },
  CRYPTO: {
    network: NetworkSchema.describe('Blockchain of the payment.'),
    transactionHash: z.string().meta({
      description: 'Hash of the transaction in the format of its network.',
      example: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    }),
  },
  SWIFT: {
    uetr: z
      .string()
      .meta({ format: 'uuid', description: 'Unique end-to-end transaction reference, which banks use to trace the payment.' }),
  },
} as const;

export const PayerSchema = z
  .object({
    name: z.string().meta({ description: 'Legal name of a company, or first and last name of a person.', example: 'Joana Alves' }),
    taxId: TaxIdSchema.describe('Number of the person or company in its register.'),
  })
  .openapi('Payer', { description: 'The person or company that paid a deposit.' });

export type Payer = z.infer<typeof PayerSchema>;

/** A payer in a request or a scenario. */
export const PayerRequestSchema = z
  .strictObject({
    name: NameSchema.meta({ description: 'Legal name of a company, or first and last name of a person.', example: 'Joana Alves' }),
    taxId: TaxIdRequestSchema.describe('Number of the person or company in its register.'),
  })
  .openapi('PayerRequest', { description: 'The person or company that pays a deposit.' });

/** Returns the optional field for the payer of a deposit. */
export const payerField = () => PayerSchema.optional().describe('Payer of the deposit; absent if the payment does not name one.');

/** Returns the schema of the field `type`, the discriminator of transactions. */
export const transactionType = <T extends string>(type: T) => z.literal(type).describe('The payment system of the transaction.');

/** Returns the schema of a transaction of one type in an operation. */
function transactionSchema<T extends string, F extends z.ZodRawShape>(type: T, trace: F) {
  return z.object({
    id: UuidSchema.describe('Id of the transaction in the service.'),
    type: transactionType(type),
    direction: DirectionSchema.describe('Whether the account receives or pays the money.'),
    amount: AmountSchema.describe('Amount that the transaction moves.'),
    status: TransactionStatusSchema.describe('Progress of the payment at its rail.'),
    createdAt: TimestampSchema.describe('Time at which the payment started.'),
    payer: payerField(),
    ...trace,
  });
}

export const TransactionSchema = z
  .discriminatedUnion('type', [
    transactionSchema('PIX', traces.PIX).openapi('PixTransaction', {
      description: 'A payment by PIX, the instant payment system of Brazil.',
    }),
    transactionSchema('TED', {}).openapi('TedTransaction', { description: 'A transfer between Brazilian banks.' }),
    transactionSchema('BOLETO', {}).openapi('BoletoTransaction', { description: 'A paid boleto, the Brazilian payment slip.' }),
    transactionSchema('CRYPTO', traces.CRYPTO).openapi('CryptoTransaction', { description: 'A transfer on a blockchain.' }),
    transactionSchema('WIRE', {}).openapi('WireTransaction', { description: 'A wire transfer in the United States.' }),
    transactionSchema('ACH', {}).openapi('AchTransaction', { description: 'A payment by the Automated Clearing House.' }),
    transactionSchema('SWIFT', traces.SWIFT).openapi('SwiftTransaction', { description: 'An international transfer.' }),
    transactionSchema('SEPA', {}).openapi('SepaTransaction', { description: 'A transfer within the euro area.' }),
    transactionSchema('BOOK', {}).openapi('BookTransaction', {
      description: 'A movement inside the service: a transfer, or one leg of a swap.',
    }),
  ])
  .openapi('Transaction', { description: 'A payment in progress or completed. `type` selects the variant.' });

export type Transaction = z.infer<typeof TransactionSchema>;
export type TransactionType = Transaction['type'];
