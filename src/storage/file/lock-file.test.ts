import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StorageDirectory, StoredWorlds } from '../../testing/storage.js';
import { nodeFiles } from './files.js';
import type { FileStorageOptions } from './options.js';
import { lockDirectory } from './lock-file.js';
import { processOf } from './lock-holder.js';

/** Interval at which holders touch their locks in these tests, in milliseconds. */
const beatMs = 20;
const open = (options: FileStorageOptions = {}) => StoredWorlds.open(directory.path, { beatMs, ...options });

let directory: StorageDirectory;
beforeEach(() => {
  directory = new StorageDirectory();
});
afterEach(async () => {
  vi.useRealTimers();
  await directory.remove();
});

/** Updates the time of a lock file regularly, as a holder on another machine does. */
function touch(lock: string): NodeJS.Timeout {
  return setInterval(() => utimesSync(lock, new Date(), new Date()), beatMs / 4);
}

describe('the lock of a directory', () => {
  const lock = () => join(directory.path, 'lock');

  test('rejects a second process, and is removed at a stop', async () => {
    const first = await open();
    await expect(open()).rejects.toThrow(new RegExp(`Process ${process.pid} on ${hostname()} uses this directory`));
    await first.storage.close();
    await (await open()).storage.close();
    expect((await readdir(directory.path)).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  test('is taken over from a dead process, even if its id is in use again', async () => {
    const dead = spawn(process.execPath, ['-e', '0']);
    await once(dead, 'exit');
    for (const holder of [
      { pid: dead.pid, born: null, host: hostname() },
      { pid: process.pid, born: 'an earlier boot/1', host: hostname() },
      { pid: 1, born: 'an earlier boot/1', host: hostname() },
    ]) {
      await writeFile(lock(), JSON.stringify(holder));
      const worlds = await open();
      expect(JSON.parse(await readFile(lock(), 'utf8'))).toMatchObject({ pid: process.pid });
      await worlds.storage.close();
    }
  });

  test('has a file whose modification time its holder updates regularly', async () => {
    const worlds = await open();
    const { mtimeMs } = await nodeFiles.stat(lock());
    await expect.poll(async () => (await nodeFiles.stat(lock())).mtimeMs).toBeGreaterThan(mtimeMs);
    await worlds.storage.close();
  });

  test('is respected while another machine updates the file time', async () => {
    await writeFile(lock(), JSON.stringify({ pid: 7, born: null, host: 'elsewhere' }));
    const touching = touch(lock());
    await expect(open()).rejects.toThrow(/Process 7 on elsewhere/);
    clearInterval(touching);
    await (await open()).storage.close();
  });

  test('is respected while its holder updates the file time, if the start time of the holder process is unknown', async () => {
    await writeFile(lock(), JSON.stringify({ pid: process.ppid, born: null, host: hostname() }));
    const touching = touch(lock());
    await expect(open()).rejects.toThrow(`Process ${process.ppid} on ${hostname()}`);
    clearInterval(touching);
    await (await open()).storage.close();
  });

  test('is respected while a container with the same host name updates the file time, regardless of the process id', async () => {
    const there = { pid: process.pid, born: 'this boot/1', host: hostname(), space: 'pid:[1]', token: 'another' };
    await writeFile(lock(), JSON.stringify(there));
    const touching = touch(lock());
    await expect(open()).rejects.toThrow(`Process ${process.pid} on ${hostname()} uses this directory`);
    clearInterval(touching);
  });

  test('is taken over from a zombie process', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(line));
    await expect.poll(() => processOf(pid)?.hasEnded).toBe(true);
    await writeFile(lock(), JSON.stringify({ pid, born: processOf(pid)!.born, host: hostname(), token: 'another' }));
    await (await open()).storage.close();
    parent.kill();
  });

  test('is taken over from another machine with all acknowledged commits, but without its journal segments', async () => {
    const first = await open({ host: 'one' });
    await first.create('w', { a: 1 });
    await first.put({ a: 2 });
    const left = directory.afterCrash();
    await first.storage.close();
    const [segment = ''] = await left.segments();
    await writeFile(join(left.path, 'lock'), JSON.stringify({ pid: 7, born: null, host: 'one', token: 'of one' }));
    const second = await StoredWorlds.open(left.path, { beatMs, host: 'two' });
    expect(second.values).toEqual({ w: { a: 2 } });
    expect(await left.segments()).not.toContain(segment);
    expect(JSON.parse(await readFile(left.database, 'utf8')).worlds.w.counters.a.value).toBe(2);
    await second.storage.close();
    await left.remove();
  });
});

describe('the lock of a directory on a file system without hard links', () => {
  const path = () => join(directory.path, 'lock');
  const files = { ...nodeFiles, link: noLinks };
  async function noLinks(from: Parameters<typeof nodeFiles.link>[0], to: Parameters<typeof nodeFiles.link>[1]): Promise<void> {
    await nodeFiles.link(from, to); // Like a file system that reports an existing name first.
    await nodeFiles.unlink(to);
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  }

  test('rejects a second process, and is taken over from a dead one', async () => {
    const dead = spawn(process.execPath, ['-e', '0']);
    await once(dead, 'exit');
    await writeFile(path(), JSON.stringify({ pid: dead.pid, born: null, host: hostname() }));
    const lock = await lockDirectory(directory.path, files, { beatMs });
    await expect(lockDirectory(directory.path, files, { beatMs })).rejects.toThrow(
      `Process ${process.pid} on ${hostname()} uses this directory`,
    );
    await lock.look();
    await lock.release();
    expect(await readdir(directory.path)).toEqual([]);
  });

  test('is respected while it is being written', async () => {
    const lock = await lockDirectory(directory.path, files, { beatMs });
    const halfWritten = vi.fn<typeof nodeFiles.readFile>(nodeFiles.readFile).mockResolvedValueOnce('');
    await expect(
      lockDirectory(directory.path, { ...files, readFile: halfWritten as typeof nodeFiles.readFile }, { beatMs }),
    ).rejects.toThrow(`Process ${process.pid} on ${hostname()} uses this directory`);
    await lock.look();
    await lock.release();
  });

  test('is acquired by exactly one of several concurrent processes', async () => {
    const came = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory.path, files, { beatMs })));
    const locks = came.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(locks).toHaveLength(1);
    await locks[0]!.look();
    await locks[0]!.release();
  });
});

