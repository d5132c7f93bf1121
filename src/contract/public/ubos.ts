import { z } from '@hono/zod-openapi';
import { NameSchema, UuidSchema, stateSchema } from '../shared/common.js';
import { TaxIdRequestSchema, TaxIdSchema, withOwnTaxId } from '../shared/tax-ids.js';
import { expected, text } from '../shared/messages/forms.js';
import { AddressRequestSchema, AddressSchema } from '../shared/address.js';

export const uboStatuses = ['PENDING', 'APPROVED', 'REJECTED'] as const;
const UboStatusSchema = z.enum(uboStatuses).openapi('UboStatus', {
  description:
    'Status of the verification of a beneficial owner: PENDING until the review of the account, then APPROVED or REJECTED. If an owner is rejected, the account is rejected too.',
});

/** Maximum number of beneficial owners of an account. */
export const maxUbos = 100;

const aShare = 'expected a number from 0 to 100';
const OwnershipSchema = z.number({ error: aShare }).min(0, { error: aShare }).max(100, { error: aShare }).nullish().meta({
  description:
    'Share of the company in percent: at least 25 unless the owner is a legal representative, and at most 100 together with all other owners. Null or absent if unknown.',
  example: 60,
});
const PhoneSchema = text(40).meta({
  description: 'Telephone number of the owner. The verification waits until the owner has both phone and email.',
  example: '+55 48 99123-4567',
});
const EmailSchema = z
  .email({ error: expected('an e-mail address', 'marina.lobo@example.com') })
  .max(254)
  .meta({
    description: 'E-mail address of the owner. The verification waits until the owner has both phone and email.',
    example: 'marina.lobo@example.com',
  });
const FullNameSchema = NameSchema.meta({ description: 'Full name, as in the identity document.', example: 'Marina Lobo' });
const OwnTaxIdSchema = TaxIdRequestSchema.describe(
  'Personal tax id of the owner; a CNPJ is rejected. It must be unique within the account.',
);
const OwnAddressSchema = AddressRequestSchema.describe('Residential address of the owner.');
const representative = 'Whether the owner is a legal representative, who signs for the company and may hold less than 25 percent.';

export const UboRequestSchema = withOwnTaxId(
  'PERSON',
  z.object({
    name: FullNameSchema,
    taxId: OwnTaxIdSchema,
    address: OwnAddressSchema,
    ownershipPercentage: OwnershipSchema,
    phone: PhoneSchema.optional(),
    email: EmailSchema.optional(),
    isLegalRepresentative: z.boolean().default(false).describe(representative),
  }),
).openapi('UboRequest', { description: 'A beneficial owner to add to a company account.' });

export type UboRequest = z.output<typeof UboRequestSchema>;

export const UboPatchSchema = withOwnTaxId(
  'PERSON',
  z.object({
    name: FullNameSchema.optional(),
    taxId: OwnTaxIdSchema.optional(),
    address: OwnAddressSchema.optional(),
    ownershipPercentage: OwnershipSchema,
    phone: PhoneSchema.optional(),
    email: EmailSchema.optional(),
    isLegalRepresentative: z.boolean().optional().describe(representative),
  }),
).openapi('UboPatch', {
  description: 'Changes to a beneficial owner. Absent fields do not change. Only ownershipPercentage can be cleared with null.',
});

export type UboPatch = z.output<typeof UboPatchSchema>;

export const UboSchema = z
  .object({
    id: UuidSchema.describe('Id of the beneficial owner.'),
    name: z.string().meta({ description: 'Full name, as in the request.', example: 'Marina Lobo' }),
    taxId: TaxIdSchema.describe('Personal tax id of the owner.'),
    address: AddressSchema.describe('Residential address of the owner.'),
    currentState: stateSchema(UboStatusSchema)
      .openapi('UboState', { description: 'A status of a beneficial owner, with its time and reason.' })
      .describe('Status of the verification of the owner.'),
    ownershipPercentage: z.number().nullable().meta({ description: 'Share of the company in percent; null if unknown.', example: 60 }),
  })
  .openapi('Ubo', { description: 'A beneficial owner of a company: a person who owns a part of it or signs for it.' });

export type Ubo = z.infer<typeof UboSchema>;
