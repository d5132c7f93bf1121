import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StorageDirectory, StoredWorlds, valuesOf } from '../../testing/storage.js';
import { stateOf, type State } from '../../world/state.js';
import type { FileStorageOptions } from './options.js';
import type { StoredWorld } from '../stored-world.js';
import { nodeFiles } from './files.js';
import { JournalDamage, readLines } from './journal-line.js';
import { replay } from './journal-replay.js';
import { inLength } from '../../testing/long-run.js';

const directories: StorageDirectory[] = [];
const opened: StoredWorlds[] = [];
let directory: StorageDirectory;

beforeEach(() => {
  directory = new StorageDirectory();
  directories.push(directory);
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.storage.close();
  for (const each of directories.splice(0)) await each.remove();
});

async function open(options: FileStorageOptions = {}): Promise<StoredWorlds> {
  const worlds = await StoredWorlds.open(directory.path, options);
  opened.push(worlds);
  return worlds;
}

function crash(): void {
  directory = directory.afterCrash();
  directories.push(directory);
}

async function edit(change: (document: { worlds: Record<string, Record<string, unknown>> }) => void): Promise<void> {
  const document = JSON.parse(await readFile(directory.database, 'utf8'));
  change(document);
  await writeFile(directory.database, JSON.stringify(document));
}

describe('an acknowledged commit', () => {
  test('is in db.json after a clean stop, so that the journal is not needed', async () => {
    const first = await open();
    await first.create('w', { a: 1 });
    await first.put({ n: 2 });
    await first.storage.close();
    await rm(`${directory.path}/journal`, { recursive: true });
    expect(JSON.parse(await readFile(directory.database, 'utf8')).worlds.w.counters).toEqual({
      a: { id: 'a', value: 1 },
      n: { id: 'n', value: 2 },
    });
    expect((await open()).values).toEqual({ w: { a: 1, n: 2 } });
  });

  test('is in the journal after a crash', async () => {
    const first = await open();
    await first.create('w', Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`k${index}`, index])));
    await Promise.all([first.put({ k0: 1 }), first.put({ k0: 2, k1: null }), first.put({ m: 7 })]);
    await first.create('gone');
    await first.drop('gone');
    crash();
    const second = await open();
    expect(second.values).toEqual(first.values);
    await second.put({ m: 8 });
    crash();
    expect((await open()).values['w']).toMatchObject({ k0: 2, m: 8 });
  });

  test('is restored after any operations and crashes, as a simple model predicts', { timeout: 60_000 }, async () => {
    const world = fc.constantFrom('w', 'v');
    type Step =
      | { do: 'put'; world: string; id: string; value: number | null }
      | { do: 'create'; world: string; value: number }
      | { do: 'drop'; world: string }
      | { do: 'crash' }
      | { do: 'stop' };
    const put: fc.Arbitrary<Step> = fc.record({
      do: fc.constant('put' as const),
      world,
      id: fc.constantFrom('a', 'b', 'c'),
      value: fc.option(fc.nat(), { nil: null }),
    });
    const create: fc.Arbitrary<Step> = fc.record({ do: fc.constant('create' as const), world, value: fc.nat() });
    const drop: fc.Arbitrary<Step> = fc.record({ do: fc.constant('drop' as const), world });
    const end: fc.Arbitrary<Step> = fc.constantFrom({ do: 'crash' as const }, { do: 'stop' as const });
    const step = fc.oneof(
      { weight: 8, arbitrary: put },
      { weight: 1, arbitrary: create },
      { weight: 1, arbitrary: drop },
      { weight: 2, arbitrary: end },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        directory = new StorageDirectory();
        directories.push(directory);
        const model = new Map<string, Map<string, number>>();
        let worlds = await open();
        for (const each of steps) {
          if (each.do === 'stop') await worlds.storage.close();
          if (each.do === 'crash') crash();
          if (each.do === 'stop' || each.do === 'crash') {
            worlds = await open();
            const expected = Object.fromEntries([...model].map(([name, rows]) => [name, Object.fromEntries(rows)]));
            assert.deepEqual(worlds.values, expected);
          } else if (each.do === 'create') {
            await worlds.create(each.world, { a: each.value });
            model.set(each.world, new Map([['a', each.value]]));
          } else if (each.do === 'drop') {
            await worlds.drop(each.world);
            model.delete(each.world);
          } else if (model.has(each.world)) {
            await worlds.put({ [each.id]: each.value }, each.world);
            if (each.value === null) model.get(each.world)!.delete(each.id);
            else model.get(each.world)!.set(each.id, each.value);
          }
        }
      }),
      { numRuns: 12 },
    );
  });
});

