import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { atOnce } from '../domain/work.js';
import { createTokenKey } from '../sandbox/tokens.js';
import { fixtureIds, Harness, withdraw } from '../testing/harness.js';
import { FileStorage } from '../storage/file/file-storage.js';
import { OtherLayout, readByLine } from '../storage/file/snapshot-lines.js';
import { tableNames, type State } from './state.js';
import { Table } from './table.js';
import { UnitOfWork } from './unit-of-work.js';

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((each) => rm(each, { recursive: true, force: true }))));

test('a table is the same whatever of it is packed', () => {
  const step = fc.record({
    kind: fc.constantFrom('PUT', 'PUT', 'PUT AS JSON', 'DELETE', 'PACK', 'READ'),
    id: fc.integer({ min: 0, max: 700 }).map((number) => `r${number % 40 === 7 ? '"é\n' : number}`),
    group: fc.constantFrom('a', 'b'),
    text: fc.string({ unit: 'grapheme', maxLength: 8 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 600, maxLength: 1500 }), (steps) => {
      const table = new Table<{ id: string; group: string; text: string }>({
        indexes: { group: (row) => [`${row.group} ${row.id}`] },
        packs: true,
      });
      const plain = new Map<string, { id: string; group: string; text: string }>();
      for (const { kind, ...row } of steps) {
        if (kind.startsWith('PUT')) {
          table.set(row.id, row, kind === 'PUT' ? undefined : JSON.stringify(row));
          plain.set(row.id, row);
        } else if (kind === 'DELETE') expect(table.delete(row.id)).toBe(plain.delete(row.id));
        else if (kind === 'PACK') table.pack();
        else expect(table.get(row.id)).toEqual(plain.get(row.id));
      }
      expect([...table]).toEqual([...plain]);
      expect([table.size, [...table.keys()], [...table.values()]]).toEqual([plain.size, [...plain.keys()], [...plain.values()]]);
      expect([...table.capture().rows()]).toEqual([...plain.values()]);
      const inGroup = [...plain.values()].filter((row) => row.group === 'a').map((row) => row.id);
      expect([...table.walk('group', 'a ')].map((row) => row.id)).toEqual(inGroup.toSorted((a, b) => (a < b ? -1 : 1)));
    }),
    { numRuns: 20, endOnFailure: true },
  );
});

describe('db.json of a used world', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'packed-'));
  directories.push(directory);
  const path = join(directory, 'db.json');
  const harness = await new Harness().open(await createTokenKey(), { storage: await FileStorage.open(directory) });
  const { accountId, accountIds } = fixtureIds(harness);
  await harness.api('POST', '/api/subscriptions', { body: { url: 'https://hooks.example.com/', includeAll: true, allowRetry: true } });
  for (let count = 0; count < 12; count += 1) {
    await withdraw(harness);
    const amount = { value: '1.00', asset: 'BRL' };
    await harness.api('POST', '/api/operations/transfer', { body: { sourceAccountId: accountId, targetAccountId: accountIds[1], amount } });
    harness.realMs += 700;
  }
  await harness.quiet();
  const before = harness.sandbox.world('default').state;
  await harness.sandbox.close();
  const written = await readFile(path, 'utf8');

  const reopened = async (): Promise<{ state: State; storage: FileStorage }> => {
    const storage = await FileStorage.open(directory);
    return { state: (await storage.load()).get('default')!, storage };
  };
  const expectSame = (state: State, expected: State) => {
    for (const name of tableNames) {
      expect([...state[name].keys()]).toEqual([...expected[name].keys()]);
      expect([...state[name].values()]).toEqual([...expected[name].values()]);
      for (const index of expected[name].indexNames) expect([...state[name].walk(index)]).toEqual([...expected[name].walk(index)]);
    }
  };

  test('is read as it was, with all keys, though most rows are not looked at', async () => {
    const { state, storage } = await reopened();
    const flows = (of: State) => [...atOnce(new UnitOfWork(of, 0, 'read').flows()).between(0, harness.realMs)];
    expect(flows(before).length).toBeGreaterThan(2);
    expect(flows(state)).toEqual(flows(before));
    expectSame(state, before);
    await storage.close();
    expect(before.deliveries.size).toBeGreaterThan(30);
  });

  test('is written again as it was, with what has changed', async () => {
    const { state, storage } = await reopened();
    const [quote] = state.quotes.values();
    const changed = { ...quote!, expiresAt: '2027-01-01T00:00:00.000Z' };
    state.quotes.set(changed.id, changed);
    const changes = [{ table: 'quotes' as const, id: changed.id, row: changed }];
    await storage.commit({ world: 'default', changes }, () => new Map([['default', state]]));
    await storage.close();
    const lines = (text: string) => text.split('\n').filter((line) => !line.startsWith('  "sequence"'));
    expect(lines(await readFile(path, 'utf8'))).toEqual(lines(written.replace(JSON.stringify(quote), JSON.stringify(changed))));
  });

  test('is checked when it was edited, whether it is small enough to be read as a whole or not', async () => {
    const text = await readFile(path, 'utf8');
    const [operation] = before.operations.values();
    const edited = text.replace(`"owner":"${operation!.account.owner}"`, '"owner":"Somebody Else"');
    await writeFile(path, edited);
    const { state, storage } = await reopened();
    expect(JSON.stringify([...state.operations.values(), ...state.quotes.values()])).toContain('Somebody Else');
    await storage.close();
    await writeFile(path, text.replaceAll(/("operations": \{\n)[^\n]*\n/g, '$1'));
    await expect(reopened()).rejects.toThrow(/names operations\//);
    await writeFile(path, edited);
    const handle = await open(path);
    expectSame((await readByLine(handle, 1, false)).worlds.get('default')!, state);
    await handle.close();
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, -30), /cut off|does not end/],
    [
      'a row without its end',
      (text: string) => text.replace('"}\n      },\n      "quotes"', '"\n      },\n      "quotes"'),
      /^line [0-9]+ /,
    ],
    ['a comma too many', (text: string) => text.replace('}\n      },\n      "quotes"', '},\n      },\n      "quotes"'), /^line [0-9]+ /],
    ['a comma too few', (text: string) => text.replace('},\n      "quotes"', '}\n      "quotes"'), /^line [0-9]+ /],
    ['an unknown table', (text: string) => text.replace('      "quotes": {', '      "cats": {'), /^line [0-9]+ /],
    ['another id', (text: string) => text.replace(/"quotes": \{\n {8}"./, '"quotes": {\n        "x'), /^line [0-9]+ /],
    ['another format', (text: string) => text.replace('"version": 1', '"version": 2'), /^line 2 /],
    ['something behind it', (text: string) => `${text}{}\n`, /^line [0-9]+ /],
  ])('that is read line by line is refused with %s', async (_what, damage, message) => {
    const copy = join(directory, 'damaged.json');
    expect(damage(written)).not.toBe(written);
    await writeFile(copy, damage(written));
    const handle = await open(copy);
    const refusal = await readByLine(handle, 1, false).catch((error: unknown) => error);
    await handle.close();
    expect(refusal).toBeInstanceOf(OtherLayout);
    expect((refusal as Error).message).toMatch(message);
  });
});
