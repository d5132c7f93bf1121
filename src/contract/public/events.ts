import { z } from '@hono/zod-openapi';
import {
  AccountRefSchema,
  AddressSchema,
  AmountSchema,
  SourceAmountSchema,
  AssetCodeSchema,
  TagSchema,
  TimestampSchema,
  UuidSchema,
  orNull,
} from '../shared/common.js';
import { relationshipTypes, reviewStatuses } from './beneficiaries.js';
import { FeeSchema, OperationStateSchema } from './operations.js';
import { InstructionAddressSchema } from '../shared/payment-instructions.js';
import { OperationQuoteSchema } from './quotes.js';
import { directions, traces, transactionStatuses } from './transactions.js';
import type { EventType } from './webhooks.js';

/** Shapes of the webhook bodies. They are older than the API's resources and differ from them in places: names, tax ids as plain text. */

const EventTransactionStateSchema = z
  .object({ status: z.enum(transactionStatuses), createdAt: TimestampSchema, reason: z.string().nullable().meta({ example: null }) })
  .openapi('EventTransactionState', { description: 'Where a transaction stands; here the reason is plain text.' });

const DirectionSchema = z.enum(directions).meta({ example: 'DEBIT' });

/** A transaction of one type, as webhooks show it. */
function eventTransactionSchema<T extends string, F extends z.ZodRawShape>(type: T, trace: F) {
  return z.object({
    id: UuidSchema,
    type: z.literal(type),
    direction: DirectionSchema,
    amount: AmountSchema,
    currentState: EventTransactionStateSchema,
    ...trace,
  });
}

const EventTransactionSchema = z
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

const EventWithdrawalIntentSchema = z
  .object({
    type: z.literal('WITHDRAWAL'),
    beneficiary: z.object({
      id: UuidSchema,
      holder: z.object({
        name: z.string().meta({ example: 'Caio Menezes' }),
        taxId: z.string().meta({ example: '31415926590' }),
        address: orNull(AddressSchema),
      }),
      instruction: z.object({ id: UuidSchema, address: InstructionAddressSchema }),
    }),
  })
  .openapi('EventWithdrawalIntent');

const EventTransferIntentSchema = z.object({ type: z.literal('TRANSFER') }).openapi('EventTransferIntent');
const EventSwapIntentSchema = z.object({ type: z.literal('SWAP') }).openapi('EventSwapIntent');
const EventDepositIntentSchema = z.object({ type: z.literal('DEPOSIT') }).openapi('EventDepositIntent');

export const EventIntentSchema = z
  .discriminatedUnion('type', [EventWithdrawalIntentSchema, EventTransferIntentSchema, EventSwapIntentSchema, EventDepositIntentSchema])
  .openapi('EventIntent');

export const OperationEventSchema = z
  .object({
    id: UuidSchema,
    customerId: UuidSchema,
    account: AccountRefSchema,
    sourceAmount: SourceAmountSchema,
    destinationAmount: AmountSchema,
    intent: EventIntentSchema,
    fees: z.array(FeeSchema),
    transactions: z.array(EventTransactionSchema),
    currentState: OperationStateSchema,
    atTime: TimestampSchema.meta({ description: 'Instant of the transition.' }),
    quote: orNull(OperationQuoteSchema).meta({ description: 'Null when source and target asset are the same.' }),
    tags: z.array(TagSchema),
  })
  .openapi('OperationEvent', { description: 'Body of OPERATION_REQUESTED, OPERATION_COMPLETED and OPERATION_FAILED.' });

export type OperationEvent = z.infer<typeof OperationEventSchema>;

const EventHolderSchema = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('INDIVIDUAL'),
        firstName: z.string().meta({ example: 'Caio' }),
        lastName: z.string().meta({ example: 'Menezes' }),
        taxId: z.string().meta({ example: '31415926590' }),
        dateOfBirth: z.string().meta({ example: '1991-11-02' }),
        address: orNull(AddressSchema),
      })
      .openapi('EventIndividualHolder'),
    z
      .object({
        type: z.literal('COMPANY'),
        legalName: z.string().meta({ example: 'Porto Sul Logística SA' }),
        tradeName: z.string().nullable().meta({ example: 'Porto Sul' }),
        taxId: z.string().meta({ example: '31415926590' }),
        address: orNull(AddressSchema),
      })
      .openapi('EventCompanyHolder'),
  ])
  .openapi('EventHolder');

export const InstructionEventSchema = z
  .object({
    id: UuidSchema.meta({ description: 'Id of the beneficiary.' }),
    customerId: UuidSchema,
    holder: EventHolderSchema,
    relationshipType: z.enum(relationshipTypes),
    instruction: z.object({ id: UuidSchema, asset: AssetCodeSchema, status: z.enum(reviewStatuses), address: InstructionAddressSchema }),
    atTime: TimestampSchema,
  })
  .openapi('InstructionEvent', { description: 'Body of the BENEFICIARY_PAYMENT_INSTRUCTION events.' });

export type InstructionEvent = z.infer<typeof InstructionEventSchema>;

export const AssetActivatedEventSchema = z
  .object({
    accountId: UuidSchema,
    customerId: UuidSchema,
    assets: z.array(AssetCodeSchema).meta({ description: 'The asset that was activated; each has an event of its own.' }),
    atTime: TimestampSchema,
  })
  .openapi('AssetActivatedEvent', { description: 'Body of ASSET_ACTIVATED.' });

export type AssetActivatedEvent = z.infer<typeof AssetActivatedEventSchema>;

/** The body of each event. */
export const eventSchemas: Readonly<Record<EventType, z.ZodType>> = {
  OPERATION_REQUESTED: OperationEventSchema,
  OPERATION_COMPLETED: OperationEventSchema,
  OPERATION_FAILED: OperationEventSchema,
  BENEFICIARY_PAYMENT_INSTRUCTION_CREATED: InstructionEventSchema,
  BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED: InstructionEventSchema,
  BENEFICIARY_PAYMENT_INSTRUCTION_REJECTED: InstructionEventSchema,
  ASSET_ACTIVATED: AssetActivatedEventSchema,
};
