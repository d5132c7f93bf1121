import { readdir, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Harness, sharedTokenKey } from '../../testing/harness.js';
import { fixtureIds } from '../../testing/withdrawals.js';
import { StorageDirectory, StoredWorlds } from '../../testing/storage.js';
import { FileStorage } from './file-storage.js';
import { nodeFiles, type Files } from './files.js';

let directory: StorageDirectory;
beforeEach(() => {
  directory = new StorageDirectory();
});
afterEach(async () => {
  vi.useRealTimers();
  await directory.remove();
});

type Call = 'write' | 'appendFile' | 'datasync' | 'sync';

/** A file system in which one kind of call fails on matching paths, while `failing` is set. */
class FailingFiles {
  failing: { call: Call; path: RegExp; code: string } | null = null;
  readonly calls: string[] = [];
  /** The promise for which the next write waits. */
  hold: Promise<void> | null = null;
  isHolding = false;

  get files(): Files {
    return {
      ...nodeFiles,
      open: async (path, flags) => this.#watched(String(path), await nodeFiles.open(path, flags)),
      rename: async (from, to) => {
        this.calls.push(`rename ${String(to)}`);
        await nodeFiles.rename(from, to);
      },
    };
  }

  #watched(path: string, handle: FileHandle): FileHandle {
    for (const call of ['write', 'appendFile', 'datasync', 'sync'] as const) {
      const real = handle[call].bind(handle) as (...args: unknown[]) => Promise<void>;
      const watched = async (...args: unknown[]) => {
        this.calls.push(`${call} ${path}`);
        const { failing, hold } = this;
        if (hold && call === 'write') {
          this.isHolding = true;
          this.hold = null;
          await hold;
        }
        if (failing?.call !== call || !failing.path.test(path)) return real(...args);
        // A full disk accepts a part of the data.
        if (call === 'write' || call === 'appendFile') await real((args[0] as Buffer).subarray(0, 20));
        throw Object.assign(new Error(`${failing.code}: injected`), { code: failing.code });
      };
      Object.assign(handle, { [call]: watched });
    }
    return handle;
  }
}

const journalFile = /journal.*\.log$/;

/** Returns the counters of world `w` in a file. */
function valuesIn(text: string): Record<string, number> {
  const { worlds } = JSON.parse(text) as { worlds: { w: { counters: Record<string, { value: number }> } } };
  return Object.fromEntries(Object.entries(worlds.w.counters).map(([id, { value }]) => [id, value]));
}

describe('a commit that cannot be stored', () => {
  test.each([
    ['the disk is full', { call: 'write', path: journalFile, code: 'ENOSPC' }, 'os'],
    ['the disk fails', { call: 'write', path: journalFile, code: 'EIO' }, 'fsync'],
    ['it cannot be synced', { call: 'datasync', path: journalFile, code: 'EIO' }, 'fsync'],
  ] as const)('is rejected when %s, like all later commits, and is missing after a restart', async (_why, failing, durability) => {
    const disk = new FailingFiles();
    const warnings: string[] = [];
    const worlds = await StoredWorlds.open(directory.path, { files: disk.files, durability, warn: (message) => warnings.push(message) });
    await worlds.create('w', { a: 1 });
    disk.failing = failing;
    const refused = { code: 'SERVICE_UNAVAILABLE', details: { cause: failing.code } };
    await Promise.all([worlds.put({ a: 2 }), worlds.put({ a: 3 })].map((each) => expect(each).rejects.toMatchObject(refused)));
    disk.failing = null;
    await expect(worlds.put({ a: 4 })).rejects.toMatchObject(refused);
    expect(worlds.storage.isReadOnly).toBe(true);
    expect(warnings).toEqual([expect.stringContaining('is read-only until it is restarted')]);
    await worlds.storage.close();
    const again = await StoredWorlds.open(directory.path);
    expect(again.values).toEqual({ w: { a: 1 } });
    await again.storage.close();
  });

  // §D1-read-only
  test('causes a 503 response and leaves the world unchanged, while reads continue', async () => {
    const disk = new FailingFiles();
    const storage = await FileStorage.open(directory.path, { files: disk.files });
    const harness = await new Harness().open(await sharedTokenKey(), { storage });
    const { accountId } = fixtureIds(harness);
    const quote = { accountId, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '10.00' };
    const first = await harness.api('POST', '/api/quotes', { body: quote });
    expect(first.status).toBe(201);
    const world = harness.sandbox.world('default');
    const before = JSON.stringify(Object.entries(world.state).map(([table, rows]) => [table, [...rows.values()]]));
    disk.failing = { call: 'write', path: journalFile, code: 'ENOSPC' };
    const key = '0c6d2ad5-6a0b-4d5e-9a53-0c1f7e1a2b3c';
    const answers = await Promise.all([
      harness.api('POST', '/api/quotes', { body: quote, key }),
      harness.api('POST', '/api/quotes', { body: quote, key }),
      harness.api('POST', '/api/quotes', { body: quote }),
      harness.control('POST', '/worlds', { name: 'never' }),
    ]);
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(Array(4).fill('503 SERVICE_UNAVAILABLE'));
    disk.failing = null;
    expect((await harness.api('POST', '/api/quotes', { body: quote })).status).toBe(503);
    expect((await harness.control('POST', '/reset')).status).toBe(503);
    expect(JSON.stringify(Object.entries(world.state).map(([table, rows]) => [table, [...rows.values()]]))).toBe(before);
    expect([...harness.sandbox.worlds.keys()]).toEqual(['default']);
    expect((await harness.api('GET', '/api/accounts')).status).toBe(200);
    await harness.sandbox.close();
  });
});

