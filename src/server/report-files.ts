import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reports } from '../analysis/answer/report/reports.js';
import { renderings, type Rendering } from '../analysis/answer/report/renderings.js';

/** Time for which a report counts as evidence: 30 days, in milliseconds. */
const usualValidityMs = 30 * 24 * 3_600_000;

/** Writes one report about the clients of all worlds, in each format. @throws Error if a file cannot be written */
export async function writeReports(directory: string, reports: Reports): Promise<void> {
  const report = await reports.make({
    worlds: [],
    profile: null,
    failOn: undefined,
    tier: 'core',
    isStrict: undefined,
    isFinal: true,
    subject: null,
    validForMs: usualValidityMs,
    isApart: false,
  });
  const files: Rendering[] = Object.values(renderings);
  await Promise.all(files.map(({ file, render }) => writeFile(join(directory, file), render(report, 'error'))));
}
