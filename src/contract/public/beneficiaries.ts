import { z } from '@hono/zod-openapi';
import {
  AddressRequestSchema,
  AddressSchema,
  AssetCodeSchema,
  DateSchema,
  NameSchema,
  TaxIdRequestSchema,
  TaxIdSchema,
  TimestampSchema,
  UuidSchema,
  orNull,
  reportFuture,
  stateSchema,
  withOwnTaxId,
} from '../shared/common.js';
import { InstructionAddressSchema, PaymentInstructionRequestSchema, instructionTypes } from '../shared/payment-instructions.js';
import { fieldsOf, type Check } from '../shared/rule.js';

const IndividualHolderRequestSchema = withOwnTaxId(
  'PERSON',
  z.object({
    type: z.literal('INDIVIDUAL'),
    firstName: NameSchema.meta({ example: 'Caio' }),
    lastName: NameSchema.meta({ example: 'Menezes' }),
    taxId: TaxIdRequestSchema,
    dateOfBirth: DateSchema,
    address: AddressRequestSchema.optional(),
  }),
).openapi('IndividualHolderRequest');

const CompanyHolderRequestSchema = withOwnTaxId(
  'COMPANY',
  z.object({
    type: z.literal('COMPANY'),
    legalName: NameSchema.meta({ example: 'Porto Sul Logística SA' }),
    tradeName: NameSchema.optional().meta({ example: 'Porto Sul' }),
    taxId: TaxIdRequestSchema,
    address: AddressRequestSchema.optional(),
  }),
).openapi('CompanyHolderRequest');

export const relationshipTypes = ['SELF_OWNED', 'THIRD_PARTY'] as const;
const RelationshipTypeSchema = z
  .enum(relationshipTypes)
  .openapi('RelationshipType', { description: "Whether the payee's account belongs to the customer." });

export const BeneficiaryRequestSchema = z
  .object({
    holder: z.discriminatedUnion('type', [IndividualHolderRequestSchema, CompanyHolderRequestSchema]).openapi('HolderRequest'),
    relationshipType: RelationshipTypeSchema,
    paymentInstruction: PaymentInstructionRequestSchema,
  })
  .openapi('BeneficiaryRequest');

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
    type: z.literal('INDIVIDUAL'),
    firstName: z.string().meta({ example: 'Caio' }),
    lastName: z.string().meta({ example: 'Menezes' }),
    taxId: TaxIdSchema,
    dateOfBirth: z.string().meta({ example: '1991-11-02' }),
    address: orNull(AddressSchema),
  })
  .openapi('IndividualHolder');

const CompanyHolderSchema = z
  .object({
    type: z.literal('COMPANY'),
    legalName: z.string().meta({ example: 'Porto Sul Logística SA' }),
    tradeName: z.string().nullable().meta({ example: 'Porto Sul' }),
    taxId: TaxIdSchema,
    address: orNull(AddressSchema),
  })
  .openapi('CompanyHolder');

export const HolderSchema = z.discriminatedUnion('type', [IndividualHolderSchema, CompanyHolderSchema]).openapi('Holder');
export type Holder = z.infer<typeof HolderSchema>;

/** The review statuses that a beneficiary and its payment instructions share. */
export const reviewStatuses = ['PENDING_REVIEW', 'APPROVED', 'REJECTED'] as const;
const ReviewStateSchema = stateSchema(reviewStatuses).openapi('ReviewState');

export const PaymentInstructionSchema = z
  .object({
    id: UuidSchema,
    asset: AssetCodeSchema,
    type: z.enum(instructionTypes),
    status: z.enum(reviewStatuses),
    currentState: ReviewStateSchema,
    states: z.array(ReviewStateSchema),
    address: InstructionAddressSchema,
    createdAt: TimestampSchema,
  })
  .openapi('PaymentInstruction', { description: 'Where a beneficiary receives money, and what the compliance review says of it.' });

export type PaymentInstruction = z.infer<typeof PaymentInstructionSchema>;

export const BeneficiarySchema = z
  .object({
    id: UuidSchema,
    customerId: UuidSchema,
    status: z.enum(reviewStatuses),
    holder: HolderSchema,
    relationshipType: RelationshipTypeSchema,
    paymentInstructions: z.array(PaymentInstructionSchema),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  })
  .openapi('Beneficiary');

export type Beneficiary = z.infer<typeof BeneficiarySchema>;

export const CreatedBeneficiarySchema = BeneficiarySchema.extend({
  paymentInstruction: PaymentInstructionSchema.meta({ description: 'The instruction that this request created.' }),
}).openapi('CreatedBeneficiary');
