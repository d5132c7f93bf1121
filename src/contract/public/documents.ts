import { z } from '@hono/zod-openapi';
import { DocumentSubTypeSchema, DocumentTypeSchema } from './accounts.js';
import { DateSchema, TimestampSchema, UuidSchema, orNull, reportFuture, stateSchema, maxStates } from '../shared/common.js';
import { expected, text, type Expected } from '../shared/messages/forms.js';
import { CountrySchema } from '../shared/address.js';
import { fieldsOf, rule, type Check } from '../shared/rule.js';

/** The largest file, in bytes. */
export const maxFileBytes = 10_000_000;

export const mediaTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
type MediaType = (typeof mediaTypes)[number];

/** Documents that have two sides, each of which is uploaded by itself. */
export const sidedDocuments: readonly unknown[] = ['ID_CARD', 'DRIVER_LICENSE'];

/** The facts that a document of a type needs wherever it is asked for. */
const metadataOf: Readonly<Record<string, string>> = {
  ID_CARD: 'country',
  DRIVER_LICENSE: 'country',
  PASSPORT: 'country',
  RESIDENCE_PERMIT: 'country',
  PROOF_OF_ADDRESS: 'issuedAt',
  OTHER: 'description',
};

/** Each fact that a document may need, as a refusal asks for it. */
export const factsWanted: Readonly<Record<string, Expected>> = {
  country: expected('the country that issued it', 'BR'),
  issuedAt: expected('its day of issue', '2026-11-02'),
  description: 'expected what it is, in words',
  legalForm: 'expected one of CORPORATION, LLC, LIMITED, LLP',
  apostilled: 'expected true or false',
};

const HolderSchema = z
  .object({
    type: z
      .enum(['ACCOUNT', 'UBO'])
      .openapi('DocumentHolderType', { description: 'Whether a document is about the owner of an account or about a beneficial owner.' })
      .describe('What `referenceId` is the id of.'),
    referenceId: UuidSchema.meta({ description: 'Id of the account, or of the beneficial owner.' }),
  })
  .openapi('DocumentHolder', { description: 'Whom a document is about.' });

/** A flag that may come as text, since metadata travels in forms. */
const textFlag = z.preprocess((raw) => (raw === 'true' ? true : raw === 'false' ? false : raw), z.boolean());

const MetadataSchema = z
  .looseObject({
    country: CountrySchema.optional().describe('Country that issued an identity document.'),
    issuedAt: DateSchema.optional().meta({
      description:
        'Day of issue of a proof of address, yyyy-MM-dd: not in the future. One that is more than 90 days old is rejected as EXPIRED.',
      example: '2026-11-02',
    }),
    description: text(500).optional().meta({ description: 'What a document of type OTHER is, in words.' }),
    legalForm: z
      .enum(['CORPORATION', 'LLC', 'LIMITED', 'LLP'])
      .openapi('LegalForm', { description: 'Legal form of a company from outside Brazil.' })
      .optional()
      .describe('Which form a company from abroad has; its constitutional documents need to say so.'),
    apostilled: textFlag.optional().meta({
      description:
        'Whether the constitutional documents of a company from abroad carry an apostille; they need to say so. The texts `true` and `false` are taken too.',
    }),
  })
  .openapi('DocumentMetadata', {
    description: 'Facts about a document. A requirement names those that it needs in `requiredMetadata`; others are kept as they are.',
  });

export const DocumentRequestSchema = rule(
  z.object({
    documentType: DocumentTypeSchema.describe('What the file is: the document of a requirement, or one of its options.'),
    documentSubType: DocumentSubTypeSchema.optional().describe(
      'The side, required for ID_CARD and DRIVER_LICENSE; no other document has one.',
    ),
    holder: HolderSchema.describe('Whom the document is about.'),
    metadata: MetadataSchema.optional().describe('What has to be known of the document beside the file.'),
  }),
  (raw, report) => {
    const { documentType, documentSubType, metadata } = fieldsOf(raw);
    const sided = sidedDocuments.includes(documentType);
    if (sided && documentSubType === undefined) {
      report('REQUIRED', ['documentSubType'], `expected one of FRONT_SIDE, BACK_SIDE, since ${String(documentType)} has two sides`);
    }
    if (DocumentTypeSchema.safeParse(documentType).success && !sided && documentSubType !== undefined) {
      report('INVALID_FORMAT', ['documentSubType'], `expected no documentSubType, since ${String(documentType)} has no sides`);
    }
    const needed = typeof documentType === 'string' && Object.hasOwn(metadataOf, documentType) ? metadataOf[documentType] : undefined;
    if (needed !== undefined && fieldsOf(metadata)[needed] === undefined) {
      report(
        'REQUIRED',
        ['metadata', needed],
        `${factsWanted[needed] ?? 'expected a value'}, since the document is ${String(documentType)}`,
      );
    }
  },
).openapi('DocumentRequest', { description: 'What an uploaded file is, and whom it is about.' });

/** What else is wrong with the facts about a document on the day `today`, yyyy-MM-dd. */
export function documentDays(today: string): Check {
  return (raw, report) => reportFuture(raw, ['metadata', 'issuedAt'], today, report);
}

export type DocumentRequest = z.output<typeof DocumentRequestSchema>;

/** The file of an upload, without its bytes: these are looked at once and kept nowhere. */
export interface UploadedFile {
  readonly name: string;
  readonly size: number;
  readonly mediaType: MediaType;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
}

export const documentStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'SUPERSEDED'] as const;

const DocumentStateSchema = stateSchema(
  z.enum(documentStatuses).openapi('DocumentStatus', {
    description:
      'What the review of an upload has said. SUPERSEDED is one that a later upload, or the rejection of its other side, has taken the place of.',
  }),
).openapi('DocumentState', { description: 'A status of an uploaded document, and when and why it was entered.' });

/** A document as the control plane shows it; the public API never does. */
export const DocumentSchema = z
  .object({
    id: UuidSchema.describe('Id of the document; the control plane alone knows it.'),
    accountId: UuidSchema.describe('The account whose verification it is for.'),
    holder: HolderSchema.describe('Whom the document is about.'),
    documentType: DocumentTypeSchema.describe('What was uploaded.'),
    documentSubType: orNull(DocumentSubTypeSchema).describe('Which side of it; null for a document without sides.'),
    metadata: z.record(z.string(), z.unknown()).describe('The facts that came along, by their names.'),
    attempt: z.number().int().meta({ description: 'The how-many-th upload for its requirement, from 1.' }),
    file: z
      .object({
        name: z.string().describe('Name that the upload gave the file. Scenarios can decide by it.'),
        size: z.number().int().meta({ description: 'Length of the file in bytes.' }),
        mediaType: z
          .enum(mediaTypes)
          .openapi('DocumentMediaType', { description: 'Kind of file, told by its content rather than by what the upload says.' })
          .describe('What the bytes were found to be.'),
        sha256: z.string().meta({ description: 'SHA-256 of the bytes in hex. The bytes themselves are not kept.' }),
      })
      .openapi('DocumentFile', { description: 'What is kept of an uploaded file.' })
      .describe('What is kept of the upload itself.'),
    currentState: DocumentStateSchema.describe('Its present status: the last of `states`.'),
    states: z.array(DocumentStateSchema).max(maxStates).describe('All statuses so far, oldest first.'),
    createdAt: TimestampSchema.describe('When the document was uploaded.'),
    updatedAt: TimestampSchema.describe('When its status changed last.'),
  })
  .openapi('Document', { description: 'A document that was uploaded for the verification of an account.' });

export type Document = z.infer<typeof DocumentSchema>;
