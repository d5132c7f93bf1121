// Builds the command: dist/main.cjs, and beside it dist/shipped.json, what the shipped data holds.
// Both are made aside and moved when they are whole: a build that fails leaves the one before as it was.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const aside = mkdtempSync(resolve('dist-'));
try {
  await build({
    entryPoints: { main: 'src/cli/main.ts', 'read-shipped': 'src/fixtures/read-shipped.ts' },
    outdir: aside,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'], // One package's CommonJS cannot be bundled.
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
  });
  const { readShipped } = require(join(aside, 'read-shipped.cjs'));
  writeFileSync(join(aside, 'shipped.json'), JSON.stringify(readShipped()));
  mkdirSync('dist', { recursive: true });
  for (const name of ['shipped.json', 'main.cjs']) renameSync(join(aside, name), join('dist', name));
} finally {
  rmSync(aside, { recursive: true });
}
