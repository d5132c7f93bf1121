import { z } from '@hono/zod-openapi';
import {
  AddressRequestSchema,
  AddressSchema,
  AssetCodeSchema,
  DateSchema,
  NameSchema,
  ReasonSchema,
  TagSchema,
  TaxIdRequestSchema,
  TaxIdSchema,
  TimestampSchema,
  UuidSchema,
  assetCodes,
  orNull,
  reportFuture,
  stateSchema,
  withOwnTaxId,
} from '../shared/common.js';
import { elementsOf, fieldsOf, rule, type Check } from '../shared/rule.js';
import { UboSchema } from './ubos.js';

export const industries = [
  'ACCOUNTING',
  'ADVERTISING__MARKETING',
  'AEROSPACE__DEFENSE',
  'AGRICULTURE__FORESTRY',
  'AMUSEMENT_AND_RECREATION',
  'AUTOMOTIVE',
  'CONSTRUCTION__CARPENTRY__LANDSCAPING',
  'CUSTOMER_SERVICE_AND_SUPPORT',
  'EDUCATION',
  'ENERGY',
  'ENGINEERING',
  'FINANCIAL_SERVICES',
  'HEALTHCARE__MEDICAL_SERVICES',
  'HOTEL__HOSPITALITY',
  'INFORMATION_TECHNOLOGY',
  'MANUFACTURING',
  'MEDIA__ENTERTAINMENT',
  'MINING_OIL_AND_GAS',
  'NON_PROFIT__NGO__CHARITY',
  'PHARMACEUTICALS',
  'PRINTING__PUBLISHING',
  'REAL_ESTATE',
  'RESTAURANT__FOOD_SERVICE',
  'RETAIL_SALES__RETAIL_TRADE',
  'SECURITY',
  'TRANSPORTATION',
  'TRAVEL',
  'UTILITIES',
  'WHOLESALE',
  'OTHERS',
] as const;

const IndustrySchema = z.enum(industries).openapi('Industry', { example: 'INFORMATION_TECHNOLOGY' });

const CompanyRequestSchema = withOwnTaxId(
  'COMPANY',
  z.object({
    type: z.literal('COMPANY'),
    legalName: NameSchema.meta({ example: 'Aurora Comércio Exterior Ltda' }),
    taxId: TaxIdRequestSchema,
    industry: IndustrySchema,
    incorporateDate: DateSchema.optional().meta({ example: '2014-03-10' }),
    address: AddressRequestSchema,
  }),
).openapi('CompanyOwnerRequest');

const IndividualRequestSchema = withOwnTaxId(
  'PERSON',
  z.object({
    type: z.literal('INDIVIDUAL'),
    firstName: NameSchema.meta({ example: 'Helena' }),
    lastName: NameSchema.meta({ example: 'Prado' }),
    taxId: TaxIdRequestSchema,
    birthDate: DateSchema.optional(),
    address: AddressRequestSchema,
  }),
).openapi('IndividualOwnerRequest');

const AssetRequestSchema = z
  .object({
    code: AssetCodeSchema,
    isVirtual: z.boolean().default(false).meta({ description: 'Whether virtual accounts may be opened for this asset.' }),
  })
  .openapi('AccountAssetRequest');

export const AccountRequestSchema = z
  .object({
    assets: rule(z.array(AssetRequestSchema).min(1).max(assetCodes.length), (assets, report) => {
      const seen = new Set<unknown>();
      for (const [index, asset] of elementsOf(assets, assetCodes.length).entries()) {
        const { code } = fieldsOf(asset);
        if (!AssetCodeSchema.safeParse(code).success) continue;
        if (seen.has(code)) {
          report('DUPLICATE_ENTRY', [index, 'code'], `${String(code)} is listed twice; each asset may appear once.`, { duplicate: code });
        }
        seen.add(code);
      }
    }),
    owner: z
      .discriminatedUnion('type', [CompanyRequestSchema, IndividualRequestSchema])
      .openapi('OwnerRequest', { description: 'Who the account belongs to.' }),
  })
  .openapi('AccountRequest');

/** What else is wrong with a request for an account on the day `today`, yyyy-MM-dd. */
export function accountDays(today: string): Check {
  return (raw, report) => {
    const { type } = fieldsOf(fieldsOf(raw)['owner']);
    if (type === 'COMPANY') reportFuture(raw, ['owner', 'incorporateDate'], today, report);
    if (type === 'INDIVIDUAL') reportFuture(raw, ['owner', 'birthDate'], today, report);
  };
}

export type AccountRequest = z.output<typeof AccountRequestSchema>;

