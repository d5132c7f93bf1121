import { z } from '@hono/zod-openapi';
import {
  AccountRefSchema,
  AmountSchema,
  SourceAmountSchema,
  AssetCodeSchema,
  TagSchema,
  TimestampSchema,
  UuidSchema,
  orNull,
  assetCodes,
} from '../shared/common.js';
import { AddressSchema } from '../shared/address.js';
import { RelationshipTypeSchema, ReviewStatusSchema } from './beneficiaries.js';
import { FeeSchema, OperationStateSchema } from './operations.js';
import { InstructionAddressSchema } from '../shared/instruction-address.js';
import { OperationQuoteSchema } from './quotes.js';
import { DirectionSchema, TransactionStatusSchema, traces, transactionType } from './transactions.js';
import type { EventType } from './webhooks.js';

/** Shapes of the webhook bodies. They are older than the API's resources and differ from them in places: names, tax ids as plain text. */

const EventTransactionStateSchema = z
  .object({
    status: TransactionStatusSchema.describe('How far the payment has come.'),
    createdAt: TimestampSchema.describe('When it came so far.'),
    reason: z.string().nullable().meta({ description: 'Why it failed: the code of the reason; null otherwise.', example: null }),
  })
  .openapi('EventTransactionState', { description: 'Where a transaction stands; here the reason is its code alone.' });

/** A transaction of one type, as webhooks show it. */
function eventTransactionSchema<T extends string, F extends z.ZodRawShape>(type: T, trace: F) {
  return z.object({
    id: UuidSchema.describe('Id of the transaction, which the sandbox adds.'),
    type: transactionType(type),
    direction: DirectionSchema.describe('Whether the money comes in or goes out.'),
    amount: AmountSchema.describe('How much it is.'),
    currentState: EventTransactionStateSchema.describe('How far the payment has come, and when.'),
    ...trace,
  });
}

const EventTransactionSchema = z
  .discriminatedUnion('type', [
    eventTransactionSchema('PIX', traces.PIX).openapi('EventPixTransaction', { description: 'A payment by PIX, as events show it.' }),
    eventTransactionSchema('TED', {}).openapi('EventTedTransaction', {
      description: 'A transfer between Brazilian banks, as events show it.',
    }),
    eventTransactionSchema('BOLETO', {}).openapi('EventBoletoTransaction', { description: 'A boleto that was paid, as events show it.' }),
    eventTransactionSchema('CRYPTO', traces.CRYPTO).openapi('EventCryptoTransaction', {
      description: 'A transaction on a blockchain, as events show it.',
    }),
    eventTransactionSchema('WIRE', {}).openapi('EventWireTransaction', {
      description: 'A wire transfer in the United States, as events show it.',
    }),
    eventTransactionSchema('ACH', {}).openapi('EventAchTransaction', {
      description: 'A payment by the Automated Clearing House, as events show it.',
    }),
    eventTransactionSchema('SWIFT', traces.SWIFT).openapi('EventSwiftTransaction', {
      description: 'An international transfer, as events show it.',
    }),
    eventTransactionSchema('SEPA', {}).openapi('EventSepaTransaction', {
      description: 'A transfer within the euro area, as events show it.',
    }),
    eventTransactionSchema('BOOK', {}).openapi('EventBookTransaction', {
      description: 'Money that stays inside the service, as events show it.',
    }),
  ])
  .openapi('EventTransaction', { description: 'Money on its way, or arrived, as events show it; `type` tells which of the shapes it is.' });

export type EventTransaction = z.infer<typeof EventTransactionSchema>;

const EventWithdrawalIntentSchema = z
  .object({
    type: z.literal('WITHDRAWAL').describe('Says that money goes out to a beneficiary.'),
    beneficiary: z
      .object({
        id: UuidSchema.describe('Id of the beneficiary, which the sandbox adds.'),
        holder: z
          .object({
            name: z.string().meta({ description: 'First and last name of a person, legal name of a company.', example: 'Caio Menezes' }),
            taxId: z.string().meta({ description: 'The tax id as plain text, without its type.', example: '31415926590' }),
            address: orNull(AddressSchema).describe('Where the payee lives, or has its seat; null when not stated.'),
          })
          .openapi('EventPayee', { description: 'Who a withdrawal pays, in the words of events.' })
          .describe('Who is paid.'),
        instruction: z
          .object({
            id: UuidSchema.describe('Id of the payment instruction, which the sandbox adds.'),
            address: InstructionAddressSchema.describe('Key, bank account or wallet that receives.'),
          })
          .openapi('EventPayeeInstruction', { description: 'Where the money of a withdrawal goes, in the words of events.' })
          .describe('Where the money goes.'),
      })
      .openapi('EventBeneficiary', { description: 'Who a withdrawal pays and where the money goes, in the words of events.' })
      .describe('Who is paid, and where the money goes.'),
  })
  .openapi('EventWithdrawalIntent', { description: 'What a withdrawal is about, as events show it.' });

const EventTransferIntentSchema = z
  .object({ type: z.literal('TRANSFER').describe('Says that money goes to another account of the same customer.') })
  .openapi('EventTransferIntent', { description: 'What a transfer is about, as events show it.' });
