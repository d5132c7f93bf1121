// Writes the types of the contracts: node .ci/contract-types.mjs dist
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

/** Writes the TypeScript types of both OpenAPI documents into a directory, for importers of either module system. */
export async function writeContractTypes(directory) {
  for (const plane of ['control', 'public']) {
    const document = JSON.parse(readFileSync(`openapi/${plane}.json`, 'utf8'));
    const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
    for (const extension of ['mts', 'cts']) writeFileSync(join(directory, `types-${plane}.d.${extension}`), types);
  }
}

if (process.argv[1] === import.meta.filename) await writeContractTypes(process.argv[2]);
