import { z } from '@hono/zod-openapi';
import { AmountSchema, TimestampSchema, UuidSchema } from '../shared/common.js';
import { NetworkSchema } from '../shared/rails.js';

const transactionStatuses = ['PROCESSING', 'CONFIRMED', 'FAILED'] as const;
const directions = ['CREDIT', 'DEBIT'] as const;
export type Direction = (typeof directions)[number];

export const TransactionStatusSchema = z
  .enum(transactionStatuses)
  .openapi('TransactionStatus', { description: 'Whether a payment is under way, has arrived, or has failed.' });
export const DirectionSchema = z.enum(directions).openapi('Direction', {
  description: 'Which way money goes, as the account sees it: CREDIT comes in, DEBIT goes out.',
  example: 'DEBIT',
});

/** What a payment is traced by, for the rails that have such a thing. */
export const traces = {
  PIX: {
    endToEnd: z.string().meta({
      description: "End-to-end id of the payment in the central bank's form, 32 characters.",
      example: 'E9999010120261121140300a1B2c3D4e',
    }),
  },
  CRYPTO: {
    network: NetworkSchema.describe('The blockchain that carried the money.'),
    transactionHash: z.string().meta({
      description: 'Hash of the transaction in the form of its network.',
      example: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    }),
  },
  SWIFT: {
    uetr: z.string().meta({ format: 'uuid', description: 'Unique end-to-end transaction reference, by which banks trace the payment.' }),
  },
} as const;

/** The type of a transaction, as the field that tells transactions apart. */
export const transactionType = <T extends string>(type: T) => z.literal(type).describe('The payment system that carried the money.');

/** A transaction of one type, as the operation resource shows it. */
function transactionSchema<T extends string, F extends z.ZodRawShape>(type: T, trace: F) {
  return z.object({
    id: UuidSchema.describe('Id of the transaction within the service.'),
    type: transactionType(type),
    direction: DirectionSchema.describe('Whether the money comes in or goes out.'),
    amount: AmountSchema.describe('How much it is.'),
    status: TransactionStatusSchema.describe('How far the payment has come.'),
    createdAt: TimestampSchema.describe('When the payment set out.'),
    ...trace,
  });
}

export const TransactionSchema = z
  .discriminatedUnion('type', [
    transactionSchema('PIX', traces.PIX).openapi('PixTransaction', { description: 'A payment by PIX, the instant payments of Brazil.' }),
    transactionSchema('TED', {}).openapi('TedTransaction', { description: 'A transfer between Brazilian banks.' }),
    transactionSchema('BOLETO', {}).openapi('BoletoTransaction', { description: 'A boleto, the Brazilian payment slip, that was paid.' }),
    transactionSchema('CRYPTO', traces.CRYPTO).openapi('CryptoTransaction', { description: 'A transfer on a blockchain.' }),
    transactionSchema('WIRE', {}).openapi('WireTransaction', { description: 'A wire transfer in the United States.' }),
    transactionSchema('ACH', {}).openapi('AchTransaction', { description: 'A payment by the Automated Clearing House.' }),
    transactionSchema('SWIFT', traces.SWIFT).openapi('SwiftTransaction', { description: 'An international transfer.' }),
    transactionSchema('SEPA', {}).openapi('SepaTransaction', { description: 'A transfer within the euro area.' }),
    transactionSchema('BOOK', {}).openapi('BookTransaction', {
      description: 'Money that stays inside the service: a transfer, or one leg of a swap.',
    }),
  ])
  .openapi('Transaction', { description: 'Money on its way, or arrived; `type` tells which of the shapes it is.' });

export type Transaction = z.infer<typeof TransactionSchema>;
export type TransactionType = Transaction['type'];
