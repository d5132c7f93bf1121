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
    type: z.literal('COMPANY').describe('Says that a company owns the account.'),
    legalName: NameSchema.meta({ description: 'Name of the company in its register.', example: 'Aurora Comércio Exterior Ltda' }),
    taxId: TaxIdRequestSchema.describe('Tax id of the company. Any but a CNPJ makes it a non-resident entity; a CPF is refused.'),
    industry: IndustrySchema.describe('What the company lives of.'),
    incorporateDate: DateSchema.optional().meta({
      description: 'Day on which the company was founded, yyyy-MM-dd; not in the future.',
      example: '2014-03-10',
    }),
    address: AddressRequestSchema.describe('Registered seat of the company.'),
  }),
).openapi('CompanyOwnerRequest', { description: 'A company that an account is opened for. Its beneficial owners are added afterwards.' });

const IndividualRequestSchema = withOwnTaxId(
  'PERSON',
  z.object({
    type: z.literal('INDIVIDUAL').describe('Says that a person owns the account.'),
    firstName: NameSchema.meta({ description: 'Given name, or names.', example: 'Helena' }),
    lastName: NameSchema.meta({ description: 'Family name, or names.', example: 'Prado' }),
    taxId: TaxIdRequestSchema.describe('Tax id of the person; a CNPJ is refused.'),
    birthDate: DateSchema.optional().describe('Day of birth, yyyy-MM-dd; not in the future.'),
    address: AddressRequestSchema.describe('Where the person lives.'),
  }),
).openapi('IndividualOwnerRequest', { description: 'A person whom an account is opened for.' });

const AssetRequestSchema = z
  .object({
    code: AssetCodeSchema.describe('The asset; each once in a request.'),
    isVirtual: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether virtual accounts may be opened for this asset; shown as `allowsVirtualAccounts`.' }),
  })
  .openapi('AccountAssetRequest', { description: 'An asset that an account is to be opened for.' });

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
    }).describe('What the account is to hold, each asset once. Each is opened by itself at the end of the verification.'),
    owner: z
      .discriminatedUnion('type', [CompanyRequestSchema, IndividualRequestSchema])
      .openapi('OwnerRequest', { description: 'Who an account is opened for: a company or a person, as `type` says.' })
      .describe('Who the account belongs to.'),
  })
  .openapi('AccountRequest', { description: 'An account to open, with its owner and its assets.' });

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
    type: z.literal('COMPANY').describe('Says that a company owns the account.'),
    legalName: z
      .string()
      .meta({ description: 'Name of the company in its register, as it was given.', example: 'Aurora Comércio Exterior Ltda' }),
    taxId: TaxIdSchema.describe('Number of the company in its tax register.'),
    industry: IndustrySchema.describe('What the company lives of.'),
    incorporateDate: z.iso
      .date()
      .nullable()
      .meta({ description: 'Day on which the company was founded, yyyy-MM-dd; null when not stated.', example: '2014-03-10' }),
    address: AddressSchema.describe('Registered seat of the company.'),
    ubos: z.array(UboSchema).max(maxUbos).describe('The beneficial owners that were added so far, oldest first.'),
  })
  .openapi('CompanyOwner', { description: 'A company that owns an account.' });

const IndividualSchema = z
  .object({
    type: z.literal('INDIVIDUAL').describe('Says that a person owns the account.'),
    firstName: z.string().meta({ description: 'Given name, or names, as they were given.', example: 'Helena' }),
    lastName: z.string().meta({ description: 'Family name, or names, as they were given.', example: 'Prado' }),
    taxId: TaxIdSchema.describe('Number of the person in their tax register.'),
    birthDate: z.iso.date().nullable().meta({ description: 'Day of birth, yyyy-MM-dd; null when not stated.', example: '1986-04-17' }),
    address: AddressSchema.describe('Where the person lives.'),
  })
  .openapi('IndividualOwner', { description: 'A person who owns an account.' });

/** How many requirements an account has at most: some for each owner, and its own. */
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
    'Kind of document. ID_CARD and DRIVER_LICENSE are uploaded side by side; OTHER needs a description, PROOF_OF_ADDRESS its day of issue, identity documents their country.',
});
export type DocumentType = z.infer<typeof DocumentTypeSchema>;

export const documentSubTypes = ['FRONT_SIDE', 'BACK_SIDE'] as const;
export const DocumentSubTypeSchema = z
  .enum(documentSubTypes)
  .openapi('DocumentSubType', { description: 'A side of an ID_CARD or DRIVER_LICENSE. Both are needed, each in an upload of its own.' });

const RequirementTypeSchema = z.enum(['DOCUMENT', 'DOCUMENT_GROUP', 'INFORMATION']).openapi('RequirementType', {
  description:
    'What is asked for: DOCUMENT one certain document, DOCUMENT_GROUP one of several, INFORMATION facts about a beneficial owner, or the owners themselves.',
});
const RequirementGroupSchema = z
  .literal('IDENTITY_VERIFICATION')
  .openapi('RequirementGroup', { description: 'What the documents of a group are to show: who somebody is.' });

