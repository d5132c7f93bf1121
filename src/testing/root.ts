import { join } from 'node:path';

/** The directory of the package. Not in `harness.ts`, which loads the whole sandbox: files that need only this load in a fraction of the time. */
export const root = join(import.meta.dirname, '../..');
