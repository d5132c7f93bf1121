import { z } from '@hono/zod-openapi';
import {
  AssetCodeSchema,
  DateSchema,
  NameSchema,
  TimestampSchema,
  UuidSchema,
  orNull,
  reportBirth,
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
    type: z.literal('INDIVIDUAL').describe('The payee is a person.'),
    firstName: NameSchema.meta({ description: 'Given name or names.', example: 'Caio' }),
    lastName: NameSchema.meta({
      description: 'Family name or names. `Rejected`, `Sanctioned` and `Invalid` cause a rejection.',
      example: 'Menezes',
    }),
    taxId: TaxIdRequestSchema.describe('Tax id of the person; a CNPJ is rejected.'),
    dateOfBirth: DateSchema.describe('Date of birth, yyyy-MM-dd; not in the future.'),
    address: AddressRequestSchema.optional().describe('Residential address of the person.'),
  }),
).openapi('IndividualHolderRequest', { description: 'A person who receives payments.' });

const CompanyHolderRequestSchema = withOwnTaxId(
  'COMPANY',
  z.object({
    type: z.literal('COMPANY').describe('The payee is a company.'),
    legalName: NameSchema.meta({
      description: 'Registered name of the company. `Rejected`, `Sanctioned` and `Invalid` cause a rejection.',
      example: 'Porto Sul Logística SA',
    }),
    tradeName: NameSchema.optional().meta({ description: 'Name that the company uses in business.', example: 'Porto Sul' }),
    taxId: TaxIdRequestSchema.describe('Tax id of the company; a CPF is rejected.'),
    address: AddressRequestSchema.optional().describe('Postal address of the company.'),
  }),
).openapi('CompanyHolderRequest', { description: 'A company that receives payments.' });

const relationshipTypes = ['SELF_OWNED', 'THIRD_PARTY'] as const;
export const RelationshipTypeSchema = z.enum(relationshipTypes).openapi('RelationshipType', {
  description: "Owner of the payee's account: the customer (SELF_OWNED) or another party (THIRD_PARTY).",
});

export const BeneficiaryRequestSchema = z
  .object({
    holder: z
      .discriminatedUnion('type', [IndividualHolderRequestSchema, CompanyHolderRequestSchema])
      .openapi('HolderRequest', { description: 'The payee. `type` says whether it is a person or a company.' })
      .describe('Person or company that receives the money.'),
    relationshipType: RelationshipTypeSchema.describe('Whether the payee is the customer or a third party.'),
    paymentInstruction: PaymentInstructionRequestSchema.describe('Destination of the money. It is reviewed together with the holder.'),
  })
  .openapi('BeneficiaryRequest', { description: 'A payee to register, with a first payment instruction.' });

/** Returns the check that dates in a request for a beneficiary are not after `today` (yyyy-MM-dd). */
export function beneficiaryDays(today: string): Check {
  return (raw, report) => {
    const { type } = fieldsOf(fieldsOf(raw)['holder']);
    if (type === 'INDIVIDUAL') reportBirth(raw, ['holder', 'dateOfBirth'], today, report);
  };
}

export type BeneficiaryRequest = z.output<typeof BeneficiaryRequestSchema>;

const IndividualHolderSchema = z
  .object({
    type: z.literal('INDIVIDUAL').describe('The payee is a person.'),
    firstName: z.string().meta({ description: 'Given name or names, as in the request.', example: 'Caio' }),
    lastName: z.string().meta({ description: 'Family name or names, as in the request.', example: 'Menezes' }),
    taxId: TaxIdSchema.describe('Number of the person in their tax register.'),
    dateOfBirth: z.iso.date().meta({ description: 'Date of birth, yyyy-MM-dd.', example: '1991-11-02' }),
    address: orNull(AddressSchema).describe('Residential address of the person; null if unknown.'),
  })
  .openapi('IndividualHolder', { description: 'A payee outside the service who is a person.' });