export const RequirementSchema = z
  .object({
    type: RequirementTypeSchema.describe('Whether a document, one of several documents, or facts are asked for.'),
    documentType: orNull(DocumentTypeSchema).describe(
      'The document that is asked for, or was uploaded; null for a group that waits, and for facts.',
    ),
    documentSubType: orNull(DocumentSubTypeSchema).describe('The side of the document; null where it has none.'),
    group: orNull(RequirementGroupSchema).describe('The group that the item belongs to; null for all that belong to none.'),
    options: z
      .array(DocumentTypeSchema)
      .max(documentTypes.length)
      .nullable()
      .meta({ description: 'The documents of a group, one of which is enough; null where there is no choice.' }),
    uboId: orNull(UuidSchema).meta({ description: 'The beneficial owner concerned; null when it is the account itself.' }),
    requiredMetadata: z
      .array(z.string())
      .max(20)
      .meta({
        description:
          'Names of the facts that have to come along in `metadata` of the upload; for INFORMATION, of what is missing: `ubos`, `phone`, `email`.',
        example: ['issuedAt'],
      }),
    metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The facts that came with the newest upload, by their names; null before the first.'),
    reason: orNull(ReasonSchema).describe(
      'Why the newest upload was rejected: the code is DOCUMENT_REJECTED, `details.cause` says more; null otherwise.',
    ),
  })
  .openapi('Requirement', { description: 'Something that the verification of an account needs.' });

export type Requirement = z.infer<typeof RequirementSchema>;

const RequirementsSchema = z
  .object({
    currentlyDue: z.array(RequirementSchema).max(maxRequirements).describe('What has to be brought now.'),
    pendingVerification: z.array(RequirementSchema).max(maxRequirements).describe('What was brought and is being looked at.'),
    errors: z
      .array(RequirementSchema)
      .max(maxRequirements)
      .describe('What was brought and rejected, each with its reason; a new upload is taken.'),
    satisfied: z.array(RequirementSchema).max(maxRequirements).describe('What is done with.'),
  })
  .openapi('Requirements', {
    description:
      'All that the verification of an account needs, by how far it has come. With nothing left but `satisfied` the account goes on to REVIEWING.',
  });

export type Requirements = z.infer<typeof RequirementsSchema>;

export const accountStatuses = ['ACTION_REQUIRED', 'REVIEWING', 'OPENING', 'ACTIVE', 'REJECTED', 'CLOSED'] as const;
export const accountAssetStatuses = ['ONBOARDING', 'ACTIVE', 'FAILED', 'FROZEN', 'DEACTIVATED'] as const;

export const AccountStatusSchema = z.enum(accountStatuses).openapi('AccountStatus', {
  description:
    'Where an account stands: ACTION_REQUIRED while something is due, REVIEWING, OPENING while its assets are opened, ACTIVE with its first active asset; CLOSED afterwards, REJECTED for good before.',
});
const AccountAssetStatusSchema = z.enum(accountAssetStatuses).openapi('AccountAssetStatus', {
  description:
    'Where an asset of an account stands. Only an ACTIVE one takes part in operations; FROZEN can become ACTIVE again, FAILED and DEACTIVATED are final.',
});

const AccountStateSchema = stateSchema(AccountStatusSchema).openapi('AccountState', {
  description: 'A status of an account, and when and why it was entered.',
});

export const AccountAssetSchema = z
  .object({
    asset: AssetCodeSchema.describe('What the account can hold.'),
    allowsVirtualAccounts: z.boolean().describe('Whether virtual accounts may be opened for it, as `isVirtual` of the creation said.'),
    status: AccountAssetStatusSchema.describe('How far the opening of the asset has come, or what became of it.'),
  })
  .openapi('AccountAsset', { description: 'An asset that an account holds, or will hold.' });

export const AccountSchema = z
  .object({
    id: UuidSchema.describe('Id of the account, which stays the same for good.'),
    customer: z
      .object({ id: UuidSchema.describe('Id of the customer, as access tokens carry it.') })
      .openapi('CustomerRef', { description: 'A customer of the service, named rather than shown.' })
      .describe('Whose credentials opened the account.'),
    owner: z
      .discriminatedUnion('type', [CompanySchema, IndividualSchema])
      .openapi('Owner', { description: 'Who owns an account: a company or a person, as `type` says.' })
      .describe('Who the account belongs to.'),
    assets: z.array(AccountAssetSchema).max(assetCodes.length).describe('What the account holds, in the order of its creation.'),
    requirements: RequirementsSchema.describe('What its verification still needs, and what it has.'),
    tags: z.array(TagSchema).max(20).describe('Labels that the service has set; they stand on its operations too.'),
    currentState: AccountStateSchema.describe('Its present status: the last of `states`.'),
    states: z.array(AccountStateSchema).max(maxStates).describe('All statuses so far, oldest first.'),
    createdAt: TimestampSchema.describe('When the account was created.'),
    updatedAt: TimestampSchema.describe('When anything of it changed last.'),
    sourceAccountId: orNull(UuidSchema).meta({
      description: 'The account that this one is a part of; null for an account with a name of its own.',
    }),
  })
  .openapi('Account', { description: 'An account of a company or a person, which holds one or more assets once it is verified.' });

export type Account = z.infer<typeof AccountSchema>;
