import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingBuffer } from './growing-buffer.js';

const most = 300_000;

it('holds what was added, told of no less than that before and of little more', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40_000, size: 'max' }), { maxLength: 7 });
  fc.assert(
    fc.property(pieces, pieces, (first, second) => {
      let told = 0;
      const buffer = new GrowingBuffer(most, (bytes) => (told = bytes));
      const addAll = (all: readonly Uint8Array[]) => {
        for (const each of all) buffer.add(Buffer.from(each));
        const whole = Buffer.concat(all);
        expect(buffer.bytes.equals(whole)).toBe(true);
        expect(told).toBeGreaterThanOrEqual(whole.length);
        return whole;
      };
      const whole = addAll(first);
      expect(told).toBeLessThanOrEqual(whole.length + 64 * 1024);
      buffer.clear();
      expect(buffer.size).toBe(0);
      const taken = [addAll(second), buffer.take()];
      addAll(first);
      expect(taken[1]!.equals(taken[0]!)).toBe(true);
    }),
  );
});

it('keeps what it has when there is no room for more', () => {
  const buffer = new GrowingBuffer(most, (bytes) => {
    if (bytes > 150_000) throw new Error('full');
  });
  buffer.add(Buffer.alloc(90_000, 'a'));
  expect(() => buffer.add(Buffer.alloc(90_000, 'b'))).toThrow('full');
  expect(buffer.bytes.toString()).toBe('a'.repeat(90_000));
  buffer.add(Buffer.alloc(10_000, 'c'));
  const held = buffer.bytes;
  buffer.release();
  expect([buffer.bytes.length, held.length], 'its room is given back at once').toEqual([0, 0]);
});
