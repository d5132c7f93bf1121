import { z } from '@hono/zod-openapi';
import {
  AddressRequestSchema,
  AddressSchema,
  NameSchema,
  TaxIdRequestSchema,
  TaxIdSchema,
  UuidSchema,
  stateSchema,
  withOwnTaxId,
  text,
} from '../shared/common.js';

export const uboStatuses = ['PENDING', 'APPROVED', 'REJECTED'] as const;

const OwnershipSchema = z.number().min(0).max(100).nullish().meta({
  description: 'Share in percent: at least 25 unless the owner is a legal representative, and 100 in sum. Null when not stated.',
  example: 60,
});
const PhoneSchema = text(40).meta({ example: '+55 48 99123-4567' });
const EmailSchema = z.email().max(254).meta({ example: 'marina.lobo@example.com' });

const contactHint = 'The verification waits until both phone and email are there.';

export const UboRequestSchema = withOwnTaxId(
  'PERSON',
  z.object({
    name: NameSchema.meta({ example: 'Marina Lobo' }),
    taxId: TaxIdRequestSchema,
    address: AddressRequestSchema,
    ownershipPercentage: OwnershipSchema,
    phone: PhoneSchema.optional().meta({ description: contactHint }),
    email: EmailSchema.optional().meta({ description: contactHint }),
    isLegalRepresentative: z.boolean().default(false).meta({ description: 'Whether the owner may sign for the company.' }),
  }),
).openapi('UboRequest');

export type UboRequest = z.output<typeof UboRequestSchema>;

export const UboPatchSchema = withOwnTaxId(
  'PERSON',
  z.object({
    name: NameSchema.optional(),
    taxId: TaxIdRequestSchema.optional(),
    address: AddressRequestSchema.optional(),
    ownershipPercentage: OwnershipSchema,
    phone: PhoneSchema.optional(),
    email: EmailSchema.optional(),
    isLegalRepresentative: z.boolean().optional(),
  }),
).openapi('UboPatch', {
  description: 'What to change. A field that is left out stays; null clears ownershipPercentage and nothing else.',
});

export type UboPatch = z.output<typeof UboPatchSchema>;

export const UboSchema = z
  .object({
    id: UuidSchema,
    name: z.string(),
    taxId: TaxIdSchema,
    address: AddressSchema,
    currentState: stateSchema(uboStatuses).openapi('UboState'),
    ownershipPercentage: z.number().nullable().meta({ description: 'Share in percent; null when not stated.', example: 60 }),
  })
  .openapi('Ubo', { description: 'A beneficial owner of a company.' });

export type Ubo = z.infer<typeof UboSchema>;
