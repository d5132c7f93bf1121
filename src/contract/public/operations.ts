import { z } from '@hono/zod-openapi';
import {
  AccountRefSchema,
  AmountSchema,
  DecimalSchema,
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

const reference = z
  .literal('REFERENCE')
  .describe('Refers to a saved beneficiary or payment instruction by its id. INLINE, which would contain a new one, is rejected.');

const ReferencedInstructionSchema = z
  .object({ type: reference, id: UuidSchema.describe('Id of the payment instruction, which must be APPROVED.') })
  .openapi('PaymentInstructionReference', { description: 'Reference to a saved payment instruction of the beneficiary.' });

const ReferencedBeneficiarySchema = z
  .object({
    type: reference,
    id: UuidSchema.describe('Id of the beneficiary, who must be APPROVED.'),
    paymentInstruction: ReferencedInstructionSchema.describe(
      'Payment instruction to use. Its asset must be the target asset of the quote.',
    ),
  })
  .openapi('BeneficiaryReference', {
    description: 'Reference to a saved beneficiary and one of its payment instructions. Inline beneficiaries are rejected.',
  });

export const WithdrawalRequestSchema = rule(
  z.object({
    accountId: UuidSchema.describe('The account that pays. It must be the account of the quote.'),
    quoteId: UuidSchema.describe(
      'The quote to use. Its source amount is debited from the account, and the beneficiary receives its target amount.',
    ),
    beneficiary: ReferencedBeneficiarySchema.describe('The beneficiary and the payment instruction to use.'),
  }),
  (raw, report) => {
    const beneficiary = fieldsOf(fieldsOf(raw)['beneficiary']);
    if (beneficiary['type'] === 'INLINE') {
      report(
        'INLINE_BENEFICIARY_NOT_SUPPORTED',
        ['beneficiary', 'type'],
        'expected REFERENCE, with the id of a beneficiary registered by POST /api/beneficiaries',
      );
    } else if (fieldsOf(beneficiary['paymentInstruction'])['type'] === 'INLINE') {
      report(
        'INLINE_INSTRUCTION_NOT_SUPPORTED',
        ['beneficiary', 'paymentInstruction', 'type'],
        'expected REFERENCE, with the id of a payment instruction of the beneficiary',
      );
    }
  },
).openapi('WithdrawalRequest', { description: 'A payment to a beneficiary outside the service.' });

export type WithdrawalRequest = z.output<typeof WithdrawalRequestSchema>;

export const operationStatuses = ['REQUESTED', 'PROCESSING', 'ON_HOLD', 'ACTION_REQUIRED', 'COMPLETED', 'FAILED'] as const;
export const OperationStatusSchema = z.enum(operationStatuses).openapi('OperationStatus', {
  description:
    'Status of an operation. It moves from REQUESTED through PROCESSING to COMPLETED or FAILED, which are final. ON_HOLD and ACTION_REQUIRED interrupt PROCESSING. FAILED, ON_HOLD and ACTION_REQUIRED have a reason.',
});
export const OperationStateSchema = stateSchema(OperationStatusSchema).openapi('OperationState', {
  description: 'A status of an operation, with its time and reason.',
});

const WithdrawalIntentSchema = z
  .object({
    type: z.literal('WITHDRAWAL').describe('The operation pays a beneficiary.'),
    beneficiary: z
      .object({
        id: UuidSchema.describe('Id of the saved beneficiary.'),
        holder: HolderSchema.describe('Person or company that receives the money.'),
        paymentInstruction: WithdrawalInstructionSchema.describe('Destination of the money.'),
      })
      .openapi('WithdrawalBeneficiary', { description: 'The payee of a withdrawal, and the destination of the money.' })
      .describe('The payee and the destination of the money.'),
  })
  .openapi('WithdrawalIntent', { description: 'Marks a withdrawal, with the payee.' });

const TransferIntentSchema = z
  .object({
    type: z.literal('TRANSFER').describe('The operation pays another account of the same customer.'),
    targetAccount: AccountRefSchema.describe('The account that receives the money. It belongs to the same customer.'),
  })
  .openapi('TransferIntent', { description: 'Marks a transfer, with the receiving account.' });

const SwapIntentSchema = z
  .object({ type: z.literal('SWAP').describe('The operation converts one asset of the account to another.') })
  .openapi('SwapIntent', { description: 'The purpose of a swap. Its amounts define the rest.' });

const DepositIntentSchema = z
  .object({
    type: z.literal('DEPOSIT').describe('The operation receives money.'),
    fundingInstruction: FundingInstructionSchema.describe('How to pay the money in.'),
  })
  .openapi('DepositIntent', { description: 'Marks a deposit, with the way to pay the money in.' });

/** The types of operations. */
export const intentTypes = ['WITHDRAWAL', 'TRANSFER', 'SWAP', 'DEPOSIT'] as const;

const IntentSchema = z
  .discriminatedUnion('type', [WithdrawalIntentSchema, TransferIntentSchema, SwapIntentSchema, DepositIntentSchema])
  .openapi('Intent', { description: 'The purpose of an operation. `type` selects the variant.' });
export type Intent = z.infer<typeof IntentSchema>;

const FeeSourceSchema = z.enum(['FX_SPREAD', 'PLATFORM', 'RAIL', 'PARTNER']).openapi('FeeSource', {
  description:
    'The receiver of a fee: the conversion (FX_SPREAD), the service (PLATFORM), the payment system (RAIL) or a partner (PARTNER).',
});
const source = FeeSourceSchema.describe('Receiver of the fee.');

const PercentageFeeSchema = z
  .object({
    type: z.literal('PERCENTAGE').describe('The fee is a share of the source amount.'),
    amount: AmountSchema.meta({
      description: 'Amount of the fee, in the source asset.',
      example: { value: '0.50', asset: 'USD', decimals: 2 },
    }),
    source,
    percentage: DecimalSchema.meta({
      description: 'Share of the source amount as a decimal fraction: `0.0050` is half a percent.',
      example: '0.0050',
    }),
  })
  .openapi('PercentageFee', { description: 'A fee in proportion to the amount. The rate already includes it.' });

const AbsoluteFeeSchema = z
  .object({
    type: z.literal('ABSOLUTE').describe('The fee is the same for every amount.'),
    amount: AmountSchema.describe('Amount charged as a fee.'),
    source,
  })
  .openapi('AbsoluteFee', { description: 'A fee that is the same for every amount. The rate already includes it.' });

export const FeeSchema = z
  .discriminatedUnion('type', [PercentageFeeSchema, AbsoluteFeeSchema])
  .openapi('Fee', { description: 'A fee of a conversion. `type` selects the variant.' });
export type Fee = z.infer<typeof FeeSchema>;

export const OperationSchema = z
  .object({
    id: UuidSchema.describe('Id of the operation. GET requests and events use it.'),
    customerId: UuidSchema.describe('The customer who created the operation.'),
    account: AccountRefSchema.describe('The account of the operation: the one that pays, converts, or receives a deposit.'),
    sourceAmount: SourceAmountSchema.describe('The amount that leaves the account, or that is to be paid in.'),
    targetAmount: AmountSchema.describe('The amount that the receiver gets.'),
    intent: IntentSchema.describe('The purpose of the operation.'),
    quote: OperationQuoteSchema.describe('The quote that fixed both amounts.'),
    fees: z.array(FeeSchema).max(20).describe('Fees of the conversion; empty if there are none.'),
    transactions: z.array(TransactionSchema).max(10).describe('The payments of the operation, oldest first; empty until it is PROCESSING.'),
    currentState: OperationStateSchema.describe('Present status: the last item of `states`.'),
    states: z.array(OperationStateSchema).max(maxStates).meta({ description: 'All statuses so far, oldest first.' }),
    tags: z.array(TagSchema).max(20).describe('Labels of the account at the time when the operation was created.'),
    createdAt: TimestampSchema.describe('Time at which the operation was created.'),
    updatedAt: TimestampSchema.describe('Time of the last status change.'),
  })
  .openapi('Operation', {
    description:
      'A movement of money: a withdrawal, transfer, swap or deposit (`intent.type`). It settles after the response to its creation.',
  });

export type Operation = z.infer<typeof OperationSchema>;