const CompanySchema = z
  .object({
    type: z.literal('COMPANY'),
    legalName: z.string().meta({ example: 'Aurora Comércio Exterior Ltda' }),
    taxId: TaxIdSchema,
    industry: IndustrySchema,
    incorporateDate: z.string().nullable().meta({ example: '2014-03-10' }),
    address: AddressSchema,
    ubos: z.array(UboSchema),
  })
  .openapi('CompanyOwner');

const IndividualSchema = z
  .object({
    type: z.literal('INDIVIDUAL'),
    firstName: z.string().meta({ example: 'Helena' }),
    lastName: z.string().meta({ example: 'Prado' }),
    taxId: TaxIdSchema,
    birthDate: z.string().nullable().meta({ example: '1986-04-17' }),
    address: AddressSchema,
  })
  .openapi('IndividualOwner');

export const documentTypes = [
  'ARTICLES_OF_ASSOCIATION',
  'SIGNING_AUTHORITY_PROOF',
  'PJ_PARTNER_DOCUMENTS',
  'PJ_PARTNER_FINANCIAL_STATEMENT',
  'ORGANIZATIONAL_CHART',
  'FINANCIAL_STATEMENT',
  'ID_CARD',
  'DRIVER_LICENSE',
  'PASSPORT',
  'RESIDENCE_PERMIT',
  'PROOF_OF_ADDRESS',
  'AML_POLICY',
  'KYC_FORM',
  'BAAS_ADHESION_FORM',
  'POWER_OF_ATTORNEY',
  'EVIDENCE_OF_SOURCE_OF_FUNDS',
  'EVIDENCE_OF_SOURCE_OF_WEALTH',
  'PROOF_OF_BUSINESS_ACTIVITY',
  'PROOF_OF_REGULATORY_LICENSE',
  'WOLFSBERG_QUESTIONNAIRE',
  'OTHER',
] as const;

export const DocumentTypeSchema = z.enum(documentTypes).openapi('DocumentType');
export type DocumentType = z.infer<typeof DocumentTypeSchema>;

export const documentSubTypes = ['FRONT_SIDE', 'BACK_SIDE'] as const;

export const RequirementSchema = z
  .object({
    type: z.enum(['DOCUMENT', 'DOCUMENT_GROUP', 'INFORMATION']),
    documentType: orNull(DocumentTypeSchema),
    documentSubType: orNull(z.enum(documentSubTypes)),
    group: orNull(z.literal('IDENTITY_VERIFICATION')),
    options: z.array(DocumentTypeSchema).nullable().meta({ description: 'The documents that fulfil a group, one of which is enough.' }),
    uboId: orNull(UuidSchema).meta({ description: 'The beneficial owner concerned; null when it is the account itself.' }),
    requiredMetadata: z.array(z.string()).meta({ description: 'Names of the facts that have to come along.' }),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    reason: orNull(ReasonSchema),
  })
  .openapi('Requirement', { description: 'Something that the verification of an account needs.' });

export type Requirement = z.infer<typeof RequirementSchema>;

export const RequirementsSchema = z
  .object({
    currentlyDue: z.array(RequirementSchema),
    pendingVerification: z.array(RequirementSchema),
    errors: z.array(RequirementSchema),
    satisfied: z.array(RequirementSchema),
  })
  .openapi('Requirements');

export type Requirements = z.infer<typeof RequirementsSchema>;

export const accountStatuses = ['ACTION_REQUIRED', 'REVIEWING', 'OPENING', 'ACTIVE', 'REJECTED', 'CLOSED'] as const;
export const accountAssetStatuses = ['ONBOARDING', 'ACTIVE', 'FAILED', 'FROZEN', 'DEACTIVATED'] as const;

export const AccountStateSchema = stateSchema(accountStatuses).openapi('AccountState');

export const AccountAssetSchema = z
  .object({ asset: AssetCodeSchema, allowsVirtualAccounts: z.boolean(), status: z.enum(accountAssetStatuses) })
  .openapi('AccountAsset');

export const AccountSchema = z
  .object({
    id: UuidSchema,
    customer: z.object({ id: UuidSchema }),
    owner: z.discriminatedUnion('type', [CompanySchema, IndividualSchema]).openapi('Owner'),
    assets: z.array(AccountAssetSchema),
    requirements: RequirementsSchema,
    tags: z.array(TagSchema),
    currentState: AccountStateSchema,
    states: z.array(AccountStateSchema),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
    sourceAccountId: orNull(UuidSchema).meta({ description: 'Parent account; null for an account with a name of its own.' }),
  })
  .openapi('Account');

export type Account = z.infer<typeof AccountSchema>;
