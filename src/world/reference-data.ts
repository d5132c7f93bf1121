import { join } from 'node:path';
import { z } from '@hono/zod-openapi';
import { AccountRequestSchema, DocumentTypeSchema, documentSubTypes } from '../contract/accounts.js';
import { BeneficiaryRequestSchema } from '../contract/beneficiaries.js';
import { assetCodes } from '../contract/common.js';
import { DurationSchema, durationMs } from '../contract/duration.js';
import { UboRequestSchema } from '../contract/ubos.js';
import type { Pricing } from '../domain/quote.js';
import { segments, type SegmentDocuments } from '../domain/segment.js';
import { readYaml } from './yaml-file.js';

const DecimalText = z.string().regex(/^[0-9]{1,15}(\.[0-9]{1,18})?$/);

const MarketSchema = z.strictObject({
  usdValues: z.record(z.enum(assetCodes), DecimalText),
  spread: DecimalText,
  quoteTtl: DurationSchema,
});

const DocumentsSchema = z.record(
  z.enum(segments),
  z.array(z.strictObject({ documentType: DocumentTypeSchema, why: z.string(), requiredMetadata: z.array(z.string()).default([]) })),
);

/** A document that was brought and reviewed: for the account, or for its how-many-th beneficial owner, from 0. */
const FixtureDocumentSchema = z.strictObject({
  ubo: z.number().int().min(0).optional(),
  documentType: DocumentTypeSchema,
  documentSubType: z.enum(documentSubTypes).optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  fileName: z.string().min(1),
  outcome: z.enum(['APPROVED', 'REJECTED']),
});

const FixtureAccountSchema = z
  .strictObject({
    status: z.enum(['ACTIVE', 'ACTION_REQUIRED']),
    request: AccountRequestSchema,
    ubos: z.array(UboRequestSchema).default([]),
    documents: z.array(FixtureDocumentSchema).default([]),
    balances: z.partialRecord(z.enum(assetCodes), DecimalText).default({}),
  })
  .superRefine(({ ubos, documents }, context) => {
    for (const [index, { ubo = -1 }] of documents.entries()) {
      if (ubo >= ubos.length)
        context.addIssue({
          code: 'custom',
          path: ['documents', index, 'ubo'],
          message: `expected a number below ${ubos.length}, that of the ubos`,
        });
    }
  });

const PopulationSchema = z.strictObject({
  accounts: z.array(FixtureAccountSchema),
  beneficiaries: z.array(z.strictObject({ status: z.enum(['APPROVED', 'PENDING_REVIEW', 'REJECTED']), request: BeneficiaryRequestSchema })),
});

/** Who and what a world with default fixtures starts with. */
export type Population = z.output<typeof PopulationSchema>;

/** The data that a sandbox is shipped with and that an operator may replace as a directory. */
export interface ReferenceData {
  readonly pricing: Pricing;
  readonly documents: SegmentDocuments;
  readonly population: Population;
}

/**
 * Reads the reference data of a directory: `market.yaml`, `documents.yaml` and `default.yaml`.
 * @throws Error naming the file, the place in it and what was expected there
 */
export function loadReferenceData(directory: string): ReferenceData {
  const market = readYaml(join(directory, 'market.yaml'), MarketSchema).value;
  return {
    pricing: { usdValues: market.usdValues, rates: {}, spread: market.spread, quoteTtlMs: durationMs(market.quoteTtl) ?? 0, fees: [] },
    documents: readYaml(join(directory, 'documents.yaml'), DocumentsSchema).value,
    population: readYaml(join(directory, 'default.yaml'), PopulationSchema).value,
  };
}
