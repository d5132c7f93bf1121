import type { EventType } from '../shared/event-types.js';
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
import { DirectionSchema, TransactionStatusSchema, payerField, transactionSchemas } from './transactions.js';

/** Returns the schema of an id that the sandbox adds to the fields of the real service. */
const addedId = (what: string) =>
  UuidSchema.optional().describe(`Id of the ${what}. The sandbox adds this field; absent if the setting \`payloadExtras\` is false.`);

/** Schemas of the webhook bodies. They are older than the resources of the API: some names differ, and tax ids are plain strings. */

const EventTransactionStateSchema = z
  .object({
    status: TransactionStatusSchema.describe('Progress of the payment at its rail.'),
    createdAt: TimestampSchema.describe('Time at which the status began.'),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Code of the reason for the failure; null if the payment has not failed.', example: null }),
  })
  .openapi('EventTransactionState', { description: 'Status of a transaction. In events, the reason is only a code.' });

const EventTransactionSchema = z
  .discriminatedUnion(
    'type',
    transactionSchemas('Event', ', in events', addedId('transaction'), {
      direction: DirectionSchema.describe('Whether the account receives or pays the money.'),
      amount: AmountSchema.describe('Amount that the transaction moves.'),
      currentState: EventTransactionStateSchema.describe('Status of the payment, with its time.'),
      payer: payerField(),
    }),
  )
  .openapi('EventTransaction', { description: 'A payment in progress or completed, in events. `type` selects the variant.' });

export type EventTransaction = z.infer<typeof EventTransactionSchema>;

const EventWithdrawalIntentSchema = z
  .object({
    type: z.literal('WITHDRAWAL').describe('The operation pays a beneficiary.'),
    beneficiary: z
      .object({
        id: addedId('beneficiary'),
        holder: z
          .object({
            name: z.string().meta({ description: 'First and last name of a person, or legal name of a company.', example: 'Caio Menezes' }),
            taxId: z.string().meta({ description: 'The tax id as a string, without its type.', example: '31415926590' }),
            address: orNull(AddressSchema).describe('Address of the payee; null if unknown.'),
          })
          .openapi('EventPayee', { description: 'The payee of a withdrawal, in events.' })
          .describe('Person or company that receives the money.'),
        instruction: z
          .object({
            id: addedId('payment instruction'),
            address: InstructionAddressSchema.describe('PIX key, bank account or wallet that receives the money.'),
          })
          .openapi('EventPayeeInstruction', { description: 'Destination of a withdrawal, in events.' })
          .describe('Destination of the money.'),
      })
      .openapi('EventBeneficiary', { description: 'The payee of a withdrawal and the destination of the money, in events.' })
      .describe('The payee and the destination of the money.'),
  })
  .openapi('EventWithdrawalIntent', { description: 'The purpose of a withdrawal, in events.' });

const EventTransferIntentSchema = z
  .object({ type: z.literal('TRANSFER').describe('The operation pays another account of the same customer.') })
  .openapi('EventTransferIntent', { description: 'The purpose of a transfer, in events.' });
const EventSwapIntentSchema = z
  .object({ type: z.literal('SWAP').describe('The operation converts one asset of the account to another.') })
  .openapi('EventSwapIntent', { description: 'The purpose of a swap, in events.' });
const EventDepositIntentSchema = z
  .object({ type: z.literal('DEPOSIT').describe('The operation receives money.') })
  .openapi('EventDepositIntent', { description: 'The purpose of a deposit, in events.' });

const EventIntentSchema = z
  .discriminatedUnion('type', [EventWithdrawalIntentSchema, EventTransferIntentSchema, EventSwapIntentSchema, EventDepositIntentSchema])
  .openapi('EventIntent', { description: 'The purpose of an operation, in events. `type` selects the variant.' });

const EventAccountSchema = AccountRefSchema.extend({ id: addedId('account') }).openapi('EventAccount', {
  description: 'An account in an event: its id and the name of its owner.',
});

