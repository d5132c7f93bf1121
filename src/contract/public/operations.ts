import { z } from '@hono/zod-openapi';
import {
  AccountRefSchema,
  AmountSchema,
  SourceAmountSchema,
  TagSchema,
  TimestampSchema,
  UuidSchema,
  stateSchema,
  maxStates,
} from '../shared/common.js';
import { FundingInstructionSchema } from '../shared/funding.js';
import { HolderSchema } from './beneficiaries.js';
import { WithdrawalInstructionSchema } from '../shared/instruction-address.js';
import { OperationQuoteSchema } from './quotes.js';
import { fieldsOf, rule } from '../shared/rule.js';
import { TransactionSchema } from './transactions.js';

const reference = z.literal('REFERENCE').describe('Says that it is saved already. INLINE, which would bring it along, is refused.');

const ReferencedInstructionSchema = z
  .object({ type: reference, id: UuidSchema.describe('Id of the payment instruction, which has to be APPROVED.') })
  .openapi('PaymentInstructionReference', { description: 'A payment instruction that is saved with the beneficiary.' });

const ReferencedBeneficiarySchema = z
  .object({
    type: reference,
    id: UuidSchema.describe('Id of the beneficiary, who has to be APPROVED.'),
    paymentInstruction: ReferencedInstructionSchema.describe(
      'Which way to pay the beneficiary; its asset has to be the target asset of the quote.',
    ),
  })
  .openapi('BeneficiaryReference', { description: 'A saved beneficiary, and a way to pay them. Inline ones are refused.' });

export const WithdrawalRequestSchema = rule(
  z.object({
    accountId: UuidSchema.describe("The account that pays: the quote's account."),
    quoteId: UuidSchema.describe('The quote to use up. Its source amount is taken from the account, its target amount arrives.'),
    beneficiary: ReferencedBeneficiarySchema.describe('Who is paid, and how.'),
  }),
  (raw, report) => {
    const beneficiary = fieldsOf(fieldsOf(raw)['beneficiary']);
    if (beneficiary['type'] === 'INLINE') {
      report(
        'INLINE_BENEFICIARY_NOT_SUPPORTED',
        ['beneficiary', 'type'],
        'expected REFERENCE, with the id of a beneficiary that POST /api/beneficiaries has registered',
      );
    } else if (fieldsOf(beneficiary['paymentInstruction'])['type'] === 'INLINE') {
      report(
        'INLINE_INSTRUCTION_NOT_SUPPORTED',
        ['beneficiary', 'paymentInstruction', 'type'],
        "expected REFERENCE, with the id of one of the beneficiary's payment instructions",
      );
    }
  },
).openapi('WithdrawalRequest', { description: 'A payment to somebody outside the service.' });

export type WithdrawalRequest = z.output<typeof WithdrawalRequestSchema>;

export const operationStatuses = ['REQUESTED', 'PROCESSING', 'ON_HOLD', 'ACTION_REQUIRED', 'COMPLETED', 'FAILED'] as const;
export const OperationStatusSchema = z.enum(operationStatuses).openapi('OperationStatus', {
  description:
    'Where an operation stands. It goes from REQUESTED by PROCESSING to COMPLETED or FAILED, which are final; ON_HOLD and ACTION_REQUIRED interrupt PROCESSING. FAILED, ON_HOLD and ACTION_REQUIRED have a reason.',
});
export const OperationStateSchema = stateSchema(OperationStatusSchema).openapi('OperationState', {
  description: 'A status of an operation, and when and why it was entered.',
});

const WithdrawalIntentSchema = z
  .object({
    type: z.literal('WITHDRAWAL').describe('Says that money goes out to a beneficiary.'),
    beneficiary: z
      .object({
        id: UuidSchema.describe('Id of the beneficiary: what a withdrawal names.'),
        holder: HolderSchema.describe('Who is paid.'),
        paymentInstruction: WithdrawalInstructionSchema.describe('Where the money goes.'),
      })
      .openapi('WithdrawalBeneficiary', { description: 'Who a withdrawal pays, and where the money goes.' })
      .describe('Who is paid, and where the money goes.'),
  })
  .openapi('WithdrawalIntent', { description: 'What a withdrawal is about.' });

