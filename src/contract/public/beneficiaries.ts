import { z } from '@hono/zod-openapi';
import {
  AssetCodeSchema,
  DateSchema,
  NameSchema,
  TimestampSchema,
  UuidSchema,
  orNull,
  reportFuture,
  stateSchema,
  maxStates,
} from '../shared/common.js';
import { TaxIdRequestSchema, TaxIdSchema, withOwnTaxId } from '../shared/tax-ids.js';
import { AddressRequestSchema, AddressSchema } from '../shared/address.js';
import { InstructionAddressSchema } from '../shared/instruction-address.js';
import { PaymentInstructionRequestSchema, instructionTypes } from '../shared/payment-instructions.js';
import { fieldsOf, type Check } from '../shared/rule.js';

const IndividualHolderRequestSchema = withOwnTaxId(
  'PERSON',
  z.object({
    type: z.literal('INDIVIDUAL').describe('Says that the payee is a person.'),
    firstName: NameSchema.meta({ description: 'Given name, or names.', example: 'Caio' }),
    lastName: NameSchema.meta({
      description: 'Family name, or names. `Rejected`, `Sanctioned` and `Invalid` provoke a rejection.',
      example: 'Menezes',
    }),
    taxId: TaxIdRequestSchema.describe('Tax id of the person; a CNPJ is refused.'),
    dateOfBirth: DateSchema.describe('Day of birth, yyyy-MM-dd; not in the future.'),
    address: AddressRequestSchema.optional().describe('Where the person lives.'),
  }),
).openapi('IndividualHolderRequest', { description: 'A person who is to be paid.' });

const CompanyHolderRequestSchema = withOwnTaxId(
  'COMPANY',
  z.object({
    type: z.literal('COMPANY').describe('Says that the payee is a company.'),
    legalName: NameSchema.meta({
      description: 'Name of the company in its register. `Rejected`, `Sanctioned` and `Invalid` provoke a rejection.',
      example: 'Porto Sul Logística SA',
    }),
    tradeName: NameSchema.optional().meta({ description: 'Name that the company does business under.', example: 'Porto Sul' }),
    taxId: TaxIdRequestSchema.describe('Tax id of the company; a CPF is refused.'),
    address: AddressRequestSchema.optional().describe('Seat of the company.'),
  }),
).openapi('CompanyHolderRequest', { description: 'A company that is to be paid.' });

const relationshipTypes = ['SELF_OWNED', 'THIRD_PARTY'] as const;
export const RelationshipTypeSchema = z.enum(relationshipTypes).openapi('RelationshipType', {
  description: "Whose the payee's account is: SELF_OWNED the customer's own, THIRD_PARTY somebody else's.",
});

export const BeneficiaryRequestSchema = z
  .object({
    holder: z
      .discriminatedUnion('type', [IndividualHolderRequestSchema, CompanyHolderRequestSchema])
      .openapi('HolderRequest', { description: 'Who is to be paid: a person or a company, as `type` says.' })
      .describe('Who is to be paid.'),
    relationshipType: RelationshipTypeSchema.describe('Whether the money goes to the customer or to somebody else.'),
    paymentInstruction: PaymentInstructionRequestSchema.describe('Where the money is to go; it is reviewed together with the holder.'),
  })
  .openapi('BeneficiaryRequest', { description: 'A payee to register, with the first way to pay them.' });

/** What else is wrong with a request for a beneficiary on the day `today`, yyyy-MM-dd. */
export function beneficiaryDays(today: string): Check {
  return (raw, report) => {
    const { type } = fieldsOf(fieldsOf(raw)['holder']);
    if (type === 'INDIVIDUAL') reportFuture(raw, ['holder', 'dateOfBirth'], today, report);
  };
}

export type BeneficiaryRequest = z.output<typeof BeneficiaryRequestSchema>;

const IndividualHolderSchema = z
  .object({
    type: z.literal('INDIVIDUAL').describe('Says that the payee is a person.'),
    firstName: z.string().meta({ description: 'Given name, or names, as they were given.', example: 'Caio' }),
    lastName: z.string().meta({ description: 'Family name, or names, as they were given.', example: 'Menezes' }),
    taxId: TaxIdSchema.describe('Number of the person in their tax register.'),
    dateOfBirth: z.iso.date().meta({ description: 'Day of birth, yyyy-MM-dd.', example: '1991-11-02' }),
    address: orNull(AddressSchema).describe('Where the person lives; null when not stated.'),
  })
  .openapi('IndividualHolder', { description: 'A person outside the service who is paid.' });

