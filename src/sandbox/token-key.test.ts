import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServer } from '../server/server.js';
import { createTokenKey } from './tokens.js';
import { readSettings } from '../server/options.js';
import { temporaryDirectory } from '../testing/process.js';
import { StorageDirectory } from '../testing/storage.js';
import { WatchedDisk } from '../testing/watched-disk.js';
import { openTokenKey } from './token-key.js';
import { FileStorage } from '../storage/file/file-storage.js';

it('a sandbox that cannot start, because another sandbox uses its data directory, stores no token key there', async () => {
  const directory = temporaryDirectory();
  const first = await FileStorage.open(directory);
  await expect(startServer(readSettings(['--port', '0', '--data', directory, '--log-level', 'silent'], {}))).rejects.toThrow(directory);
  // Takes longer than any key whose creation started before.
  for (let count = 0; count < 4; count += 1) await createTokenKey();
  expect(existsSync(join(directory, 'token-key.json'))).toBe(false);
  await first.close();
});

it('a key that signed tokens survives a power loss', async () => {
  const directory = new StorageDirectory();
  const disk = new WatchedDisk(directory);
  const storage = await FileStorage.open(directory.path, { files: disk.files });
  const key = await (await openTokenKey(storage)).key;
  expect(JSON.parse(String(disk.afterPowerLoss(false).get('token-key.json')))).toEqual(key);
  expect(await (await openTokenKey(storage)).key).toEqual(key);
  await storage.close();
  await directory.remove();
});

it('the error for a key that cannot be stored contains the file name, but not the key', async () => {
  const directory = new StorageDirectory();
  const disk = new WatchedDisk(directory);
  const storage = await FileStorage.open(directory.path, { files: disk.files });
  disk.before = ({ name, path }) => {
    if (name === 'handle.appendFile' && path.includes('token-key')) throw new Error('ENOSPC: no space left on device, write');
  };
  const { key } = await openTokenKey(storage);
  await expect(key).rejects.toThrow(/^\/.*token-key\.json cannot be written: ENOSPC: no space left on device, write$/);
  await storage.close();
  await directory.remove();
});
