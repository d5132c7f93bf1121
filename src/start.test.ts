import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, test, vi } from 'vitest';
import { root } from './testing/harness.js';
import { call, SandboxProcess, temporaryDirectory } from './testing/process.js';

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
