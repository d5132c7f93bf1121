import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from './testing/root.js';

/** Starts and closes a sandbox with a world, and then sends a request to its port. A handle that is left keeps the process alive. */
const program = `
  const { startSandbox } = require(${JSON.stringify(join(root, 'dist/index.cjs'))});
  (async () => {
    const sandbox = await startSandbox();
    await sandbox.createWorld();
    await sandbox.close();
    await fetch(sandbox.url + '/_sandbox/worlds').catch(({ cause }) => console.log(cause.code));
  })();`;

it('a closed sandbox leaves no handle or port behind, so that its process exits', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
  expect(stdout).toBe('ECONNREFUSED\n');
});
