import { z } from '@hono/zod-openapi';
import { AmountSchema, TimestampSchema, UuidSchema } from './common.js';
import { NetworkSchema } from './rails.js';

export const transactionStatuses = ['PROCESSING', 'CONFIRMED', 'FAILED'] as const;
export const directions = ['CREDIT', 'DEBIT'] as const;
export type Direction = (typeof directions)[number];

/** What a payment is traced by, for the rails that have such a thing. */
const traces = {
  PIX: {
    endToEnd: z
      .string()
      .openapi({ description: 'End-to-end id of the payment, 32 characters.', example: 'E9999010120261121140300a1B2c3D4e' }),
  },
  CRYPTO: {
    network: NetworkSchema,
    transactionHash: z.string().openapi({
      description: 'Hash of the transaction in the form of its network.',
      example: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    }),
  },
  SWIFT: { uetr: z.string().openapi({ format: 'uuid', description: 'Unique end-to-end transaction reference.' }) },
} as const;

/** A transaction of one type, as the operation resource shows it. */
function transactionSchema<T extends string, F extends z.ZodRawShape>(type: T, trace: F) {
  return z.object({
    id: UuidSchema,
    type: z.literal(type),
    direction: z.enum(directions).openapi({ description: 'As the account sees it.', example: 'DEBIT' }),
    amount: AmountSchema,
    status: z.enum(transactionStatuses),
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

const EventTransactionStateSchema = z
  .object({ status: z.enum(transactionStatuses), createdAt: TimestampSchema, reason: z.string().nullable().openapi({ example: null }) })
  .openapi('EventTransactionState', { description: 'Where a transaction stands; here the reason is plain text.' });

/** A transaction of one type, as webhooks show it. */
function eventTransactionSchema<T extends string, F extends z.ZodRawShape>(type: T, trace: F) {
  return z.object({
    type: z.literal(type),
    direction: z.enum(directions).openapi({ example: 'DEBIT' }),
    amount: AmountSchema,
    currentState: EventTransactionStateSchema,
    ...trace,
  });
}

export const EventTransactionSchema = z
  .discriminatedUnion('type', [
    eventTransactionSchema('PIX', traces.PIX).openapi('EventPixTransaction'),
    eventTransactionSchema('TED', {}).openapi('EventTedTransaction'),
    eventTransactionSchema('BOLETO', {}).openapi('EventBoletoTransaction'),
    eventTransactionSchema('CRYPTO', traces.CRYPTO).openapi('EventCryptoTransaction'),
    eventTransactionSchema('WIRE', {}).openapi('EventWireTransaction'),
    eventTransactionSchema('ACH', {}).openapi('EventAchTransaction'),
    eventTransactionSchema('SWIFT', traces.SWIFT).openapi('EventSwiftTransaction'),
    eventTransactionSchema('SEPA', {}).openapi('EventSepaTransaction'),
    eventTransactionSchema('BOOK', {}).openapi('EventBookTransaction'),
  ])
  .openapi('EventTransaction');

export type EventTransaction = z.infer<typeof EventTransactionSchema>;
