import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/** Returns the paths of the TypeScript files in directories of `src`, without tests. */
export const sourceFiles = (directories: readonly string[]): string[] =>
  directories.flatMap((directory) =>
    readdirSync(join(root, 'src', directory), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join('src', directory, file)),
  );
