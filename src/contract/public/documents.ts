import { z } from '@hono/zod-openapi';
import { DocumentTypeSchema, documentSubTypes } from './accounts.js';
import { CountrySchema, DateSchema, TimestampSchema, UuidSchema, orNull, reportFuture, stateSchema, text } from '../shared/common.js';
import { fieldsOf, rule, type Check } from '../shared/rule.js';

/** The largest file, in bytes. */
export const maxFileBytes = 10_000_000;

export const mediaTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type MediaType = (typeof mediaTypes)[number];

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

const HolderSchema = z
  .object({
    type: z.enum(['ACCOUNT', 'UBO']),
    referenceId: UuidSchema.meta({ description: 'Id of the account, or of the beneficial owner.' }),
  })
  .openapi('DocumentHolder', { description: 'Whose document it is.' });

/** A flag that may come as text, since metadata travels in forms. */
const textFlag = z.preprocess((raw) => (raw === 'true' ? true : raw === 'false' ? false : raw), z.boolean());

const MetadataSchema = z
  .looseObject({
    country: CountrySchema.optional().meta({ description: 'Where an identity document was issued.' }),
    issuedAt: DateSchema.optional().meta({
      description: 'Day of issue of a proof of address; at most 90 days back.',
      example: '2026-11-02',
    }),
    description: text(500).optional().meta({ description: 'What a document of type OTHER is.' }),
    legalForm: z.enum(['CORPORATION', 'LLC', 'LIMITED', 'LLP']).optional().meta({ description: 'Legal form of a company from abroad.' }),
    apostilled: textFlag.optional().meta({
      description:
        'Whether the constitutional documents of a company from abroad are. The texts `true` and `false` mean the same, as forms send them.',
    }),
  })
  .openapi('DocumentMetadata', { description: 'Facts about the document; a requirement names those it needs in `requiredMetadata`.' });

export const DocumentRequestSchema = rule(
  z.object({
    documentType: DocumentTypeSchema,
    documentSubType: z
      .enum(documentSubTypes)
      .optional()
      .meta({ description: 'The side, for ID_CARD and DRIVER_LICENSE, which need both; no other document has one.' }),
    holder: HolderSchema,
    metadata: MetadataSchema.optional(),
  }),
  (raw, report) => {
    const { documentType, documentSubType, metadata } = fieldsOf(raw);
    const sided = sidedDocuments.includes(documentType);
    if (sided && documentSubType === undefined) {
      report('REQUIRED', ['documentSubType'], `documentSubType is required: ${String(documentType)} has a FRONT_SIDE and a BACK_SIDE.`);
    }
    if (DocumentTypeSchema.safeParse(documentType).success && !sided && documentSubType !== undefined) {
      report('INVALID_FORMAT', ['documentSubType'], `${String(documentType)} has no sides; leave documentSubType out.`);
    }
    const needed = typeof documentType === 'string' && Object.hasOwn(metadataOf, documentType) ? metadataOf[documentType] : undefined;
    if (needed !== undefined && fieldsOf(metadata)[needed] === undefined) {
      report('REQUIRED', ['metadata', needed], `metadata.${needed} is required for ${String(documentType)}.`);
    }
  },
).openapi('DocumentRequest');

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

const DocumentStateSchema = stateSchema(documentStatuses).openapi('DocumentState');

/** A document as the control plane shows it; the public API never does. */
export const DocumentSchema = z
  .object({
    id: UuidSchema,
    accountId: UuidSchema,
    holder: HolderSchema,
    documentType: DocumentTypeSchema,
    documentSubType: orNull(z.enum(documentSubTypes)),
    metadata: z.record(z.string(), z.unknown()),
    attempt: z.number().int().meta({ description: 'The how-many-th upload for its requirement, from 1.' }),
    file: z.object({
      name: z.string(),
      size: z.number().int().meta({ description: 'In bytes.' }),
      mediaType: z.enum(mediaTypes),
      sha256: z.string().meta({ description: 'Hex SHA-256 of the bytes, which are not kept.' }),
    }),
    currentState: DocumentStateSchema,
    states: z.array(DocumentStateSchema),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  })
  .openapi('Document');

export type Document = z.infer<typeof DocumentSchema>;