describe('a checkpoint', () => {
  test('is written during commits when the journal has grown, and deletes the segments that it replaces', async () => {
    const first = await open();
    await first.create('w');
    const big = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key-${index}`.padEnd(40, '.'), index]));
    const commits: Promise<void>[] = [];
    for (let round = 0; round < 12; round += 1) {
      commits.push(first.put({ ...big, round }));
      await new Promise(setImmediate);
    }
    await Promise.all(commits);
    await expect.poll(async () => JSON.parse(await readFile(directory.database, 'utf8').catch(() => '{}')).sequence).toBeGreaterThan(1);
    await expect.poll(async () => (await directory.segments()).length).toBeLessThanOrEqual(2);
    crash();
    expect((await open()).values).toEqual(first.values);
  });

  test('is written after one second without commits', async () => {
    const first = await open();
    await first.create('w', { a: 1 });
    await expect.poll(async () => readdir(directory.path), { timeout: 5000 }).toContain('db.json');
  });

  test('has no effect if it was interrupted before it replaced db.json', async () => {
    const first = await open();
    await first.create('w', { a: 1 });
    crash();
    await writeFile(`${directory.database}.new`, '{"version": 1, "wor');
    expect((await open()).values).toEqual({ w: { a: 1 } });
  });
});

describe('db.json', () => {
  test.each([
    ['{\n  "version": 1,\n  "worlds": {\n    "w": }\n}', /db\.json:4:10: invalid JSON/],
    [
      '{"version": 2, "worlds": {}}',
      /version is 2, but this sandbox reads and writes version 1\. Start the sandbox version that wrote the file/,
    ],
    ['{"worlds": {}}', /version is undefined, but this sandbox reads and writes version 1/],
    ['{"version": 1, "worlds": {"w": {"cats": {}}}}', /world w has an unknown table cats/],
    ['{"version": 1, "worlds": {"w": {"counters": {"n": {"id": "m"}}}}}', /w, counters\/n: expected an object whose id is its key/],
    ['{"version": 1, "worlds": {"w": {}}}', /World w: its identity is missing/],
  ])('is rejected when it is damaged: %s', async (text, message) => {
    await writeFile(directory.database, text);
    await expect(open()).rejects.toThrow(message);
  });

  test('may be edited after a clean stop', async () => {
    const first = await open();
    await first.create('w', { a: 1 });
    await first.storage.close();
    await edit(({ worlds }) => (worlds['w']!['counters'] = { a: { id: 'a', value: 99 } }));
    expect((await open()).values).toEqual({ w: { a: 99 } });
  });

  test('has its counters raised permanently to match edited rows', async () => {
    const first = await open();
    await first.create('w', { inboxMessage: 3 });
    await first.storage.close();
    const message = { headers: {}, body: 'abc', signatureValid: true, createdAt: '2026-11-21T12:00:00.000Z' };
    await edit(({ worlds }) => (worlds['w']!['inboxMessages'] = { 'in/7': { id: 'in/7', seq: 7, inbox: 'in', ...message } }));
    expect((await open()).values).toEqual({ w: { inboxMessage: 7, inboxCharacters: 3 } });
    crash();
    expect((await open()).values).toEqual({ w: { inboxMessage: 7, inboxCharacters: 3 } });
  });

  test('is rejected when it was edited while newer commits existed, until the journal is removed', async () => {
    const first = await open();
    await first.create('w', { a: 1 });
    await first.storage.close();
    const second = await open();
    await second.put({ a: 2 });
    crash();
    await edit(({ worlds }) => (worlds['w']!['counters'] = { a: { id: 'a', value: 99 } }));
    await expect(open()).rejects.toThrow(
      /was edited, replaced or deleted while newer commits \(last: .*\.log, byte [0-9]+\) existed only in the journal.*delete .*journal/,
    );
    await rm(`${directory.path}/journal`, { recursive: true });
    expect((await open()).values).toEqual({ w: { a: 99 } });
  });

  test('is rejected after any single-bit corruption when the journal has newer commits', async () => {
    const first = await open();
    await first.create('w', { a: 1 });
    await first.storage.close();
    const second = await open();
    for (let value = 2; value < 6; value += 1) await second.put({ a: value });
    crash();
    const bytes = await readFile(directory.database);
    const header = bytes.indexOf('worlds') * 8; // The sequence number says which commits the file contains.
    for (let bit = 0; bit < bytes.length * 8; bit += bit < header ? inLength(7, 1) : inLength(101, 29)) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      await writeFile(directory.database, bytes);
      await expect(StoredWorlds.open(directory.path), `bit ${bit}`).rejects.toThrow(/db\.json/);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
    }
    await writeFile(directory.database, bytes);
    expect((await open()).values).toEqual({ w: { a: 5 } });
  });

  test('is copied and reported at the next checkpoint when it was edited while the sandbox runs', async () => {
    const warnings: string[] = [];
    const first = await open({ warn: (message) => warnings.push(message) });
    await first.create('w', { a: 1 });
    await first.storage.close();
    const second = await open({ warn: (message) => warnings.push(message) });
    await edit(({ worlds }) => (worlds['w']!['counters'] = { a: { id: 'a', value: 99 } }));
    await second.put({ a: 2 });
    await second.storage.close();
    expect(warnings).toEqual([expect.stringContaining('was changed by another program')]);
    const aside = (await readdir(directory.path)).find((name) => name.startsWith('db.edited-'));
    expect(await readFile(`${directory.path}/${aside}`, 'utf8')).toContain('99');
    expect((await open()).values).toEqual({ w: { a: 2 } });
  });
});

describe('the data directory', () => {
  test('is created with its missing parents', async () => {
    const worlds = await StoredWorlds.open(join(directory.path, 'not', 'yet', 'there'));
    await worlds.create('w', { a: 1 });
    await worlds.storage.close();
    expect(await readdir(join(directory.path, 'not', 'yet', 'there'))).toContain('db.json');
  });

  test.each([
    ['is a file', () => writeFile(join(directory.path, 'data'), ''), {}],
    [
      'is read-only',
      () => Promise.resolve(),
      { writeFile: () => Promise.reject(Object.assign(new Error('EROFS: injected'), { code: 'EROFS' })) },
    ],
  ])('prevents a start, with an error that names the fix, if it %s', async (_what, prepare, files) => {
    await prepare();
    const opening = StoredWorlds.open(join(directory.path, 'data'), { files: { ...nodeFiles, ...files } });
    await expect(opening).rejects.toThrow(/The data directory .*data cannot be used: E[A-Z]+: .*SANDBOX_DATA=memory/);
  });

  test('is rejected if db.json is a directory, which containers create for a missing mounted file', async () => {
    await mkdir(join(directory.path, 'db.json'));
    await expect(StoredWorlds.open(directory.path)).rejects.toThrow(/EISDIR: .*db\.json'/);
  });

  test('is rejected immediately if it cannot be created', async () => {
    await expect(StoredWorlds.open('/proc/none')).rejects.toThrow(
      /^The data directory \/proc\/none cannot be used: E[A-Z]+: .*Set SANDBOX_DATA to another directory, or use SANDBOX_DATA=memory/,
    );
  });
});

describe('a damaged journal', () => {
  /** Writes some commits. @returns the segment and the values after each commit */
  async function written(): Promise<{ segment: string; bytes: Buffer; prefixes: string[] }> {
    const first = await open();
    const prefixes = [JSON.stringify(first.values)];
    await first.create('w', { a: 1 });
    prefixes.push(JSON.stringify(first.values));
    for (let value = 0; value < 4; value += 1) {
      await first.put({ n: value, [`k${value}`]: value });
      prefixes.push(JSON.stringify(first.values));
    }
    crash();
    const [segment = ''] = await directory.segments();
    return { segment, bytes: await readFile(segment), prefixes };
  }

  /** Returns the values in a segment; null if the segment is rejected. */
  async function valuesIn(bytes: Buffer): Promise<string | null> {
    const worlds = new Map<string, StoredWorld>();
    try {
      replay(
        worlds,
        readLines(bytes).lines.map(({ line }) => line),
      );
    } catch (error) {
      if (error instanceof JournalDamage) return null;
      throw error;
    }
    const states = new Map<string, State>();
    for (const [name, stored] of worlds) states.set(name, await stateOf(stored));
    return JSON.stringify(valuesOf(states));
  }

  test('yields a prefix of the commits when it is truncated at any byte', async () => {
    const { segment, bytes, prefixes } = await written();
    let longest = 0;
    for (let length = 0; length <= bytes.length; length += 1) {
      const found = prefixes.indexOf((await valuesIn(bytes.subarray(0, length))) ?? 'refused');
      expect(found, `cut at ${length}`).toBeGreaterThanOrEqual(longest);
      longest = found;
    }
    expect(longest).toBe(prefixes.length - 1);
    await writeFile(segment, bytes.subarray(0, -10));
    expect(JSON.stringify((await open()).values)).toBe(prefixes.at(-2));
    expect((await readFile(segment)).at(-1)).toBe(0x0a);
  });

  test('is rejected or read correctly after any single-bit corruption', async () => {
    const { segment, bytes, prefixes } = await written();
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect([null, prefixes.at(-1)], `bit ${bit}`).toContain(await valuesIn(bytes));
      bytes[bit >> 3]! ^= 1 << (bit & 7);
    }
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(segment, bytes);
    expect(JSON.stringify((await open()).values)).toBe(prefixes.at(-1));
  });

  test('is rejected with the file and byte in the error when lines are swapped or missing', async () => {
    const { segment, bytes } = await written();
    const [base, ...lines] = bytes.toString().trimEnd().split('\n');
    const text = (order: readonly (string | undefined)[]) => Buffer.from(`${[base, ...order].join('\n')}\n`);
    for (const order of [[lines[0], lines[2], lines[1]], [lines[0], lines[2]], [lines[0], lines[0]], lines.slice(1)]) {
      await writeFile(segment, text(order));
      await expect(StoredWorlds.open(directory.path)).rejects.toThrow(/000001\.log, byte [0-9]+: commit .* follows commit .* are missing/);
    }
  });

  test('is rejected when a segment is missing, duplicated or out of order', async () => {
    for (let round = 0; round < 3; round += 1) {
      const worlds = await open();
      await (round === 0 ? worlds.create('w', { a: 0 }) : worlds.put({ a: round }));
      crash();
    }
    const [first = '', second = '', third = ''] = await directory.segments();
    const [one, two, three] = await Promise.all([first, second, third].map((path) => readFile(path)));
    const lay = async (...contents: (Buffer | undefined)[]) => {
      for (const [index, path] of [first, second, third].entries()) {
        if (contents[index]) await writeFile(path, contents[index]);
        else await rm(path, { force: true });
      }
    };
    for (const wrong of [
      [undefined, two, three],
      [one, undefined, three],
      [one, one, two],
      [one, three, two],
      [two, one, three],
    ]) {
      await lay(...wrong);
      await expect(StoredWorlds.open(directory.path)).rejects.toThrow(/\.log, byte [0-9]+: commit .* follows commit .* are missing/);
    }
    await lay(one, two, three);
    expect((await open()).values).toEqual({ w: { a: 2 } });
  });

  test('is read without the zero blocks that a power loss left at its end', async () => {
    const { segment, prefixes } = await written();
    await appendFile(segment, Buffer.alloc(4096));
    expect(JSON.stringify((await open()).values)).toBe(prefixes.at(-1));
  });

  test.each([8, 80, 600])('is rejected and left unchanged when %i zeros precede a complete line', async (length) => {
    const { segment, bytes, prefixes } = await written();
    const lastLine = bytes.lastIndexOf('\n', -2) + 1;
    for (let from = 0; from < bytes.length; from += 7) {
      const zeroed = Buffer.from(bytes).fill(0, from, Math.min(from + length, bytes.length));
      const found = await valuesIn(zeroed);
      if (from + length <= lastLine) expect(found, `zeros from ${from}`).toBeNull();
      else expect([null, ...prefixes], `zeros from ${from}`).toContain(found);
    }
    const damaged = Buffer.from(bytes).fill(0, 30, 30 + length);
    if (30 + length > lastLine) return;
    await writeFile(segment, damaged);
    await expect(StoredWorlds.open(directory.path)).rejects.toThrow(
      /000001\.log is damaged at byte [0-9]+: .* a complete line follows at byte [0-9]+/,
    );
    expect((await readFile(segment)).equals(damaged)).toBe(true);
  });

  test('is rejected if an older segment is damaged', async () => {
    const first = await open();
    await first.create('w', { a: 1 });
    crash();
    const second = await open();
    await second.put({ a: 2 });
    crash();
    const [older = ''] = await directory.segments();
    await writeFile(older, (await readFile(older)).subarray(0, -5));
    await expect(open()).rejects.toThrow(/000001\.log is damaged at byte [0-9]+/);
  });
});