export const OperationEventSchema = z
  .object({
    id: addedId('operation'),
    customerId: UuidSchema.describe('The customer who created the operation.'),
    account: EventAccountSchema.describe('Account whose money moves: its id and the name of its owner.'),
    sourceAmount: SourceAmountSchema.describe('The amount that leaves the account, or that is to be paid in.'),
    destinationAmount: AmountSchema.describe('The amount that arrives: `targetAmount` of the operation.'),
    intent: EventIntentSchema.describe('The purpose of the operation.'),
    fees: z.array(FeeSchema).max(20).describe('Fees of the conversion; empty if there are none.'),
    transactions: z.array(EventTransactionSchema).max(10).describe('The payments of the operation; empty until it is PROCESSING.'),
    currentState: OperationStateSchema.describe('The status that caused the event. For OPERATION_FAILED it has a reason.'),
    atTime: TimestampSchema.describe('Time at which this status began.'),
    quote: orNull(OperationQuoteSchema).meta({
      description: 'The quote that fixed both amounts; null if source and target asset are the same.',
    }),
    tags: z.array(TagSchema).max(20).describe('Labels of the operation.'),
  })
  .openapi('OperationEvent', { description: 'Body of OPERATION_REQUESTED, OPERATION_COMPLETED and OPERATION_FAILED.' });

export type OperationEvent = z.infer<typeof OperationEventSchema>;

const EventHolderSchema = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('INDIVIDUAL').describe('The payee is a person.'),
        firstName: z.string().meta({ description: 'Given name or names.', example: 'Caio' }),
        lastName: z.string().meta({ description: 'Family name or names.', example: 'Menezes' }),
        taxId: z.string().meta({ description: 'The tax id as a string, without its type.', example: '31415926590' }),
        dateOfBirth: z.iso.date().meta({ description: 'Date of birth, yyyy-MM-dd.', example: '1991-11-02' }),
        address: orNull(AddressSchema).describe('Residential address of the person; null if unknown.'),
      })
      .openapi('EventIndividualHolder', { description: 'A payee who is a person, in events.' }),
    z
      .object({
        type: z.literal('COMPANY').describe('The payee is a company.'),
        legalName: z.string().meta({ description: 'Registered name of the company.', example: 'Porto Sul Logística SA' }),
        tradeName: z.string().nullable().meta({ description: 'Trade name of the company; null if unknown.', example: 'Porto Sul' }),
        taxId: z.string().meta({ description: 'The tax id as a string, without its type.', example: '31415926590' }),
        address: orNull(AddressSchema).describe('Address of the company; null if unknown.'),
      })
      .openapi('EventCompanyHolder', { description: 'A payee that is a company, in events.' }),
  ])
  .openapi('EventHolder', { description: 'The payee in events. `type` says whether it is a person or a company.' });

export const InstructionEventSchema = z
  .object({
    id: UuidSchema.meta({ description: 'Id of the beneficiary, not of the instruction.' }),
    customerId: UuidSchema.describe('The customer who registered the beneficiary.'),
    holder: EventHolderSchema.describe('Person or company that receives the money.'),
    relationshipType: RelationshipTypeSchema.describe('Whether the payee is the customer or a third party.'),
    instruction: z
      .object({
        id: addedId('payment instruction'),
        asset: AssetCodeSchema.describe('Asset that the instruction receives.'),
        status: ReviewStatusSchema.describe('Result of the review.'),
        address: InstructionAddressSchema.describe('Destination of the money.'),
      })
      .openapi('EventInstruction', { description: 'Payment instruction in events.' })
      .describe('The payment instruction of the event.'),
    atTime: TimestampSchema.describe('Time at which the instruction was created, or its review ended.'),
  })
  .openapi('InstructionEvent', { description: 'Body of the BENEFICIARY_PAYMENT_INSTRUCTION events.' });

export type InstructionEvent = z.infer<typeof InstructionEventSchema>;

export const AssetActivatedEventSchema = z
  .object({
    accountId: UuidSchema.describe('The account that can use the asset.'),
    customerId: UuidSchema.describe('The customer who owns the account.'),
    assets: z
      .array(AssetCodeSchema)
      .max(assetCodes.length)
      .meta({ description: 'The activated asset. Always one, because each asset has its own event.' }),
    atTime: TimestampSchema.describe('Time at which the asset was activated.'),
  })
  .openapi('AssetActivatedEvent', { description: 'Body of ASSET_ACTIVATED: the account and the asset that it can now use.' });

export type AssetActivatedEvent = z.infer<typeof AssetActivatedEventSchema>;

export const eventSchemas: Readonly<Record<EventType, z.ZodType>> = {
  OPERATION_REQUESTED: OperationEventSchema,
  OPERATION_COMPLETED: OperationEventSchema,
  OPERATION_FAILED: OperationEventSchema,
  BENEFICIARY_PAYMENT_INSTRUCTION_CREATED: InstructionEventSchema,
  BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED: InstructionEventSchema,
  BENEFICIARY_PAYMENT_INSTRUCTION_REJECTED: InstructionEventSchema,
  ASSET_ACTIVATED: AssetActivatedEventSchema,
};