const CompanyHolderSchema = z
  .object({
    type: z.literal('COMPANY').describe('The payee is a company.'),
    legalName: z.string().meta({ description: 'Registered name of the company, as in the request.', example: 'Porto Sul Logística SA' }),
    tradeName: z.string().nullable().meta({ description: 'Trade name of the company; null if unknown.', example: 'Porto Sul' }),
    taxId: TaxIdSchema.describe('Number of the company in its tax register.'),
    address: orNull(AddressSchema).describe('Address of the company; null if unknown.'),
  })
  .openapi('CompanyHolder', { description: 'A payee outside the service that is a company.' });

export const HolderSchema = z
  .discriminatedUnion('type', [IndividualHolderSchema, CompanyHolderSchema])
  .openapi('Holder', { description: 'The payee. `type` says whether it is a person or a company.' });
export type Holder = z.infer<typeof HolderSchema>;

/** The review statuses of beneficiaries and payment instructions. */
export const reviewStatuses = ['PENDING_REVIEW', 'APPROVED', 'REJECTED'] as const;
export const ReviewStatusSchema = z.enum(reviewStatuses).openapi('ReviewStatus', {
  description: 'Result of the compliance review of a payee or a payment instruction. A withdrawal needs both to be APPROVED.',
});
const ReviewStateSchema = stateSchema(ReviewStatusSchema).openapi('ReviewState', {
  description: 'A status of a compliance review, with its time and reason.',
});

export const PaymentInstructionSchema = z
  .object({
    id: UuidSchema.describe('Id of the payment instruction, for use in withdrawals.'),
    asset: AssetCodeSchema.describe('Asset that the instruction receives. It must be the target asset of the quote.'),
    type: z
      .enum(instructionTypes)
      .openapi('PaymentInstructionType', { description: 'Whether a payment instruction is a PIX key, a bank account or a wallet.' })
      .describe('Type given in the request.'),
    status: ReviewStatusSchema.describe('Result of the review so far: the status of `currentState`.'),
    currentState: ReviewStateSchema.describe('Present status of the review: the last item of `states`.'),
    states: z.array(ReviewStateSchema).max(maxStates).describe('All statuses of the review so far, oldest first.'),
    address: InstructionAddressSchema.describe('Destination of the money.'),
    createdAt: TimestampSchema.describe('Time at which the instruction was added to its beneficiary.'),
  })
  .openapi('PaymentInstruction', { description: 'Where a beneficiary receives money, and the result of its compliance review.' });

export type PaymentInstruction = z.infer<typeof PaymentInstructionSchema>;

export const BeneficiarySchema = z
  .object({
    id: UuidSchema.describe('Id of the beneficiary, for use in withdrawals.'),
    customerId: UuidSchema.describe('The customer who registered the beneficiary.'),
    status: ReviewStatusSchema.describe(
      'Result of the review: APPROVED with the first approved instruction, REJECTED if the only instruction is rejected.',
    ),
    holder: HolderSchema.describe('Person or company that receives the money.'),
    relationshipType: RelationshipTypeSchema.describe('Whether the payee is the customer or a third party.'),
    paymentInstructions: z.array(PaymentInstructionSchema).max(10).describe('All payment instructions of the beneficiary, oldest first.'),
    createdAt: TimestampSchema.describe('Time at which the beneficiary was registered.'),
    updatedAt: TimestampSchema.describe('Time of the last change by a review.'),
  })
  .openapi('Beneficiary', { description: 'A payee outside the service, with their payment instructions.' });

export type Beneficiary = z.infer<typeof BeneficiarySchema>;

export const CreatedBeneficiarySchema = BeneficiarySchema.extend({
  paymentInstruction: PaymentInstructionSchema.describe('The instruction created by this request; `paymentInstructions` contains it too.'),
}).openapi('CreatedBeneficiary', {
  description: 'The response to a registration: the beneficiary, and the payment instruction created with it.',
});
