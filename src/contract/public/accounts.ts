import { z } from '@hono/zod-openapi';
import {
  AssetCodeSchema,
  DateSchema,
  NameSchema,
  ReasonSchema,
  TagSchema,
  TimestampSchema,
  UuidSchema,
  assetCodes,
  orNull,
  reportBirth,
  reportFuture,
  stateSchema,
  maxStates,
} from '../shared/common.js';
import { TaxIdRequestSchema, TaxIdSchema, withOwnTaxId } from '../shared/tax-ids.js';
import { AddressRequestSchema, AddressSchema } from '../shared/address.js';
import { elementsOf, fieldsOf, rule, type Check } from '../shared/rule.js';
import { IndustrySchema } from './industries.js';
import { UboSchema, maxUbos } from './ubos.js';

const CompanyRequestSchema = withOwnTaxId(
  'COMPANY',
  z.object({
    type: z.literal('COMPANY').describe('The owner of the account is a company.'),
    legalName: NameSchema.meta({ description: 'Registered name of the company.', example: 'Aurora Comércio Exterior Ltda' }),
    taxId: TaxIdRequestSchema.describe(
      'Tax id of the company. With any type except CNPJ, the company is a non-resident entity. A CPF is rejected.',
    ),
    industry: IndustrySchema.describe('Industry in which the company works.'),
    incorporateDate: DateSchema.optional().meta({
      description: 'Date on which the company was founded, yyyy-MM-dd; not in the future.',
      example: '2014-03-10',
    }),
    address: AddressRequestSchema.describe('Registered address of the company.'),
  }),
).openapi('CompanyOwnerRequest', { description: 'A company that opens an account. Add its beneficial owners after the account.' });

const IndividualRequestSchema = withOwnTaxId(
  'PERSON',
  z.object({
    type: z.literal('INDIVIDUAL').describe('The owner of the account is a person.'),
    firstName: NameSchema.meta({ description: 'Given name or names.', example: 'Helena' }),
    lastName: NameSchema.meta({ description: 'Family name or names.', example: 'Prado' }),
    taxId: TaxIdRequestSchema.describe('Tax id of the person; a CNPJ is rejected.'),
    birthDate: DateSchema.optional().describe('Date of birth, yyyy-MM-dd; not in the future.'),
    address: AddressRequestSchema.describe('Residential address of the person.'),
  }),
).openapi('IndividualOwnerRequest', { description: 'A person who opens an account.' });

const AssetRequestSchema = z
  .object({
    code: AssetCodeSchema.describe('The asset. A request can contain each asset once.'),
    isVirtual: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether virtual accounts are allowed for this asset. Responses show it as `allowsVirtualAccounts`.' }),
  })
  .openapi('AccountAssetRequest', { description: 'An asset that the account will hold.' });

export const AccountRequestSchema = z
  .object({
    assets: rule(z.array(AssetRequestSchema).min(1).max(assetCodes.length), (assets, report) => {
      const seen = new Set<unknown>();
      for (const [index, asset] of elementsOf(assets, assetCodes.length).entries()) {
        const { code } = fieldsOf(asset);
        if (!AssetCodeSchema.safeParse(code).success) continue;
        if (seen.has(code)) {
          report('DUPLICATE_ENTRY', [index, 'code'], 'expected each asset once', { duplicate: code });
        }
        seen.add(code);
      }
    }).describe('Assets that the account will hold, each at most once. Each asset is opened separately at the end of the verification.'),
    owner: z
      .discriminatedUnion('type', [CompanyRequestSchema, IndividualRequestSchema])
      .openapi('OwnerRequest', { description: 'The owner of a new account. `type` says whether it is a company or a person.' })
      .describe('Company or person that owns the account.'),
  })
  .openapi('AccountRequest', { description: 'An account to create, with its owner and its assets.' });

/** Returns the check that dates in a request for an account are not after `today` (yyyy-MM-dd). */
export function accountDays(today: string): Check {
  return (raw, report) => {
    const { type } = fieldsOf(fieldsOf(raw)['owner']);
    if (type === 'COMPANY') reportFuture(raw, ['owner', 'incorporateDate'], today, report);
    if (type === 'INDIVIDUAL') reportBirth(raw, ['owner', 'birthDate'], today, report);
  };
}

