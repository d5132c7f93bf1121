import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/process.js';
import { exitCodeOf } from './commands-of-client.js';

const options = { shell: true, stdin: 'ignore', environment: process.env, signal: new AbortController().signal } as const;

describe.skipIf(process.platform === 'win32')('a command of the client', () => {
  it('has its own exit code, or 128 plus the number of the signal that ended it', async () => {
    expect(await exitCodeOf('exit 7', [], options)).toBe(7);
    expect(await exitCodeOf('kill -TERM $$', [], options)).toBe(143);
  });

  it('ends with all its processes if it is aborted', async () => {
    const file = join(temporaryDirectory(), 'pid');
    const ending = new AbortController();
    const run = exitCodeOf(`sleep 60 & echo $! > '${file}'; wait`, [], { ...options, signal: ending.signal });
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').trim(), { timeout: 10_000 }).toMatch(/^[0-9]+$/);
    const pid = Number(readFileSync(file, 'utf8'));
    ending.abort(new Error('interrupted'));
    await expect(run).rejects.toThrow('interrupted');
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  });
});

/** Returns whether a process runs; false for one that has ended and whose parent has not read its result. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  return !/^State:\s+Z/m.test(status);
}
