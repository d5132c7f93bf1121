import { join } from 'node:path';
import { z } from '@hono/zod-openapi';
import { AccountRequestSchema, DocumentTypeSchema, documentSubTypes } from '../contract/accounts.js';
import { BeneficiaryRequestSchema } from '../contract/beneficiaries.js';
import { assetCodes } from '../contract/common.js';
import { DurationSchema, durationMs } from '../contract/duration.js';
import { fundingRails } from '../contract/rails.js';
import { UboRequestSchema } from '../contract/ubos.js';
import type { Pricing } from '../domain/quote.js';
import { reasonCatalogue, type OperationFailure } from '../domain/reasons.js';
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
    ago: DurationSchema.default('0s'),
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

const AssetSchema = z.enum(assetCodes);
const PositionSchema = z.number().int().min(0);
const failures = Object.keys(reasonCatalogue.operationFailed) as [OperationFailure, ...OperationFailure[]];

/** What all past operations have: when they were requested, whose they are, and what the account or the payer spent. */
const shared = {
  ago: DurationSchema,
  account: PositionSchema,
  source: AssetSchema,
  amount: DecimalText,
  failed: z.enum(failures).optional(),
};

/** An operation that has ended by now. Accounts and beneficiaries go by their place in this file, from 0. */
const PastOperationSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('DEPOSIT'), ...shared, target: AssetSchema, rail: z.enum(fundingRails) }),
  z.strictObject({ type: z.literal('SWAP'), ...shared, target: AssetSchema }),
  z.strictObject({ type: z.literal('TRANSFER'), ...shared, to: PositionSchema }),
  z.strictObject({ type: z.literal('WITHDRAWAL'), ...shared, to: PositionSchema }),
]);

const PopulationSchema = z
  .strictObject({
    accounts: z.array(FixtureAccountSchema),
    beneficiaries: z.array(
      z.strictObject({
        status: z.enum(['APPROVED', 'PENDING_REVIEW', 'REJECTED']),
        ago: DurationSchema.default('0s'),
        request: BeneficiaryRequestSchema,
      }),
    ),
    operations: z.array(PastOperationSchema).default([]),
  })
  .superRefine(({ accounts, beneficiaries, operations }, context) => {
    const check = (index: number, field: string, place: number, list: readonly unknown[]) => {
      if (place < list.length) return;
      context.addIssue({ code: 'custom', path: ['operations', index, field], message: `expected a place below ${list.length}` });
    };
    for (const [index, past] of operations.entries()) {
      check(index, 'account', past.account, accounts);
      if (past.type === 'TRANSFER') check(index, 'to', past.to, accounts);
      if (past.type === 'WITHDRAWAL') check(index, 'to', past.to, beneficiaries);
    }
  });

/** The files of a directory of reference data, and what each looks like. */
export const dataFiles = { 'market.yaml': MarketSchema, 'documents.yaml': DocumentsSchema, 'default.yaml': PopulationSchema } as const;

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
  const read = <N extends keyof typeof dataFiles>(name: N) =>
    readYaml(join(directory, name), dataFiles[name]).value as z.output<(typeof dataFiles)[N]>;
  const market = read('market.yaml');
  return {
    pricing: { usdValues: market.usdValues, rates: {}, spread: market.spread, quoteTtlMs: durationMs(market.quoteTtl) ?? 0, fees: [] },
    documents: read('documents.yaml'),
    population: read('default.yaml'),
  };
}