const TransferIntentSchema = z
  .object({
    type: z.literal('TRANSFER').describe('Says that money goes to another account of the same customer.'),
    targetAccount: AccountRefSchema.describe('Where the money arrives: another account of the same customer.'),
  })
  .openapi('TransferIntent', { description: 'What a transfer is about.' });

const SwapIntentSchema = z
  .object({ type: z.literal('SWAP').describe('Says that one asset of the account becomes another.') })
  .openapi('SwapIntent', { description: 'What a swap is about: its amounts say all.' });

const DepositIntentSchema = z
  .object({
    type: z.literal('DEPOSIT').describe('Says that money comes in.'),
    fundingInstruction: FundingInstructionSchema.describe('Where to pay it in.'),
  })
  .openapi('DepositIntent', { description: 'What a deposit is about.' });

/** What operations are to do. */
export const intentTypes = ['WITHDRAWAL', 'TRANSFER', 'SWAP', 'DEPOSIT'] as const;

const IntentSchema = z
  .discriminatedUnion('type', [WithdrawalIntentSchema, TransferIntentSchema, SwapIntentSchema, DepositIntentSchema])
  .openapi('Intent', { description: 'What an operation is to do; `type` tells which of the shapes it is.' });
export type Intent = z.infer<typeof IntentSchema>;

const FeeSourceSchema = z.enum(['FX_SPREAD', 'PLATFORM', 'RAIL', 'PARTNER']).openapi('FeeSource', {
  description: 'Who takes a fee: FX_SPREAD is what the conversion keeps, the others are the service, the payment system and a partner.',
});
const source = FeeSourceSchema.describe('Who takes it.');

const PercentageFeeSchema = z
  .object({
    type: z.literal('PERCENTAGE').describe('Says that the fee is a share of the source amount.'),
    amount: AmountSchema.meta({
      description: 'How much that is, in the source asset.',
      example: { value: '0.50', asset: 'USD', decimals: 2 },
    }),
    source,
    percentage: z
      .string()
      .meta({ description: 'Share of the source amount as a decimal fraction: `0.0050` is half a percent.', example: '0.0050' }),
  })
  .openapi('PercentageFee', { description: 'A fee that grows with the amount. It is within the rate already.' });

const AbsoluteFeeSchema = z
  .object({
    type: z.literal('ABSOLUTE').describe('Says that the fee is the same for every amount.'),
    amount: AmountSchema.describe('How much it is.'),
    source,
  })
  .openapi('AbsoluteFee', { description: 'A fee that is the same for every amount. It is within the rate already.' });

export const FeeSchema = z
  .discriminatedUnion('type', [PercentageFeeSchema, AbsoluteFeeSchema])
  .openapi('Fee', { description: 'What somebody keeps of a conversion; `type` tells how it is computed.' });
export type Fee = z.infer<typeof FeeSchema>;

export const OperationSchema = z
  .object({
    id: UuidSchema.describe('Id of the operation: what GET and its events name it by.'),
    customerId: UuidSchema.describe('The customer who asked for it.'),
    account: AccountRefSchema.describe('The account that it is on: the one that pays, converts, or receives a deposit.'),
    sourceAmount: SourceAmountSchema.describe('What is given: leaves the account, or is to be paid in.'),
    targetAmount: AmountSchema.describe('What arrives for it.'),
    intent: IntentSchema.describe('What the operation is to do.'),
    quote: OperationQuoteSchema.describe('The quote that fixed both amounts.'),
    fees: z.array(FeeSchema).max(20).describe('What is kept of the conversion; empty when nothing is.'),
    transactions: z
      .array(TransactionSchema)
      .max(10)
      .describe('The payments that it consists of, oldest first; empty until it is PROCESSING.'),
    currentState: OperationStateSchema.describe('Its present status: the last of `states`.'),
    states: z.array(OperationStateSchema).max(maxStates).meta({ description: 'All statuses so far, oldest first.' }),
    tags: z.array(TagSchema).max(20).describe('Labels that the account had when the operation was created.'),
    createdAt: TimestampSchema.describe('When the operation was created.'),
    updatedAt: TimestampSchema.describe('When its status changed last.'),
  })
  .openapi('Operation', {
    description:
      'A movement of money: a withdrawal, transfer, swap or deposit, as `intent.type` says. It settles after its creation has been answered.',
  });

export type Operation = z.infer<typeof OperationSchema>;
