import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, test, vi } from 'vitest';
import { root } from '../testing/harness.js';
import { call, connect, SandboxProcess, temporaryDirectory } from '../testing/process.js';

const directory = temporaryDirectory();
afterAll(() => rmSync(directory, { recursive: true }));

test.each<[string, (cache: string) => void]>([
  ['is missing', (cache) => rmSync(cache)],
  ['is cut off', (cache) => truncateSync(cache, 1000)],
  ['is of another build', (cache) => writeFileSync(cache, readFileSync(cache).fill(7, 8, 64))],
])('a start whose compiled code %s compiles for itself', (_what, spoil) => {
  cpSync(join(root, 'dist'), join(directory, 'dist'), { recursive: true });
  spoil(join(directory, 'dist/sandbox.cache'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(directory, 'dist/main.cjs'), '--help'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('--port');
});

it('notices a scenario that is brought when it has only just started', async () => {
  const scenarios = join(directory, 'scenarios');
  cpSync(join(root, 'scenarios'), scenarios, { recursive: true });
  const sandbox = await SandboxProcess.start(['--data', 'memory', '--scenarios-dir', scenarios]);
  try {
    writeFileSync(join(scenarios, 'late.yaml'), 'scenario: late\nsummary: Late.\nrules: []\n');
    const names = async () =>
      (await call(sandbox.url, 'GET', '/_sandbox/scenarios')).body.data.map(({ name }: { name: string }) => name) as string[];
    await vi.waitFor(async () => expect(await names()).toContain('late'), { timeout: 5000, interval: 50 });
  } finally {
    await sandbox.end('SIGTERM');
  }
});

// Later versions of Node load it with the first look at one of its names.
it.runIf(process.versions.node.startsWith('20.'))('answers a client of the API without having loaded what only costs a start', async () => {
  const told = join(directory, 'loaded.json');
  const teller = join(directory, 'teller.cjs');
  writeFileSync(
    teller,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.moduleLoadList)));`,
  );
  const sandbox = await SandboxProcess.start(['--data', 'memory'], { NODE_OPTIONS: `--require ${teller}` });
  await call(sandbox.url, 'GET', '/_sandbox/health/ready');
  const api = await connect(sandbox.url);
  const { body: accounts } = await api('GET', '/api/accounts?limit=2');
  const [from, to] = (accounts.data as { id: string }[]).map(({ id }) => id);
  const transfer = { sourceAccountId: from, targetAccountId: to, amount: { value: '1.00', asset: 'BRL' } };
  expect((await api('POST', '/api/operations/transfer', transfer)).status).toBeLessThan(500);
  expect((await api('GET', '/api/nothing')).status).toBe(404);
  expect(await sandbox.end('SIGTERM')).toBe(0);
  const loaded = JSON.parse(readFileSync(told, 'utf8')) as string[];
  expect(loaded.filter((each) => /undici|http2/.test(each))).toEqual([]);
  expect(loaded).toContain('NativeModule http');
});
