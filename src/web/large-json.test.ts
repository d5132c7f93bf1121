import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLargeJson } from './large-json.js';

async function* piecesOf(bytes: Uint8Array, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  for (const [index, from] of places.entries()) yield await Promise.resolve(bytes.subarray(from, places[index + 1]));
}

const read = (text: string | Uint8Array, cuts?: readonly number[], maxKeys = 100) =>
  readLargeJson(piecesOf(Buffer.from(text), cuts), maxKeys);

const cuts = fc.array(fc.nat(5000), { maxLength: 5 });
/** Keys that are refused have a test of their own. */
const acceptable = fc.jsonValue({ maxDepth: 6 }).filter((value) => !/"(__proto__|constructor)":/.test(JSON.stringify(value)));

describe('large JSON', () => {
  it('is what JSON.parse makes of it, in whatever pieces it comes', async () => {
    await fc.assert(
      fc.asyncProperty(acceptable, fc.constantFrom(undefined, 1, '\t'), cuts, async (value, space, at) => {
        const text = JSON.stringify(value, null, space);
        expect(await read(text, at, 10_000)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  it('is refused where JSON.parse refuses it, and nowhere else', async () => {
    const letters = '{}[]",:\\ 0123456789.-+eEntfu\n\u0001é'.split('');
    await fc.assert(
      fc.asyncProperty(acceptable, fc.nat(), fc.constantFrom('', ...letters), fc.nat(2), cuts, async (value, place, letter, taken, at) => {
        const text = JSON.stringify(value);
        const from = place % (text.length + 1);
        const edited = text.slice(0, from) + letter + text.slice(from + taken);
        let parsed: unknown;
        try {
          parsed = { value: JSON.parse(edited) };
        } catch {
          parsed = { why: expect.any(String) };
        }
        expect(await read(edited, at, 10_000)).toEqual(parsed);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    ['{"a":[1', 'it ends too early'],
    ['"abc', expect.stringContaining('middle of a token')],
    ['{"a":1,}', expect.stringContaining('Unexpected')],
    ['[1] 2', expect.stringContaining('Unexpected')],
    [Buffer.from([0x22, 0xff, 0x22]), 'its bytes are not UTF-8'],
    [Buffer.from([0x22, 0xc3]), 'its bytes are not UTF-8'],
    ['['.repeat(65), 'it is nested deeper than 64 levels'],
    [`${'[{"a":'.repeat(32)}0`, 'it ends too early'],
    ['{"a":{"__proto__":{}}}', 'it has a key named __proto__'],
    ['{"con\\u0073tructor":1}', 'it has a key named constructor'],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, index]))), 'it has more than 100 keys'],
  ])('says what is wrong with it: %s', async (text, why) => {
    expect(await read(text)).toEqual({ why });
  });

  it('may have any number of arrays and objects beside each other', async () => {
    const text = `[${'[],{},'.repeat(100)}{"a":[]}]`;
    expect(await read(text)).toEqual({ value: JSON.parse(text) });
  });

  it('is read to its end when something was wrong, so that whoever sends it hears of that', async () => {
    let pieces = 0;
    async function* endless() {
      for (; pieces < 10; pieces += 1) yield await Promise.resolve(Buffer.from('}'));
    }
    expect(await readLargeJson(endless(), 100)).toEqual({ why: 'Unexpected RIGHT_BRACE ("}")' });
    expect(pieces).toBe(10);
  });
});