export type AccountRequest = z.output<typeof AccountRequestSchema>;

const CompanySchema = z
  .object({
    type: z.literal('COMPANY').describe('The owner of the account is a company.'),
    legalName: z
      .string()
      .meta({ description: 'Registered name of the company, as in the request.', example: 'Aurora Comércio Exterior Ltda' }),
    taxId: TaxIdSchema.describe('Number of the company in its tax register.'),
    industry: IndustrySchema.describe('Industry in which the company works.'),
    incorporateDate: z.iso
      .date()
      .nullable()
      .meta({ description: 'Date on which the company was founded, yyyy-MM-dd; null if unknown.', example: '2014-03-10' }),
    address: AddressSchema.describe('Registered address of the company.'),
    ubos: z.array(UboSchema).max(maxUbos).describe('Beneficial owners added so far, oldest first.'),
  })
  .openapi('CompanyOwner', { description: 'A company that owns an account.' });

const IndividualSchema = z
  .object({
    type: z.literal('INDIVIDUAL').describe('The owner of the account is a person.'),
    firstName: z.string().meta({ description: 'Given name or names, as in the request.', example: 'Helena' }),
    lastName: z.string().meta({ description: 'Family name or names, as in the request.', example: 'Prado' }),
    taxId: TaxIdSchema.describe('Number of the person in their tax register.'),
    birthDate: z.iso.date().nullable().meta({ description: 'Date of birth, yyyy-MM-dd; null if unknown.', example: '1986-04-17' }),
    address: AddressSchema.describe('Residential address of the person.'),
  })
  .openapi('IndividualOwner', { description: 'A person who owns an account.' });

/** Maximum number of requirements of an account: its own, and several for each owner. */
export const maxRequirements = 500;

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

export const DocumentTypeSchema = z.enum(documentTypes).openapi('DocumentType', {
  description:
    'Type of document. ID_CARD and DRIVER_LICENSE need one upload for each side. OTHER needs a description, PROOF_OF_ADDRESS a date of issue, and an identity document the issuing country.',
});
export type DocumentType = z.infer<typeof DocumentTypeSchema>;

export const documentSubTypes = ['FRONT_SIDE', 'BACK_SIDE'] as const;
export const DocumentSubTypeSchema = z
  .enum(documentSubTypes)
  .openapi('DocumentSubType', { description: 'A side of an ID_CARD or DRIVER_LICENSE. Both are required, each in its own upload.' });

const RequirementTypeSchema = z.enum(['DOCUMENT', 'DOCUMENT_GROUP', 'INFORMATION']).openapi('RequirementType', {
  description:
    'Type of a requirement: DOCUMENT is a certain document, DOCUMENT_GROUP one of several documents, INFORMATION facts about a beneficial owner, or the owners themselves.',
});
const RequirementGroupSchema = z
  .literal('IDENTITY_VERIFICATION')
  .openapi('RequirementGroup', { description: 'Purpose of a group of documents: to prove the identity of a person.' });

export const RequirementSchema = z
  .object({
    type: RequirementTypeSchema.describe('Whether a document, one of several documents, or facts are required.'),
    documentType: orNull(DocumentTypeSchema).describe(
      'The required or uploaded document; null for a group before the upload, and for facts.',
    ),
    documentSubType: orNull(DocumentSubTypeSchema).describe('The side of the document; null if it has no sides.'),
    group: orNull(RequirementGroupSchema).describe('The group of the requirement; null if it has none.'),
    options: z
      .array(DocumentTypeSchema)
      .max(documentTypes.length)
      .nullable()
      .meta({ description: 'The documents of a group, one of which is enough; null if there is no choice.' }),
    uboId: orNull(UuidSchema).meta({ description: 'The beneficial owner concerned; null if the requirement is about the account itself.' }),
    requiredMetadata: z
      .array(z.string())
      .max(20)
      .meta({
        description:
          'Names of the facts required in `metadata` of the upload. For INFORMATION, names of the missing data: `ubos`, `phone`, `email`.',
        example: ['issuedAt'],
      }),
    metadata: z.record(z.string(), z.unknown()).nullable().describe('Facts from the newest upload by name; null before the first upload.'),
    reason: orNull(ReasonSchema).describe(
      'Reason why the newest upload was rejected, with code DOCUMENT_REJECTED and the cause in `details.cause`; null otherwise.',
    ),
  })
  .openapi('Requirement', { description: 'A requirement for the verification of an account.' });

