import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Harness, sharedTokenKey } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';
import { loadWorlds } from '../../testing/storage.js';
import type { State } from '../../world/state.js';
import { tableNames, tables } from '../../world/tables.js';
import { FileStorage } from './file-storage.js';

const directory = await mkdtemp(join(tmpdir(), 'snapshot-'));
const path = join(directory, 'db.json');
let storage: FileStorage | undefined;
afterEach(() => storage?.close());
afterAll(() => rm(directory, { recursive: true }));

/** Writes db.json after some requests. @returns the state of the world, and the text of the file */
async function used(): Promise<{ before: State; written: string }> {
  const harness = await new Harness().open(await sharedTokenKey(), { storage: await FileStorage.open(directory, { stopMs: 60_000 }) });
  const { accountId, accountIds } = fixtureIds(harness);
  await harness.api('POST', '/api/subscriptions', { body: { url: 'https://hooks.example.com/', includeAll: true, allowRetry: true } });
  for (let count = 0; count < 12; count += 1) {
    await withdraw(harness);
    const amount = { value: '1.00', asset: 'BRL' };
    await harness.api('POST', '/api/operations/transfer', { body: { sourceAccountId: accountId, targetAccountId: accountIds[1], amount } });
    harness.realMs += 700;
  }
  for (const name of ['b', '10', '"é\n\u2028', '9']) await harness.control('POST', '/snapshots', { name });
  await harness.quiet();
  const before = harness.sandbox.world('default').state;
  await harness.sandbox.close();
  return { before, written: await readFile(path, 'utf8') };
}

/** Opens a storage with this text as db.json. @returns the state of the default world */
async function opened(text: string): Promise<State> {
  await writeFile(path, text);
  storage = await FileStorage.open(directory);
  return (await loadWorlds(storage)).get('default')!;
}

function expectSame(state: State, expected: State): void {
  for (const name of tableNames) {
    expect([...state[name].keys()]).toEqual([...expected[name].keys()]);
    expect([...state[name].values()]).toEqual([...expected[name].values()]);
    for (const index of Object.keys((tables[name] as { indexes?: object }).indexes ?? {}))
      expect([...state[name].walk(index)]).toEqual([...expected[name].walk(index)]);
  }
}

describe('db.json of a used world', async () => {
  const { before, written } = await used();

  test.each([
    ['without changes', (text: string) => text],
    ['with one row in another layout', (text: string) => text.replace(/("quotes": \{\n {8}[^\n]*?)\{/, '$1{\n')],
    ['without the last line end', (text: string) => text.trimEnd()],
  ])('is read completely %s', async (_what, change) => {
    const state = await opened(change(written));
    expectSame(state, before);
    expect(before.deliveries.size).toBeGreaterThan(30);
    expect(before.operations.size).toBeGreaterThan(2);
  });

  test.each([
    ['with other line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['on one line', (text: string) => JSON.stringify(JSON.parse(text))],
    ['in the layout of an editor', (text: string) => JSON.stringify(JSON.parse(text), null, 2)],
    ['with much white space', (text: string) => JSON.stringify(JSON.parse(text), null, '\t')],
  ])('is read %s', async (_what, laidOut) => {
    const state = await opened(laidOut(written));
    expect([...state.operations.values()]).toEqual([...before.operations.values()]);
    expect(new Map(state.snapshots)).toEqual(new Map(before.snapshots));
  });

  test('is unchanged after another save, except for changed rows', async () => {
    const state = await opened(written);
    const [quote] = state.quotes.values();
    const changed = { ...quote!, expiresAt: '2027-01-01T00:00:00.000Z' };
    state.quotes.set(changed.id, changed);
    const changes = [{ table: 'quotes' as const, id: changed.id, row: changed }];
    await (await storage!.open('default'))!.log.append(1, changes, null);
    await storage!.close();
    const lines = (text: string) => text.split('\n').filter((line) => !line.startsWith('  "sequence"'));
    expect(lines(await readFile(path, 'utf8'))).toEqual(lines(written.replace(JSON.stringify(quote), JSON.stringify(changed))));
  });

  test('may be edited without changing its layout', async () => {
    const [operation] = before.operations.values();
    const state = await opened(written.replace(`"owner":"${operation!.account.owner}"`, '"owner":"Somebody Else"'));
    expect(JSON.stringify([...state.operations.values(), ...state.quotes.values()])).toContain('Somebody Else');
  });

  const quotes = written.split('\n').indexOf('      "quotes": {') + 1;
  test.each([
    ['its end', (text: string) => text.slice(0, -30), /db\.json:[0-9]+:[0-9]+: invalid JSON/],
    ['a colon in a row', (text: string) => text.replace(/("quotes": \{\n[^\n]*?"seq"):/, '$1'), `db.json:${quotes + 1}:`],
    ['a comma', (text: string) => text.replace(/("quotes": \{\n[^\n]*\}),\n/, '$1\n'), `db.json:${quotes + 2}:9: invalid JSON`],
    [
      'a row that others reference',
      (text: string) => text.replaceAll(/("operations": \{\n)[^\n]*\n/g, '$1'),
      /World default: .* references operations\//,
    ],
    ['a field', (text: string) => text.replace('"expiresAt":', '"endsAt":'), /World default: quotes\/.*: expiresAt: /],
    [
      'the id of a row',
      (text: string) => text.replace(/"quotes": \{\n {8}"./, '"quotes": {\n        "x'),
      /default, quotes\/x.*: expected an object/,
    ],
  ])('is rejected without %s', async (_what, damage, message) => {
    expect(damage(written)).not.toBe(written);
    await expect(opened(damage(written))).rejects.toThrow(message);
  });

  test.each([
    [
      'an additional comma',
      (text: string) => text.replace('}\n      },\n      "quotes"', '},\n      },\n      "quotes"'),
      `db.json:${quotes - 1}:7:`,
    ],
    ['an unknown table', (text: string) => text.replace('      "quotes": {', '      "cats": {'), /unknown table cats/],
    ['an unknown version', (text: string) => text.replace('"version": 1', '"version": 2'), /its version is 2/],
    ['text after the end', (text: string) => `${text}{}\n`, /invalid JSON/],
    [
      'a number instead of a row',
      (text: string) => text.replace(/("quotes": \{\n {8}"[^"]*": )[^\n]*\}/, '$1 0'),
      /quotes\/.*: expected an object/,
    ],
  ])('is rejected with %s', async (_what, damage, message) => {
    expect(damage(written)).not.toBe(written);
    await expect(opened(damage(written))).rejects.toThrow(message);
  });
});
