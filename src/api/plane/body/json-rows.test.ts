import * as fc from 'fast-check';
import type { Context } from 'hono';
import { describe, expect, it } from 'vitest';
import { readJsonRows, type RowsPlace } from './json-rows.js';

type Rows = Record<string, unknown[]>;

const inTables: RowsPlace = { level: 3, hasRows: (outer) => outer === 'tables', maxBytes: 64 * 1024 * 1024 };

/** Reads a document in pieces. @returns the document with its rows, or the error */
async function read(text: string | Uint8Array, cuts: readonly number[] = []): Promise<unknown> {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  const pieces = places.map((from, index) => bytes.subarray(from, places[index + 1]));
  const body = new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const rows: Rows = {};
  const context = { env: {}, req: { raw: { headers: new Headers(), body } } } as unknown as Context;
  try {
    const taker = {
      begin: () => undefined,
      edit: (row: string) => row,
      row: (table: string, index: number, row: unknown) => {
        (rows[table] ??= []).push(row);
        expect(rows[table]).toHaveLength(index + 1);
      },
    };
    const value = (await readJsonRows(context, inTables, taker)) as { tables?: Rows };
    for (const [table, each] of Object.entries(rows)) {
      expect(value.tables?.[table]).toEqual([]);
      value.tables![table] = each;
    }
    return { value };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

const parsed = (text: string) => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { why: expect.stringContaining('Invalid JSON') as unknown };
  }
};

const cuts = fc.array(fc.nat(5000), { maxLength: 5 });
const name = fc.stringMatching(/^[a-z"\\é]{1,5}$/);
const value = fc.jsonValue({ maxDepth: 3 }).filter((each) => !/"(__proto__|constructor)":/.test(JSON.stringify(each)));
const document = fc.record({
  version: value,
  tables: fc.dictionary(name, fc.oneof(fc.array(value, { maxLength: 4 }), fc.constant([]))),
  [`ta"bles`]: value,
});

/** Returns the number of keys in JSON text, duplicates included. */
const colonsIn = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;

/** Returns the number of keys in a value, at all levels. */
function keysIn(root: unknown): number {
  if (typeof root !== 'object' || root === null) return 0;
  const own = Array.isArray(root) ? 0 : Object.keys(root).length;
  return Object.values(root).reduce<number>((sum, each) => sum + keysIn(each), own);
}

describe('a document with tables', () => {
  it('results in the same value as with JSON.parse, in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(document, fc.constantFrom(undefined, 1, '\t'), cuts, async (whole, space, at) => {
        const text = JSON.stringify(whole, null, space);
        expect(await read(text, at)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  it('is rejected if and only if JSON.parse would reject it', async () => {
    const letters = '{}[]",:\\ 0123456789.-+eEntfu\n\u0001é'.split('');
    await fc.assert(
      fc.asyncProperty(document, fc.nat(), fc.constantFrom('', ...letters), fc.nat(2), cuts, async (whole, place, letter, taken, at) => {
        const text = JSON.stringify(whole);
        const from = place % (text.length + 1);
        const edited = text.slice(0, from) + letter + text.slice(from + taken);
        const expected = parsed(edited);
        fc.pre(!('value' in expected) || colonsIn(edited) === keysIn(expected.value)); // No duplicate keys.
        expect(await read(edited, at)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    [Buffer.from([0x22, 0xff, 0x22]), 'its bytes are not UTF-8'],
    ['{"tables":{"a":[{"x":"\u00e9"}]}}'.slice(0, -4), 'JSON'],
    [Buffer.concat([Buffer.from('{"tables":{"a":[0,"'), Buffer.from([0xff]), Buffer.from('"]}}')]), 'tables.a[1]: its bytes are not UTF-8'],
    ['{"tables":{"a":[1,,2]}}', 'tables.a[1]: '],
    ['{"tables":{"a":[1,]}}', 'tables.a[1]: '],
    ['{"tables":{"a":[1 2]}}', 'tables.a[0]: '],
    ['{"tables":{"a":[1}}', 'expected a comma or a closing bracket'],
    ['{"tables":{"a":[],"a":[]}}', 'it has tables.a twice'],
    ['{"x":{"constructor":1}}', 'it has a key named constructor'],
    [`{"x":${'['.repeat(64)}${']'.repeat(64)}}`, 'it is nested deeper than 64 levels'],
    [`{"tables":{"a":[${'['.repeat(129)}${']'.repeat(129)}]}}`, 'tables.a[0]: it is nested deeper than 128 levels'],
    [`{"tables":{"a":[0,[${'[],'.repeat(100_000)}0]]}}`, 'tables.a[1]: it has more than 100000 values'],
    [`{"tables":{"a":["${'x'.repeat(8 * 1024 * 1024)}"]}}`, 'tables.a[0] has more than 8388608 bytes'],
    [`{"x":"${'x'.repeat(1024 * 1024)}"}`, 'the part outside of the table rows has more than 1048576 bytes'],
    [`[${'{},'.repeat(400_000)}0]`, 'it has more than 10000 values'],
    [`{"a"${':'.repeat(120_000)}`, 'after byte 5: expected a value'],
  ])('with an error is rejected with the reason: %.40s', async (text, why) => {
    expect(await read(text, [1000])).toEqual({ why: expect.stringContaining(why) });
  });

  it('can have rows of the maximum size, and rows with keys of any name', async () => {
    const text = `{"tables":{"a":["${'x'.repeat(8 * 1024 * 1024 - 2)}",{"constructor":1},[${'[],'.repeat(99_000)}0]]}}`;
    expect(JSON.stringify(await read(text, [70, 5000])) === `{"value":${text}}`).toBe(true);
  });
});