describe('a start on a full disk', () => {
  const full = () => Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));

  test('names the file that could not be written, and leaves no file', async () => {
    const opening = FileStorage.open(directory.path, { files: { ...nodeFiles, writeFile: full } });
    await expect(opening).rejects.toThrow(/ENOSPC: no space left on device, write '.*\/lock\..*'/);
    expect(await readdir(directory.path)).toEqual([]);
    const disk = new FailingFiles();
    disk.failing = { call: 'write', path: journalFile, code: 'ENOSPC' };
    await expect(FileStorage.open(directory.path, { files: disk.files })).rejects.toThrow(/ENOSPC: injected '.*\/journal\/000001\.log'/);
  });
});

describe('a checkpoint', () => {
  test.each(['appendFile', 'sync'] as const)('loses no commit and keeps the old file when it fails (%s)', async (call) => {
    const disk = new FailingFiles();
    const warnings: string[] = [];
    const first = await StoredWorlds.open(directory.path, { files: disk.files, warn: (message) => warnings.push(message) });
    await first.create('w', { a: 1 });
    disk.failing = { call, path: /db\.json\.new$/, code: 'ENOSPC' };
    await expect.poll(() => warnings, { timeout: 5000 }).toEqual([expect.stringMatching(/The checkpoint of .* failed: ENOSPC/)]);
    await first.put({ a: 2 });
    await first.storage.close();
    expect((await readdir(directory.path)).filter((name) => name.startsWith('db.json'))).toEqual([]);
    const second = await StoredWorlds.open(directory.path);
    expect(second.values).toEqual({ w: { a: 2 } });
    await second.storage.close();
  });

  test('waits for an earlier checkpoint, without delaying commits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const disk = new FailingFiles();
    const worlds = await StoredWorlds.open(directory.path, { files: disk.files, minJournalBytes: 200 });
    await worlds.create('w', { a: 1 });
    let goOn = (): void => undefined;
    disk.hold = new Promise((resolve) => (goOn = resolve));
    const slow = worlds.put({ a: 2 }); // A checkpoint is due now.
    await expect.poll(() => disk.isHolding).toBe(true);
    vi.advanceTimersByTime(2000); // After a second without commits, another checkpoint is due.
    goOn();
    await slow;
    await worlds.put({ a: 3 });
    await worlds.storage.close();
    expect(valuesIn(await readFile(directory.database, 'utf8'))).toEqual({ a: 3 });
  });

  test('is synced before it replaces the old file; its directory is synced afterwards', async () => {
    const disk = new FailingFiles();
    const worlds = await StoredWorlds.open(directory.path, { files: disk.files });
    await worlds.create('w', { a: 1 });
    disk.calls.length = 0;
    await worlds.storage.close();
    const of = (call: string) => disk.calls.findIndex((each) => each === call);
    const [written, swapped, settled] = [`sync ${directory.database}.new`, `rename ${directory.database}`, `sync ${directory.path}`].map(
      of,
    );
    expect(written).toBeGreaterThanOrEqual(0);
    expect(swapped).toBeGreaterThan(written!);
    expect(settled).toBeGreaterThan(swapped!);
  });
});

test('an existing journal is synced before the first new segment is written', async () => {
  const first = await StoredWorlds.open(directory.path);
  await first.create('w', { a: 1 });
  const found = directory.afterCrash();
  await first.storage.close();
  const disk = new FailingFiles();
  const second = await StoredWorlds.open(found.path, { files: disk.files });
  expect(disk.calls.map((each) => each.replace(found.path, ''))).toEqual([
    'datasync /journal/000001.log',
    'write /journal/000002.log',
    'datasync /journal/000002.log',
    'sync /journal',
  ]);
  await second.storage.close();
  await found.remove();
});

test('a commit is complete when the disk writes it in parts', async () => {
  const open: Files['open'] = async (path, flags) => {
    const handle = await nodeFiles.open(path, flags);
    const write = handle.write.bind(handle) as (bytes: Buffer, at: number, length: number) => Promise<unknown>;
    return Object.assign(handle, { write: (bytes: Buffer, at = 0) => write(bytes, at, Math.min(7, bytes.length - at)) });
  };
  const worlds = await StoredWorlds.open(directory.path, { files: { ...nodeFiles, open } });
  await worlds.create('w', { a: 1 });
  await worlds.put({ a: 2, b: 3 });
  const left = directory.afterCrash();
  await worlds.storage.close();
  const again = await StoredWorlds.open(left.path);
  expect(again.values).toEqual({ w: { a: 2, b: 3 } });
  await again.storage.close();
  await left.remove();
});

test.each([
  ['fsync', 1],
  ['os', 0],
] as const)('durability %s syncs each group of commits %i times', async (durability, times) => {
  const disk = new FailingFiles();
  const worlds = await StoredWorlds.open(directory.path, { files: disk.files, durability });
  await worlds.create('w', { a: 1 });
  disk.calls.length = 0;
  await Promise.all([worlds.put({ a: 2 }), worlds.put({ a: 3 }), worlds.put({ a: 4 })]);
  expect(disk.calls.filter((each) => each.startsWith('datasync'))).toHaveLength(times);
  expect(disk.calls.filter((each) => each.startsWith('write'))).toHaveLength(1);
  await worlds.storage.close();
});