describe('a lock that was lost', () => {
  /** Ways in which a paused process loses its lock: name, change, expected error. */
  const losses: readonly [string, (path: string) => Promise<unknown>, RegExp][] = [
    [
      'to another process',
      (path) => writeFile(join(path, 'lock'), JSON.stringify({ pid: 7, born: null, host: 'elsewhere', token: 'another' })),
      /lock now belongs to process 7 on elsewhere/,
    ],
    [
      'because the directory is deleted',
      (path) => rm(path, { recursive: true }),
      /lock is gone: its directory was removed, moved or replaced/,
    ],
    ['because the directory is moved', (path) => rename(path, `${path}.moved`), /lock is gone/],
    [
      'to a copy of the directory',
      async (path) => {
        await rename(path, `${path}.moved`);
        await mkdir(path);
        await writeFile(join(path, 'lock'), await readFile(join(`${path}.moved`, 'lock')));
      },
      /lock is not the file that this process created/,
    ],
  ];

  test.each(losses)('%s is detected after a pause, before a commit is acknowledged', async (_how, lose, message) => {
    const warnings: string[] = [];
    const worlds = await open({ warn: (text) => warnings.push(text) });
    await worlds.create('w', { a: 1 });
    await lose(directory.path);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2000 });
    const refused = { code: 'SERVICE_UNAVAILABLE', details: { cause: 'LOCK_LOST' } };
    await expect(worlds.put({ a: 2 })).rejects.toMatchObject(refused);
    await expect(worlds.put({ a: 3 })).rejects.toMatchObject(refused);
    expect(worlds.storage.isReadOnly).toBe(true);
    expect(warnings).toEqual([expect.stringMatching(message)]);
    const found = await readdir(directory.path).catch(() => null);
    await worlds.storage.close();
    expect(await readdir(directory.path).catch(() => null)).toEqual(found);
    await rm(`${directory.path}.moved`, { recursive: true, force: true });
  });

  test.each(losses)('%s is detected even without a commit', async (_how, lose) => {
    const worlds = await open();
    await worlds.create('w', { a: 1 });
    await lose(directory.path);
    await expect.poll(() => worlds.storage.isReadOnly).toBe(true);
    await worlds.storage.close();
    await rm(`${directory.path}.moved`, { recursive: true, force: true });
  });
});
