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
await build({ ...shared, entryPoints: ['src/fixtures/read-shipped.ts'], packages: 'external', format: 'esm', outfile: reader });
const { readShipped } = await import(pathToFileURL(join(process.cwd(), reader)).href);
rmSync(reader);

/** Packages that a usual start has no use for: each is loaded when something of it is first used. */
const late = new Set(['@fastify/busboy', 'file-type', 'jsonc-parser', 'yaml']);

/** Keeps from a start what it would load in vain. */
const leanStart = {
  name: 'lean-start',
  setup({ onLoad, onResolve, resolve }) {
    const isLate = ({ path, kind, pluginData }) => kind === 'import-statement' && late.has(path) && pluginData !== 'itself';
    onResolve({ filter: /^[@a-z]/ }, (asked) => (isLate(asked) ? { path: asked.path, namespace: 'late' } : undefined));
    onLoad({ filter: /^/, namespace: 'late' }, async ({ path }) => {
      const itself = await resolve(path, { kind: 'import-statement', resolveDir: process.cwd(), pluginData: 'itself' });
      const names = Object.keys(await import(path)).filter((name) => /^[a-z]\w*$/i.test(name) && name !== 'default');
      const members = names.map((name) => `get ${name}() { return require(${JSON.stringify(itself.path)}).${name}; }`);
      return { contents: `module.exports = { __esModule: true, ${members.join(', ')} };`, resolveDir: process.cwd() };
    });
    // The messages of Zod in fifty languages: the sandbox speaks one.
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: "export { default as en } from './en.js';" }));
    // The HTTP adapter asks whether a request came over HTTP/2; the server speaks HTTP/1 alone.
    onResolve({ filter: /^node:http2$/ }, ({ importer }) =>
      importer.includes('@hono/node-server') ? { path: 'http2', namespace: 'never' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'never' }, () => ({ contents: 'export class Http2ServerRequest {}\nexport const constants = {};' }));
  },
};

await build({ ...shared, entryPoints: ['src/cli/launch.ts'], format: 'cjs', outfile: `${aside}/main.cjs` });
await build({
  ...shared,
  entryPoints: ['src/cli/main.ts'],
  format: 'cjs',
  outfile: `${aside}/sandbox.cjs`,
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [leanStart],
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
