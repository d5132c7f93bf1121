// Builds the command: dist/main.cjs starts it, dist/sandbox.cjs is all of it, dist/sandbox.cache what Node has compiled of that.
// It is built aside and moved, so that a start beside it finds each file whole.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const shared = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' };

const aside = `dist/build-${process.pid}`;
const reader = `${aside}/read-shipped.mjs`;
mkdirSync(aside, { recursive: true });
await build({ ...shared, entryPoints: ['src/cli/read-shipped.ts'], packages: 'external', format: 'esm', outfile: reader });
const { readShipped } = await import(pathToFileURL(join(process.cwd(), reader)).href);
rmSync(reader);

await build({ ...shared, entryPoints: ['src/cli/launch.ts'], format: 'cjs', outfile: `${aside}/main.cjs` });
await build({
  ...shared,
  entryPoints: ['src/cli/main.ts'],
  format: 'cjs',
  outfile: `${aside}/sandbox.cjs`,
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
  // A function around everything, as Node itself puts one around a module.
  banner: { js: '(function (require, module, exports, importMetaUrl) {' },
  footer: { js: '})' },
  define: { 'import.meta.url': 'importMetaUrl', READ_AT_BUILD: JSON.stringify(readShipped()) },
});
const { status } = spawnSync(process.execPath, [`${aside}/main.cjs`, '--port', '0', '--data', 'memory', '--log-level', 'error'], {
  env: { PATH: process.env.PATH, WRITE_CODE_CACHE: '1' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
for (const name of readdirSync(aside)) renameSync(join(aside, name), join('dist', name));
rmSync(aside, { recursive: true });
process.exitCode = status ?? 1;
