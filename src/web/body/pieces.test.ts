import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Pieces } from './pieces.js';

const sizes = fc.oneof(fc.nat(20), fc.integer({ min: 1000, max: 100_000 }));

it('what comes in pieces is put together, and no more is held for it than twice of that and never more than may come', () => {
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 40 }), fc.nat(100_000), (lengths, spare) => {
      const given = lengths.map((length, index) => Buffer.alloc(length, index + 1));
      const size = lengths.reduce((sum, length) => sum + length, 0);
      let held = 0;
      const pieces = new Pieces(size + spare, (bytes) => (held = bytes));
      for (const each of given) pieces.add(each);
      expect(Buffer.compare(pieces.bytes, Buffer.concat(given))).toBe(0);
      expect(held).toBeGreaterThanOrEqual(size);
      expect(held).toBeLessThanOrEqual(Math.min(size + spare, 2 * size));
    }),
  );
});

it('a million pieces of one byte take no more room than one', () => {
  let calls = 0;
  const pieces = new Pieces(1_000_000, () => (calls += 1));
  const byte = Buffer.from('a');
  for (let count = 0; count < 1_000_000; count += 1) pieces.add(byte);
  expect([pieces.bytes.length, calls < 50]).toEqual([1_000_000, true]);
});

it('a piece for which there is no room is not kept', () => {
  const pieces = new Pieces(100, (bytes) => {
    if (bytes > 10) throw new Error('full');
  });
  pieces.add(Buffer.alloc(10));
  expect(() => pieces.add(Buffer.alloc(1))).toThrow('full');
  expect(pieces.bytes.length).toBe(10);
});
