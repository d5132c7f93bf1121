import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from './root.js';

const run = promisify(execFile);

// Python is required on a CI machine.
const isRun = Boolean(process.env['CI']) || spawnSync('python3', ['--version']).status === 0;

it.skipIf(!isRun).each([
  ['0', '200\n', 0],
  ['no such port', '', 1],
])('a Python test suite starts a sandbox as a child process, or reports the failed start: port %s', async (port, printed, code) => {
  const [, shown = ''] = /```python start\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/how-to/run-it.md'), 'utf8')) ?? [];
  expect(shown).toContain('# The tests stand here.');
  const program = shown
    .replace('node_modules/.bin/crossborder-sandbox', join(root, 'dist/main.cjs'))
    .replace('"0"', JSON.stringify(port))
    .replace('# The tests stand here.', 'import urllib.request; print(urllib.request.urlopen(url + "/_sandbox/health/ready").status)');
  const ended = await run('python3', ['-c', `${program}\nassert sandbox.returncode == 0`]).then(
    ({ stdout }) => ({ stdout, code: 0, stderr: '' }),
    (error: unknown) => error as { stdout: string; code: number; stderr: string },
  );
  expect(ended).toMatchObject({ stdout: printed, code });
  if (code !== 0) expect(ended.stderr).toMatch(/SANDBOX_PORT \(--port\)[\s\S]*RuntimeError: The sandbox did not start: exit code 2/);
});
