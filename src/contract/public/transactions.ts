import { z } from '@hono/zod-openapi';
import { AmountSchema, TimestampSchema, UuidSchema } from '../shared/common.js';
import { NetworkSchema } from '../shared/rails.js';

export const transactionStatuses = ['PROCESSING', 'CONFIRMED', 'FAILED'] as const;
export const directions = ['CREDIT', 'DEBIT'] as const;
export type Direction = (typeof directions)[number];

const StatusSchema = z.enum(transactionStatuses);
const DirectionSchema = z.enum(directions).meta({ description: 'As the account sees it.', example: 'DEBIT' });

/** What a payment is traced by, for the rails that have such a thing. */
export const traces = {
  PIX: {
    endToEnd: z.string().meta({ description: 'End-to-end id of the payment, 32 characters.', example: 'E9999010120261121140300a1B2c3D4e' }),
  },
  CRYPTO: {
    network: NetworkSchema,
    transactionHash: z.string().meta({
      description: 'Hash of the transaction in the form of its network.',
      example: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    }),
  },
  SWIFT: { uetr: z.string().meta({ format: 'uuid', description: 'Unique end-to-end transaction reference.' }) },
} as const;

/** A transaction of one type, as the operation resource shows it. */
function transactionSchema<T extends string, F extends z.ZodRawShape>(type: T, trace: F) {
  return z.object({
    id: UuidSchema,
    type: z.literal(type),
    direction: DirectionSchema,
    amount: AmountSchema,
    status: StatusSchema,
    createdAt: TimestampSchema,
    ...trace,
  });
}

export const TransactionSchema = z
  .discriminatedUnion('type', [
    transactionSchema('PIX', traces.PIX).openapi('PixTransaction'),
    transactionSchema('TED', {}).openapi('TedTransaction'),
    transactionSchema('BOLETO', {}).openapi('BoletoTransaction'),
    transactionSchema('CRYPTO', traces.CRYPTO).openapi('CryptoTransaction'),
    transactionSchema('WIRE', {}).openapi('WireTransaction'),
    transactionSchema('ACH', {}).openapi('AchTransaction'),
    transactionSchema('SWIFT', traces.SWIFT).openapi('SwiftTransaction'),
    transactionSchema('SEPA', {}).openapi('SepaTransaction'),
    transactionSchema('BOOK', {}).openapi('BookTransaction', {
      description: 'Money that stays inside the service: a transfer, or one leg of a swap.',
    }),
  ])
  .openapi('Transaction');

export type Transaction = z.infer<typeof TransactionSchema>;
export type TransactionType = Transaction['type'];