const CompanyHolderSchema = z
  .object({
    type: z.literal('COMPANY').describe('Says that the payee is a company.'),
    legalName: z.string().meta({ description: 'Name of the company in its register, as it was given.', example: 'Porto Sul Logística SA' }),
    tradeName: z
      .string()
      .nullable()
      .meta({ description: 'Name that the company does business under; null when not stated.', example: 'Porto Sul' }),
    taxId: TaxIdSchema.describe('Number of the company in its tax register.'),
    address: orNull(AddressSchema).describe('Seat of the company; null when not stated.'),
  })
  .openapi('CompanyHolder', { description: 'A company outside the service that is paid.' });

export const HolderSchema = z
  .discriminatedUnion('type', [IndividualHolderSchema, CompanyHolderSchema])
  .openapi('Holder', { description: 'Who is paid: a person or a company, as `type` says.' });
export type Holder = z.infer<typeof HolderSchema>;

/** The review statuses that a beneficiary and its payment instructions share. */
export const reviewStatuses = ['PENDING_REVIEW', 'APPROVED', 'REJECTED'] as const;
export const ReviewStatusSchema = z.enum(reviewStatuses).openapi('ReviewStatus', {
  description: 'What the compliance review of a payee or of a way to pay them has said; a withdrawal needs both APPROVED.',
});
const ReviewStateSchema = stateSchema(ReviewStatusSchema).openapi('ReviewState', {
  description: 'A status of a compliance review, and when and why it was entered.',
});

export const PaymentInstructionSchema = z
  .object({
    id: UuidSchema.describe('Id of the payment instruction: what a withdrawal refers to.'),
    asset: AssetCodeSchema.describe('What it receives; the target asset of a quote that pays by it.'),
    type: z
      .enum(instructionTypes)
      .openapi('PaymentInstructionType', { description: 'Kind of payment instruction, as its request said.' })
      .describe('Whether money goes to a PIX key, a bank account or a wallet.'),
    status: ReviewStatusSchema.describe('What the review has said so far: the status of `currentState`.'),
    currentState: ReviewStateSchema.describe('The present state of the review: the last of `states`.'),
    states: z.array(ReviewStateSchema).max(maxStates).describe('All statuses of the review so far, oldest first.'),
    address: InstructionAddressSchema.describe('Where the money goes.'),
    createdAt: TimestampSchema.describe('When the instruction was added to its beneficiary.'),
  })
  .openapi('PaymentInstruction', { description: 'Where a beneficiary receives money, and what the compliance review says of it.' });

export type PaymentInstruction = z.infer<typeof PaymentInstructionSchema>;

export const BeneficiarySchema = z
  .object({
    id: UuidSchema.describe('Id of the beneficiary: what a withdrawal names.'),
    customerId: UuidSchema.describe('The customer who registered the beneficiary.'),
    status: ReviewStatusSchema.describe(
      'What the review has said of the beneficiary: APPROVED with the first approved instruction, REJECTED when the only one is rejected.',
    ),
    holder: HolderSchema.describe('Who is paid.'),
    relationshipType: RelationshipTypeSchema.describe('Whether the money goes to the customer or to somebody else.'),
    paymentInstructions: z.array(PaymentInstructionSchema).max(10).describe('All ways to pay the beneficiary, oldest first.'),
    createdAt: TimestampSchema.describe('When the beneficiary was registered.'),
    updatedAt: TimestampSchema.describe('When a review changed anything last.'),
  })
  .openapi('Beneficiary', { description: 'A payee outside the service, with the ways to pay them.' });

export type Beneficiary = z.infer<typeof BeneficiarySchema>;

export const CreatedBeneficiarySchema = BeneficiarySchema.extend({
  paymentInstruction: PaymentInstructionSchema.describe('The instruction that this request created; `paymentInstructions` has it too.'),
}).openapi('CreatedBeneficiary', { description: 'A beneficiary as its registration answers it: with the instruction that came along.' });
