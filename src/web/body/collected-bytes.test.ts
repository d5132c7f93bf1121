import { expect, it } from 'vitest';
import { CollectedBytes } from './collected-bytes.js';

const mib = 1024 * 1024;

it('is what was added, however it came, and asks before it holds more', () => {
  let asked = 0;
  const collected = new CollectedBytes(4 * mib, (bytes) => (asked = bytes));
  const pieces = [0, 1, 100, 70_000, 3 * mib, 5].map((length, index) => Buffer.alloc(length, 97 + index));
  for (const piece of pieces) {
    collected.add(piece);
    expect(asked).toBeGreaterThanOrEqual(collected.size);
    expect(asked).toBeLessThanOrEqual(Math.min(collected.size + mib, 4 * mib));
  }
  expect(collected.bytes.equals(Buffer.concat(pieces))).toBe(true);
  collected.clear();
  collected.add(Buffer.from('again'));
  expect(collected.bytes.toString()).toBe('again');
});

it('keeps what it has when there is no room for more', () => {
  const collected = new CollectedBytes(mib, (bytes) => {
    if (bytes > 150_000) throw new Error('full');
  });
  collected.add(Buffer.alloc(90_000, 'a'));
  expect(() => collected.add(Buffer.alloc(90_000, 'b'))).toThrow('full');
  expect(collected.bytes.equals(Buffer.alloc(90_000, 'a'))).toBe(true);
});

it('holds no more of what a small piece was cut from than the piece', () => {
  const read = Buffer.alloc(64 * 1024, 'x');
  const collected = new CollectedBytes(mib);
  collected.add(read.subarray(10, 11));
  expect(collected.bytes.buffer).not.toBe(read.buffer);
});
