import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings } from '../../server/options.js';
import { startServer } from '../../server/server.js';
import { temporaryDirectory, tokenFor } from '../../testing/process.js';
import { StoredWorlds } from '../../testing/storage.js';
import { FileStorage } from './file-storage.js';

/** Interval at which the holder of a lock checks it in these tests, in milliseconds. */
const beatMs = 20;

let directory: string;
beforeEach(() => {
  directory = join(temporaryDirectory(), 'data');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const start = () => startServer(readSettings(['--port', '0', '--data', directory, '--log-level', 'silent'], {}));

/** Stops a server and completes its last checkpoint, for which a busy machine may need longer than a stop waits. */
async function stop(server: Awaited<ReturnType<typeof start>>): Promise<void> {
  await server.close();
  await (await FileStorage.open(directory, { stopMs: 60_000 })).close();
}

type Left = Readonly<Record<'db.json' | 'token-key.json', string>>;
let leftOnce: Promise<Left> | undefined;

/** Returns the files that a stop left. Starts a server only once. */
function leftByStop(): Promise<Left> {
  return (leftOnce ??= (async () => {
    const server = await start();
    await tokenFor(server.url);
    await stop(server);
    const read = (name: string) => readFile(join(directory, name), 'utf8');
    const files = { 'db.json': await read('db.json'), 'token-key.json': await read('token-key.json') };
    await rm(directory, { recursive: true });
    return files;
  })());
}

/** Returns all permissions in a directory, by path. */
async function modes(path: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(path, { recursive: true }))];
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, ((await stat(join(path, name))).mode & 0o777).toString(8)])),
  );
}

test.skipIf(process.platform === 'win32')(
  'files with secrets and the directory that the sandbox creates are readable only by their owner',
  async () => {
    const server = await start();
    await tokenFor(server.url);
    await stop(server);
    expect(await modes(directory)).toEqual({
      '.': '700',
      journal: '700',
      'db.json': '600',
      'token-key.json': '600',
      [`journal/${(await readdir(join(directory, 'journal')))[0]}`]: '600',
    });
  },
);

test('a directory that existed before the sandbox keeps its permissions', async () => {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const server = await start();
  await server.close();
  expect((await modes(directory))['.']).toBe('755');
});

