import { z } from '@hono/zod-openapi';
import { DocumentSubTypeSchema, DocumentTypeSchema } from './accounts.js';
import { DateSchema, TimestampSchema, UuidSchema, orNull, reportFuture, stateSchema, maxStates } from '../shared/common.js';
import { expected, text, type Expected } from '../shared/messages/forms.js';
import { CountrySchema } from '../shared/address.js';
import { fieldsOf, rule, type Check } from '../shared/rule.js';

/** Maximum size of a file, in bytes. */
export const maxFileBytes = 10_000_000;

export const mediaTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
type MediaType = (typeof mediaTypes)[number];

/** Documents with two sides. Each side is a separate upload. */
export const sidedDocuments: readonly unknown[] = ['ID_CARD', 'DRIVER_LICENSE'];

/** The field of `metadata` that each type of document always needs. */
const metadataOf: Readonly<Record<string, string>> = {
  ID_CARD: 'country',
  DRIVER_LICENSE: 'country',
  PASSPORT: 'country',
  RESIDENCE_PERMIT: 'country',
  PROOF_OF_ADDRESS: 'issuedAt',
  OTHER: 'description',
};

/** The expected value of each field of `metadata`, for error messages. */
export const factsWanted: Readonly<Record<string, Expected>> = {
  country: expected('the country that issued it', 'BR'),
  issuedAt: expected('its date of issue', '2026-11-02'),
  description: 'expected a description of the document',
  legalForm: 'expected one of CORPORATION, LLC, LIMITED, LLP',
  apostilled: 'expected true or false',
};

const HolderSchema = z
  .object({
    type: z
      .enum(['ACCOUNT', 'UBO'])
      .openapi('DocumentHolderType', { description: 'Whether a document belongs to the owner of an account or to a beneficial owner.' })
      .describe('Type of the resource in `referenceId`.'),
    referenceId: UuidSchema.meta({ description: 'Id of the account, or of the beneficial owner.' }),
  })
  .openapi('DocumentHolder', { description: 'The person or company that a document belongs to.' });

/** A boolean that may be a string, because forms contain only strings. */
const textFlag = z.preprocess((raw) => (raw === 'true' ? true : raw === 'false' ? false : raw), z.boolean());

const MetadataSchema = z
  .looseObject({
    country: CountrySchema.optional().describe('Country that issued an identity document.'),
    issuedAt: DateSchema.optional().meta({
      description:
        'Date of issue of a proof of address, yyyy-MM-dd; not in the future. A document older than 90 days is rejected as EXPIRED.',
      example: '2026-11-02',
    }),
    description: text(500).optional().meta({ description: 'Description of a document of type OTHER.' }),
    legalForm: z
      .enum(['CORPORATION', 'LLC', 'LIMITED', 'LLP'])
      .openapi('LegalForm', { description: 'Legal form of a company from outside Brazil.' })
      .optional()
      .describe('Legal form of a company from abroad. Required for its constitutional documents.'),
    apostilled: textFlag.optional().meta({
      description:
        'Whether the constitutional documents of a company from abroad have an apostille; required for them. The strings `true` and `false` are accepted too.',
    }),
  })
  .openapi('DocumentMetadata', {
    description: 'Facts about a document. A requirement lists the facts that it needs in `requiredMetadata`; others are stored unchanged.',
  });

export const DocumentRequestSchema = rule(
  z.object({
    documentType: DocumentTypeSchema.describe('Type of the file: the document of a requirement, or one of its options.'),
    documentSubType: DocumentSubTypeSchema.optional().describe(
      'The side. Required for ID_CARD and DRIVER_LICENSE, and not allowed for other documents.',
    ),
    holder: HolderSchema.describe('Person or company that the document belongs to.'),
    metadata: MetadataSchema.optional().describe('Facts about the document.'),
  }),
  (raw, report) => {
    const { documentType, documentSubType, metadata } = fieldsOf(raw);
    const sided = sidedDocuments.includes(documentType);
    if (sided && documentSubType === undefined) {
      report('REQUIRED', ['documentSubType'], `expected one of FRONT_SIDE, BACK_SIDE, because ${String(documentType)} has two sides`);
    }
    if (DocumentTypeSchema.safeParse(documentType).success && !sided && documentSubType !== undefined) {
      report('INVALID_FORMAT', ['documentSubType'], `expected no documentSubType, because ${String(documentType)} has no sides`);
    }
    const needed = typeof documentType === 'string' && Object.hasOwn(metadataOf, documentType) ? metadataOf[documentType] : undefined;
    if (needed !== undefined && fieldsOf(metadata)[needed] === undefined) {
      report(
        'REQUIRED',
        ['metadata', needed],
        `${factsWanted[needed] ?? 'expected a value'}, because the document is ${String(documentType)}`,
      );
    }
  },
).openapi('DocumentRequest', { description: 'The type of an uploaded file, and the person or company that the file belongs to.' });

/** Returns the check that dates in the facts about a document are not after `today` (yyyy-MM-dd). */
export function documentDays(today: string): Check {
  return (raw, report) => reportFuture(raw, ['metadata', 'issuedAt'], today, report);
}

export type DocumentRequest = z.output<typeof DocumentRequestSchema>;

/** An uploaded file without its content. The content is checked once and not stored. */
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
      'Result of the review of an upload. SUPERSEDED means that a later upload, or the rejection of the other side, replaces this upload.',
  }),
).openapi('DocumentState', { description: 'A status of an uploaded document, with its time and reason.' });

/** A document in the control API. The public API never returns it. */
export const DocumentSchema = z
  .object({
    id: UuidSchema.describe('Id of the document. Only the control API shows it.'),
    accountId: UuidSchema.describe('The account that is being verified.'),
    holder: HolderSchema.describe('Person or company that the document belongs to.'),
    documentType: DocumentTypeSchema.describe('Type given in the upload.'),
    documentSubType: orNull(DocumentSubTypeSchema).describe('Side of the document; null if it has no sides.'),
    metadata: z.record(z.string(), z.unknown()).describe('Facts from the upload, by name.'),
    attempt: z.number().int().meta({ description: 'Number of the upload for its requirement, starting at 1.' }),
    file: z
      .object({
        name: z.string().describe('Name of the file in the upload. Scenarios can match it.'),
        size: z.number().int().meta({ description: 'Size of the file in bytes.' }),
        mediaType: z
          .enum(mediaTypes)
          .openapi('DocumentMediaType', {
            description: 'Media type of a file, detected from its content, not from the headers of the upload.',
          })
          .describe('Media type detected from the content.'),
        sha256: z.string().meta({ description: 'SHA-256 of the content in hex. The content itself is not stored.' }),
      })
      .openapi('DocumentFile', { description: 'The stored facts about an uploaded file.' })
      .describe('The stored facts about the file.'),
    currentState: DocumentStateSchema.describe('Present status: the last item of `states`.'),
    states: z.array(DocumentStateSchema).max(maxStates).describe('All statuses so far, oldest first.'),
    createdAt: TimestampSchema.describe('Time at which the document was uploaded.'),
    updatedAt: TimestampSchema.describe('Time of the last status change.'),
  })
  .openapi('Document', { description: 'A document that was uploaded for the verification of an account.' });

export type Document = z.infer<typeof DocumentSchema>;
