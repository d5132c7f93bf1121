import { z } from '@hono/zod-openapi';
import {
  AccountRefSchema,
  AmountSchema,
  SourceAmountSchema,
  TagSchema,
  TimestampSchema,
  UuidSchema,
  stateSchema,
} from '../shared/common.js';
import { FundingInstructionSchema } from '../shared/funding.js';
import { HolderSchema } from './beneficiaries.js';
import { WithdrawalInstructionSchema } from '../shared/payment-instructions.js';
import { OperationQuoteSchema } from './quotes.js';
import { fieldsOf, rule } from '../shared/rule.js';
import { TransactionSchema } from './transactions.js';

const ReferencedInstructionSchema = z
  .object({ type: z.literal('REFERENCE'), id: UuidSchema })
  .openapi('PaymentInstructionReference', { description: 'A payment instruction that is saved with the beneficiary.' });

const ReferencedBeneficiarySchema = z
  .object({ type: z.literal('REFERENCE'), id: UuidSchema, paymentInstruction: ReferencedInstructionSchema })
  .openapi('BeneficiaryReference', { description: 'A saved beneficiary. Inline ones are refused.' });

export const WithdrawalRequestSchema = rule(
  z.object({
    accountId: UuidSchema.meta({ description: "The account that pays; the quote's account." }),
    quoteId: UuidSchema,
    beneficiary: ReferencedBeneficiarySchema,
  }),
  (raw, report) => {
    const beneficiary = fieldsOf(fieldsOf(raw)['beneficiary']);
    if (beneficiary['type'] === 'INLINE') {
      report(
        'INLINE_BENEFICIARY_NOT_SUPPORTED',
        ['beneficiary', 'type'],
        'Register the beneficiary first and refer to it with type REFERENCE.',
      );
    } else if (fieldsOf(beneficiary['paymentInstruction'])['type'] === 'INLINE') {
      report(
        'INLINE_INSTRUCTION_NOT_SUPPORTED',
        ['beneficiary', 'paymentInstruction', 'type'],
        "Refer to one of the beneficiary's saved payment instructions with type REFERENCE.",
      );
    }
  },
).openapi('WithdrawalRequest');

export type WithdrawalRequest = z.output<typeof WithdrawalRequestSchema>;

export const operationStatuses = ['REQUESTED', 'PROCESSING', 'ON_HOLD', 'ACTION_REQUIRED', 'COMPLETED', 'FAILED'] as const;
export const OperationStateSchema = stateSchema(operationStatuses).openapi('OperationState');

const WithdrawalIntentSchema = z
  .object({
    type: z.literal('WITHDRAWAL'),
    beneficiary: z.object({
      id: UuidSchema,
      holder: HolderSchema,
      paymentInstruction: WithdrawalInstructionSchema,
    }),
  })
  .openapi('WithdrawalIntent');

const TransferIntentSchema = z
  .object({ type: z.literal('TRANSFER'), targetAccount: AccountRefSchema.meta({ description: 'The account that receives.' }) })
  .openapi('TransferIntent');

const SwapIntentSchema = z.object({ type: z.literal('SWAP') }).openapi('SwapIntent');

const DepositIntentSchema = z.object({ type: z.literal('DEPOSIT'), fundingInstruction: FundingInstructionSchema }).openapi('DepositIntent');

export const IntentSchema = z
  .discriminatedUnion('type', [WithdrawalIntentSchema, TransferIntentSchema, SwapIntentSchema, DepositIntentSchema])
  .openapi('Intent');
export type Intent = z.infer<typeof IntentSchema>;

const feeSources = ['FX_SPREAD', 'PLATFORM', 'RAIL', 'PARTNER'] as const;

const PercentageFeeSchema = z
  .object({
    type: z.literal('PERCENTAGE'),
    amount: AmountSchema.meta({ example: { value: '0.50', asset: 'USD', decimals: 2 } }),
    source: z.enum(feeSources),
    percentage: z.string().meta({ description: 'Share of the amount as a decimal fraction.', example: '0.0050' }),
  })
  .openapi('PercentageFee');

const AbsoluteFeeSchema = z
  .object({ type: z.literal('ABSOLUTE'), amount: AmountSchema, source: z.enum(feeSources) })
  .openapi('AbsoluteFee');

export const FeeSchema = z.discriminatedUnion('type', [PercentageFeeSchema, AbsoluteFeeSchema]).openapi('Fee');
export type Fee = z.infer<typeof FeeSchema>;

export const OperationSchema = z
  .object({
    id: UuidSchema,
    customerId: UuidSchema,
    account: AccountRefSchema,
    sourceAmount: SourceAmountSchema,
    targetAmount: AmountSchema,
    intent: IntentSchema,
    quote: OperationQuoteSchema,
    fees: z.array(FeeSchema),
    transactions: z.array(TransactionSchema),
    currentState: OperationStateSchema,
    states: z.array(OperationStateSchema).meta({ description: 'All statuses so far, oldest first.' }),
    tags: z.array(TagSchema),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  })
  .openapi('Operation');

export type Operation = z.infer<typeof OperationSchema>;
