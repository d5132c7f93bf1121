import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileStorage, type FileStorageOptions } from './file-storage.js';
import { emptyState, applyChanges, type Change, type State } from './state.js';
import type { Worlds } from './storage.js';

let directory = '';
const opened: FileStorage[] = [];
const database = () => join(directory, 'db.json');
const journal = () => join(directory, 'journal');

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'storage-'));
});
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  await rm(directory, { recursive: true, force: true });
});

/** A storage with the worlds that commits go to, as the sandbox has them. */
async function open(options: FileStorageOptions = {}) {
  const storage = await FileStorage.open(directory, options);
  opened.push(storage);
  const worlds: Map<string, State> = await storage.load();
  const all = (): Worlds => worlds;
  return {
    storage,
    worlds,
    create(world: string) {
      const state = emptyState();
      worlds.set(world, state);
      return storage.commit({ world, state }, all);
    },
    put(value: number, id = 'n', world = 'w') {
      const changes: Change[] = [{ table: 'counters', id, row: { id, value } }];
      applyChanges(worlds.get(world)!, changes);
      return storage.commit({ world, changes }, all);
    },
    drop(world: string) {
      worlds.delete(world);
      return storage.commit({ world, dropped: true }, all);
    },
    value: (id = 'n', world = 'w') => worlds.get(world)?.counters.get(id)?.value,
  };
}

/** Ends a storage as a crash would: nothing is written any more, and its files stay as they are. */
async function crash() {
  const copy = await mkdtemp(join(tmpdir(), 'storage-'));
  await cp(directory, copy, { recursive: true });
  directory = copy;
}

const segments = async () => (await readdir(journal())).toSorted().map((name) => join(journal(), name));

describe('what was acknowledged', () => {
  test('is there after a clean stop, in db.json alone', async () => {
    const first = await open();
    await first.create('w');
    await first.put(1);
    await first.storage.close();
    expect(await segments()).toEqual([]);
    expect(JSON.parse(await readFile(database(), 'utf8')).worlds.w.counters).toEqual({ n: { id: 'n', value: 1 } });
    expect((await open()).value()).toBe(1);
  });

  test('is there after a crash, from the journal', async () => {
    const first = await open();
    await first.create('w');
    await Promise.all([first.put(1), first.put(2), first.put(7, 'm')]);
    await first.create('gone');
    await first.drop('gone');
    await crash();
    const second = await open();
    expect([second.value(), second.value('m'), [...second.worlds.keys()]]).toEqual([2, 7, ['w']]);
    await second.put(3);
    await crash();
    expect((await open()).value()).toBe(3);
  });
});

describe('db.json', () => {
  test.each([
    ['{\n  "version": 1,\n  "worlds": {\n    "w": }\n}', /db\.json:4:10: it is not JSON/],
    ['{"version": 2, "worlds": {}}', /has format 2; this sandbox reads 1/],
    ['{"version": 1, "worlds": {"w": {"cats": {}}}}', /world w has an unknown table cats/],
    ['{"version": 1, "worlds": {"w": {"counters": {"n": {"id": "m"}}}}}', /w, counters\/n: a row has to be an object whose id is its key/],
  ])('is refused when it is damaged: %s', async (text, message) => {
    await writeFile(database(), text);
    await expect(open()).rejects.toThrow(message);
  });

  test('may be edited after a clean stop', async () => {
    const first = await open();
    await first.create('w');
    await first.put(1);
    await first.storage.close();
    const document = JSON.parse(await readFile(database(), 'utf8'));
    document.worlds.w.counters.n.value = 99;
    await writeFile(database(), JSON.stringify(document));
    expect((await open()).value()).toBe(99);
  });
});