export type Requirement = z.infer<typeof RequirementSchema>;

const RequirementsSchema = z
  .object({
    currentlyDue: z.array(RequirementSchema).max(maxRequirements).describe('Requirements that are due now.'),
    pendingVerification: z.array(RequirementSchema).max(maxRequirements).describe('Requirements whose documents are being reviewed.'),
    errors: z
      .array(RequirementSchema)
      .max(maxRequirements)
      .describe('Requirements that were rejected, with their reasons. A new upload is possible.'),
    satisfied: z.array(RequirementSchema).max(maxRequirements).describe('Requirements that are complete.'),
  })
  .openapi('Requirements', {
    description:
      'All requirements for the verification of an account, by progress. When all are in `satisfied`, the account moves to REVIEWING.',
  });

export type Requirements = z.infer<typeof RequirementsSchema>;

export const accountStatuses = ['ACTION_REQUIRED', 'REVIEWING', 'OPENING', 'ACTIVE', 'REJECTED', 'CLOSED'] as const;
export const accountAssetStatuses = ['ONBOARDING', 'ACTIVE', 'FAILED', 'FROZEN', 'DEACTIVATED'] as const;

export const AccountStatusSchema = z.enum(accountStatuses).openapi('AccountStatus', {
  description:
    'Status of an account: ACTION_REQUIRED while requirements are due, REVIEWING, OPENING while its assets are opened, ACTIVE with its first active asset. An active account can become CLOSED; before that, it can become REJECTED. Both are final.',
});
const AccountAssetStatusSchema = z.enum(accountAssetStatuses).openapi('AccountAssetStatus', {
  description:
    'Status of an asset of an account. Operations need it to be ACTIVE. FROZEN can become ACTIVE again; FAILED and DEACTIVATED are final.',
});

const AccountStateSchema = stateSchema(AccountStatusSchema).openapi('AccountState', {
  description: 'A status of an account, with its time and reason.',
});

export const AccountAssetSchema = z
  .object({
    asset: AssetCodeSchema.describe('Asset that the account holds.'),
    allowsVirtualAccounts: z.boolean().describe('Whether virtual accounts are allowed for the asset: `isVirtual` of the creation request.'),
    status: AccountAssetStatusSchema.describe('Whether the account can use the asset.'),
  })
  .openapi('AccountAsset', { description: 'An asset that an account holds or will hold.' });

export const AccountSchema = z
  .object({
    id: UuidSchema.describe('Id of the account, which never changes.'),
    customer: z
      .object({ id: UuidSchema.describe('Id of the customer, as in access tokens.') })
      .openapi('CustomerRef', { description: 'Reference to a customer of the service.' })
      .describe('Customer whose credentials created the account.'),
    owner: z
      .discriminatedUnion('type', [CompanySchema, IndividualSchema])
      .openapi('Owner', { description: 'The owner of an account. `type` says whether it is a company or a person.' })
      .describe('Company or person that owns the account.'),
    assets: z.array(AccountAssetSchema).max(assetCodes.length).describe('Assets of the account, in the order of the creation request.'),
    requirements: RequirementsSchema.describe('Open and completed requirements for the verification.'),
    tags: z.array(TagSchema).max(20).describe('Labels set by the service. The operations of the account have them too.'),
    currentState: AccountStateSchema.describe('Present status: the last item of `states`.'),
    states: z.array(AccountStateSchema).max(maxStates).describe('All statuses so far, oldest first.'),
    createdAt: TimestampSchema.describe('Time at which the account was created.'),
    updatedAt: TimestampSchema.describe('Time of the last change to the account.'),
    sourceAccountId: orNull(UuidSchema).meta({
      description: 'The parent account of this one; null if the account has its own name.',
    }),
  })
  .openapi('Account', { description: 'An account of a company or a person, which holds one or more assets once it is verified.' });

export type Account = z.infer<typeof AccountSchema>;
