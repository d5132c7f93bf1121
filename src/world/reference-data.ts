import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '@hono/zod-openapi';
import { parseDocument } from 'yaml';
import { AccountRequestSchema, DocumentTypeSchema } from '../contract/accounts.js';
import { BeneficiaryRequestSchema } from '../contract/beneficiaries.js';
import { assetCodes } from '../contract/common.js';
import { DurationSchema, durationMs } from '../contract/duration.js';
import { segments, type SegmentDocuments } from '../domain/account.js';
import type { Pricing } from '../domain/quote.js';

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

const PopulationSchema = z.strictObject({
  accounts: z.array(
    z.strictObject({
      status: z.enum(['ACTIVE', 'ACTION_REQUIRED']),
      request: AccountRequestSchema,
      balances: z.partialRecord(z.enum(assetCodes), DecimalText).default({}),
    }),
  ),
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
  const market = readYaml(directory, 'market.yaml', MarketSchema);
  return {
    pricing: { usdValues: market.usdValues, rates: {}, spread: market.spread, quoteTtlMs: durationMs(market.quoteTtl) ?? 0 },
    documents: readYaml(directory, 'documents.yaml', DocumentsSchema),
    population: readYaml(directory, 'default.yaml', PopulationSchema),
  };
}

/** Reads a YAML file and checks it by a schema. @throws Error naming file, line, column and what is wrong there */
export function readYaml<S extends z.ZodType>(directory: string, name: string, schema: S): z.output<S> {
  const path = join(directory, name);
  const text = readFileSync(path, 'utf8');
  const document = parseDocument(text, { prettyErrors: true });
  const broken = document.errors[0];
  if (broken) throw new Error(`${path}: ${broken.message}`);
  const result = schema.safeParse(document.toJS());
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new Error(`${path}${placeOf(text, document, issue.path)}: ${issue.path.map(String).join('.') || 'the file'}: ${issue.message}`);
}

/** Where a path of a YAML document stands, as `:line:column`, both from 1; of the deepest part of it that exists. */
export function placeOf(text: string, document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): string {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth) as (string | number)[], true) as { range?: [number, number, number] } | undefined;
    if (!node?.range) continue;
    const before = text.slice(0, node.range[0]).split('\n');
    return `:${before.length}:${before.at(-1)!.length + 1}`;
  }
  return '';
}
