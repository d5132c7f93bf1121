import { expect, it } from 'vitest';
import { CollectedBytes } from './collected-bytes.js';

const mib = 1024 * 1024;

it('collected bytes equal the added chunks; `onGrowth` is called before the buffer grows', () => {
  let asked = 0;
  const collected = new CollectedBytes(4 * mib, (bytes) => (asked = bytes));
  const chunks = [0, 1, 100, 60_000, 10_000, 3 * mib, 5, mib - 70_106].map((length, index) => Buffer.alloc(length, 97 + index));
  for (const chunk of chunks) {
    collected.add(chunk);
    expect(asked).toBeGreaterThanOrEqual(collected.size);
    expect(asked).toBeLessThanOrEqual(Math.min(collected.size + mib, 4 * mib));
  }
  expect(collected.size).toBe(4 * mib);
  expect(collected.bytes.equals(Buffer.concat(chunks))).toBe(true);
});

it('collected bytes stay unchanged if `onGrowth` throws', () => {
  const collected = new CollectedBytes(mib, (bytes) => {
    if (bytes > 150_000) throw new Error('full');
  });
  collected.add(Buffer.alloc(90_000, 'a'));
  expect(() => collected.add(Buffer.alloc(90_000, 'b'))).toThrow('full');
  expect(collected.bytes.equals(Buffer.alloc(90_000, 'a'))).toBe(true);
});

it('collected bytes do not keep the buffer of a small chunk in memory', () => {
  const read = Buffer.alloc(64 * 1024, 'x');
  const collected = new CollectedBytes(mib);
  collected.add(read.subarray(10, 11));
  expect(collected.bytes.buffer).not.toBe(read.buffer);
});
