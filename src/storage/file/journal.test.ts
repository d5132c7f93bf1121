import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../testing/process.js';
import { nodeFiles } from './files.js';
import { Journal } from './journal.js';
import { LockLost } from './lock-file.js';

it('a journal counts as lost if its open segment is deleted, but not while earlier segments are read', async () => {
  const directory = join(temporaryDirectory(), 'journal');
  const killed = new Journal(directory, nodeFiles);
  await killed.read();
  await killed.rotate(null, 0);
  await killed.release();

  const next = new Journal(directory, nodeFiles);
  await next.read();
  await next.look(); // The lock does this every second, also during a long start.
  await next.rotate(null, 0);
  await next.look();
  await nodeFiles.unlink(join(directory, '000002.log'));
  await expect(next.look()).rejects.toThrow(LockLost);
  await next.release();
});