const EventSwapIntentSchema = z
  .object({ type: z.literal('SWAP').describe('Says that one asset of the account becomes another.') })
  .openapi('EventSwapIntent', { description: 'What a swap is about, as events show it.' });
const EventDepositIntentSchema = z
  .object({ type: z.literal('DEPOSIT').describe('Says that money comes in.') })
  .openapi('EventDepositIntent', { description: 'What a deposit is about, as events show it.' });

const EventIntentSchema = z
  .discriminatedUnion('type', [EventWithdrawalIntentSchema, EventTransferIntentSchema, EventSwapIntentSchema, EventDepositIntentSchema])
  .openapi('EventIntent', { description: 'What an operation is to do, as events show it; `type` tells which of the shapes it is.' });

export const OperationEventSchema = z
  .object({
    id: UuidSchema.describe('Id of the operation, which the sandbox adds.'),
    customerId: UuidSchema.describe('The customer who asked for the operation.'),
    account: AccountRefSchema.describe('The account that the operation is on; its id is what the sandbox adds.'),
    sourceAmount: SourceAmountSchema.describe('What is given.'),
    destinationAmount: AmountSchema.describe('What arrives for it: the `targetAmount` of the operation.'),
    intent: EventIntentSchema.describe('What the operation is to do.'),
    fees: z.array(FeeSchema).max(20).describe('What is kept of the conversion; empty when nothing is.'),
    transactions: z
      .array(EventTransactionSchema)
      .max(10)
      .describe('The payments that the operation consists of; empty until it is PROCESSING.'),
    currentState: OperationStateSchema.describe('The status that the event tells of; of OPERATION_FAILED with its reason.'),
    atTime: TimestampSchema.describe('When the operation entered that status.'),
    quote: orNull(OperationQuoteSchema).meta({
      description: 'The quote that fixed both amounts; null when source and target asset are the same.',
    }),
    tags: z.array(TagSchema).max(20).describe('Labels of the operation.'),
  })
  .openapi('OperationEvent', { description: 'Body of OPERATION_REQUESTED, OPERATION_COMPLETED and OPERATION_FAILED.' });

export type OperationEvent = z.infer<typeof OperationEventSchema>;

const EventHolderSchema = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('INDIVIDUAL').describe('Says that the payee is a person.'),
        firstName: z.string().meta({ description: 'Given name, or names.', example: 'Caio' }),
        lastName: z.string().meta({ description: 'Family name, or names.', example: 'Menezes' }),
        taxId: z.string().meta({ description: 'The tax id as plain text, without its type.', example: '31415926590' }),
        dateOfBirth: z.iso.date().meta({ description: 'Day of birth, yyyy-MM-dd.', example: '1991-11-02' }),
        address: orNull(AddressSchema).describe('Where the person lives; null when not stated.'),
      })
      .openapi('EventIndividualHolder', { description: 'A person who is paid, as events show them.' }),
    z
      .object({
        type: z.literal('COMPANY').describe('Says that the payee is a company.'),
        legalName: z.string().meta({ description: 'Name of the company in its register.', example: 'Porto Sul Logística SA' }),
        tradeName: z
          .string()
          .nullable()
          .meta({ description: 'Name that the company does business under; null when not stated.', example: 'Porto Sul' }),
        taxId: z.string().meta({ description: 'The tax id as plain text, without its type.', example: '31415926590' }),
        address: orNull(AddressSchema).describe('Seat of the company; null when not stated.'),
      })
      .openapi('EventCompanyHolder', { description: 'A company that is paid, as events show it.' }),
  ])
  .openapi('EventHolder', { description: 'Who is paid, as events show them: a person or a company, as `type` says.' });

export const InstructionEventSchema = z
  .object({
    id: UuidSchema.meta({ description: 'Id of the beneficiary, not of the instruction.' }),
    customerId: UuidSchema.describe('The customer who registered the beneficiary.'),
    holder: EventHolderSchema.describe('Who is paid.'),
    relationshipType: RelationshipTypeSchema.describe('Whether the money goes to the customer or to somebody else.'),
    instruction: z
      .object({
        id: UuidSchema.describe('Id of the payment instruction, which the sandbox adds.'),
        asset: AssetCodeSchema.describe('What it receives.'),
        status: ReviewStatusSchema.describe('What the review has said of it.'),
        address: InstructionAddressSchema.describe('Where the money goes.'),
      })
      .openapi('EventInstruction', { description: 'A payment instruction, as events show it.' })
      .describe('The payment instruction that the event is about.'),
    atTime: TimestampSchema.describe('When it was created, or its review ended.'),
  })
  .openapi('InstructionEvent', { description: 'Body of the BENEFICIARY_PAYMENT_INSTRUCTION events.' });

export type InstructionEvent = z.infer<typeof InstructionEventSchema>;

export const AssetActivatedEventSchema = z
  .object({
    accountId: UuidSchema.describe('The account whose asset it is.'),
    customerId: UuidSchema.describe('The customer whose account it is.'),
    assets: z
      .array(AssetCodeSchema)
      .max(assetCodes.length)
      .meta({ description: 'The asset that was activated: one, since each has an event of its own.' }),
    atTime: TimestampSchema.describe('When it was activated.'),
  })
  .openapi('AssetActivatedEvent', { description: 'Body of ASSET_ACTIVATED: which account has which asset from now on.' });

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
