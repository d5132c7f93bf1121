// Says how many files and calls of the product a withdrawal's POST goes through, as V8 counts them: `npm run trip`, with each file by `npm run trip -- files`.
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = process.cwd();
const out = join(root, 'node_modules/.cache/trip');
const sources = readdirSync('src', { recursive: true })
  .map((path) => join('src', path))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('client-example'));
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  entryPoints: sources,
  outdir: join(out, 'src'),
  outbase: 'src',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  supported: { 'import-attributes': true },
  logLevel: 'warning',
});
for (const name of ['openapi', 'fixtures', 'scenarios', 'package.json']) symlinkSync(join(root, name), join(out, name));
const load = (path) => import(pathToFileURL(join(out, 'src', path)).href);
const { Harness } = await load('testing/harness.js');
const { fixtureIds, withdrawalBody } = await load('testing/withdrawals.js');
const { createTokenKey } = await load('sandbox/tokens.js');

const harness = await new Harness().open(await createTokenKey());
const { accountId, approved } = fixtureIds(harness);
const quoted = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '150.00' };
const request = async () => withdrawalBody(accountId, (await harness.api('POST', '/api/quotes', { body: quoted })).body.id, approved);
const withdraw = async (body) => {
  const { status } = await harness.api('POST', '/api/operations/withdrawal', { body });
  if (status !== 201) throw new Error(`The withdrawal was answered with ${status}.`);
};
for (let round = 0; round < 5; round += 1) await withdraw(await request()); // What is made once is made by now.
const body = await request();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await withdraw(body);
/** The harness has each answer checked against the contract, which a sandbox does only when it is told to. */
const isOfHarness = (url) => url.endsWith('/plane/response-check.js') || url.endsWith('/public/plane-documentation.js');
const { result } = await session.post('Profiler.takePreciseCoverage');
const files = result
  .filter(({ url }) => url.startsWith(pathToFileURL(out).href) && !url.includes('/testing/') && !isOfHarness(url))
  .map(({ url, functions }) => ({
    name: relative(out, new URL(url).pathname),
    calls: functions.reduce((sum, { ranges }) => sum + ranges[0].count, 0),
  }))
  .filter(({ calls }) => calls > 0)
  .toSorted((a, b) => b.calls - a.calls);
const calls = files.reduce((sum, each) => sum + each.calls, 0);
if (process.argv.includes('files')) for (const each of files) console.log(String(each.calls).padStart(5), each.name);
console.log(`A withdrawal's POST goes through ${files.length} files and ${calls} calls.`);
process.exit(0); // The sandbox goes on.
