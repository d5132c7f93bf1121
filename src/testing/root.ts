import { join } from 'node:path';

/** The directory of the repository. */
export const root = join(import.meta.dirname, '../..');