test.each([
  ['is truncated', (text: string) => text.slice(0, 100)],
  ['is empty', () => ''],
  ['is JSON but not a key', () => '{}'],
  ['has a changed modulus', (text: string) => text.replace(/"n":"(.{8})/, '"n":"AAAAAAAA')],
])('a start fails with an error that names the fix if the token key %s', async (_what, damage) => {
  const left = await leftByStop();
  await mkdir(directory, { recursive: true });
  for (const [name, text] of Object.entries(left)) await writeFile(join(directory, name), name === 'token-key.json' ? damage(text) : text);
  await expect(start()).rejects.toThrow(/SANDBOX_DATA.*The token signing key is damaged \(token-key\.json.*Restore it\. Or delete it/);
});

test('a start creates a token key if the key was deleted', async () => {
  const left = await leftByStop();
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'db.json'), left['db.json']);
  const server = await start();
  await tokenFor(server.url);
  await server.close();
  expect(await readFile(join(directory, 'token-key.json'), 'utf8')).not.toBe(left['token-key.json']);
});

test.each([
  ['removed', (journal: string) => rm(journal, { recursive: true })],
  ['moved', (journal: string) => rename(journal, `${journal}.moved`)],
  ['replaced', async (journal: string) => (await rename(journal, `${journal}.moved`), await mkdir(journal))],
])('writes stop when the journal is %s', async (_what, change) => {
  const warnings: string[] = [];
  const worlds = await StoredWorlds.open(directory, { beatMs, warn: (message) => warnings.push(message) });
  await worlds.create('w', { a: 1 });
  await change(join(directory, 'journal'));
  await expect.poll(() => worlds.storage.isReadOnly).toBe(true);
  await expect(worlds.put({ a: 2 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(warnings).toEqual([expect.stringMatching(/journal.*is gone: the journal was removed, moved or replaced.*is read-only/)]);
  await worlds.storage.close();
  expect(await readdir(directory)).not.toContain('lock');
});

test.each([
  ['removed', (segment: string) => rm(segment)],
  ['replaced', async (segment: string) => (await rm(segment), await writeFile(segment, ''))],
  ['replaced by a copy', async (segment: string) => (await copyFile(segment, `${segment}.copy`), await rename(`${segment}.copy`, segment))],
])('the next write is rejected when the segment of the journal was %s', async (_what, change) => {
  const worlds = await StoredWorlds.open(directory, { warn: () => undefined });
  await worlds.create('w', { a: 1 });
  const [segment] = await readdir(join(directory, 'journal'));
  await change(join(directory, 'journal', segment!));
  await expect(worlds.put({ a: 2 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(worlds.storage.isReadOnly).toBe(true);
  await worlds.storage.close();
});

test('writes continue while the journal rotates and the lock is checked', async () => {
  const worlds = await StoredWorlds.open(directory, { beatMs, minJournalBytes: 200 });
  await worlds.create('w', { a: 1 });
  const touches = new Set<number>();
  for (let value = 2; touches.size < 5; value += 1) {
    await worlds.put({ a: value });
    touches.add((await stat(join(directory, 'lock'))).mtimeMs);
  }
  expect(worlds.storage.isReadOnly).toBe(false);
  await worlds.storage.close();
});

type Rows = Record<string, Record<string, unknown>>;
type Tables = Record<string, Rows>;
const firstOf = (rows: Rows) => Object.values(rows)[0]!;

test.each<[string, (worlds: Record<string, Tables>) => void, RegExp]>([
  [
    'a copy of a world with the same client',
    (worlds) => {
      worlds['copy'] = structuredClone(worlds['default']!);
      worlds['copy']['identity']!['identity']!['name'] = 'copy';
    },
    /World copy: the world default has the same client id, sandbox\. Give each world a different client id\.$/,
  ],
  [
    'an unknown field',
    ({ default: tables }) => (firstOf(tables!['accounts']!)['colour'] = 'red'),
    /World default: accounts\/[^ ]+: colour: expected no such field\.$/,
  ],
  [
    'an unknown field deep in a row',
    ({ default: tables }) => ((firstOf(tables!['accounts']!)['states'] as Record<string, unknown>[])[0]!['stauts'] = 'ACTIVE'),
    /World default: accounts\/[^ ]+: states\[0\]\.stauts: expected no such field; did you mean "status"\?$/,
  ],
  [
    'an unknown field of a world identity',
    ({ default: tables }) => (tables!['identity']!['identity']!['sead'] = 'x'),
    /World default: identity\/identity: sead: expected no such field; did you mean "seed"\?$/,
  ],
  [
    'a posting to an account that does not exist',
    ({ default: tables }) => {
      const text = JSON.stringify(firstOf(tables!['ledgerEntries']!));
      const entry = JSON.parse(text.replace(/customer:[^"]{4}/, 'customer:dead')) as { id: string };
      tables!['ledgerEntries']![entry.id] = entry;
    },
    /World default: ledgerEntries\/[^ ]+: postings\[\d\]\.account: references accounts\/dead[^ ]+, which does not exist\.$/,
  ],
  [
    'a wrong balance',
    ({ default: tables }) => (firstOf(tables!['balances']!)['value'] = '7.00'),
    /World default: balances\/[^ ]+: value: 7\.00 is not the sum of its ledger entries\.$/,
  ],
  [
    'a balance with the id of another account',
    ({ default: tables }) => {
      const [first, second] = Object.values(tables!['balances']!).filter(({ account }) => String(account).startsWith('customer:'));
      first!['account'] = second!['account'] === first!['account'] ? 'fx' : second!['account'];
    },
    /World default: balances\/[^ ]+: account: its id does not match /,
  ],
])('a start with db.json edited to contain %s fails with an error that names the problem', async (_what, edit, message) => {
  const document = JSON.parse((await leftByStop())['db.json']) as { worlds: Record<string, Tables> };
  edit(document.worlds);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'db.json'), JSON.stringify(document));
  await expect(start()).rejects.toThrow(message);
});
