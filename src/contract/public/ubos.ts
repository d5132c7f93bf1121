import { z } from '@hono/zod-openapi';
import { NameSchema, UuidSchema, stateSchema } from '../shared/common.js';
import { TaxIdRequestSchema, TaxIdSchema, withOwnTaxId } from '../shared/tax-ids.js';
import { expected, text } from '../shared/messages/forms.js';
import { AddressRequestSchema, AddressSchema } from '../shared/address.js';

export const uboStatuses = ['PENDING', 'APPROVED', 'REJECTED'] as const;
const UboStatusSchema = z.enum(uboStatuses).openapi('UboStatus', {
  description:
    'Where the verification of a beneficial owner stands: PENDING until the review of the account reaches it, then APPROVED or REJECTED. A rejected owner rejects the account.',
});

/** How many beneficial owners an account has at most. */
export const maxUbos = 100;

const aShare = 'expected a number from 0 to 100';
const OwnershipSchema = z.number({ error: aShare }).min(0, { error: aShare }).max(100, { error: aShare }).nullish().meta({
  description:
    'Share of the company in percent: at least 25 unless the owner is a legal representative, and at most 100 with all other owners. Null or left out when not stated.',
  example: 60,
});
const PhoneSchema = text(40).meta({
  description: 'Telephone number of the owner. The verification waits until both phone and email are there.',
  example: '+55 48 99123-4567',
});
const EmailSchema = z
  .email({ error: expected('an e-mail address', 'marina.lobo@example.com') })
  .max(254)
  .meta({
    description: 'E-mail address of the owner. The verification waits until both phone and email are there.',
    example: 'marina.lobo@example.com',
  });
const FullNameSchema = NameSchema.meta({ description: 'Full name, as in the identity document.', example: 'Marina Lobo' });
const OwnTaxIdSchema = TaxIdRequestSchema.describe('Tax id of the owner as a person: no CNPJ. One account has each tax id once.');
const OwnAddressSchema = AddressRequestSchema.describe('Where the owner lives.');
const representative = 'Whether the owner may sign for the company. Such an owner may hold less than 25 percent.';

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
  description:
    'What to change of a beneficial owner. A field that is left out stays as it is; null clears ownershipPercentage and nothing else.',
});

export type UboPatch = z.output<typeof UboPatchSchema>;

export const UboSchema = z
  .object({
    id: UuidSchema.describe('Id of the beneficial owner.'),
    name: z.string().meta({ description: 'Full name, as it was given.', example: 'Marina Lobo' }),
    taxId: TaxIdSchema.describe('Tax id of the owner as a person.'),
    address: AddressSchema.describe('Where the owner lives.'),
    currentState: stateSchema(UboStatusSchema)
      .openapi('UboState', { description: 'A status of a beneficial owner, and when and why it was entered.' })
      .describe('Where the verification of the owner stands.'),
    ownershipPercentage: z.number().nullable().meta({ description: 'Share of the company in percent; null when not stated.', example: 60 }),
  })
  .openapi('Ubo', { description: 'A beneficial owner of a company: a person who holds a part of it, or signs for it.' });

export type Ubo = z.infer<typeof UboSchema>;
