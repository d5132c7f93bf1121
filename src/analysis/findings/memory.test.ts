import { expect, test } from 'vitest';
import { Memory, memoryLimits } from './memory.js';

const entry = { ref: 'req_1' };

test('a shelf evicts the least recently used entry', () => {
  const shelf = new Memory({ entries: 3, bytes: Infinity }).shelf(10);
  for (const key of ['a', 'b', 'c']) shelf.set(key, entry);
  shelf.get('a');
  shelf.set('d', entry);
  expect(['a', 'b', 'c', 'd'].filter((key) => shelf.get(key))).toEqual(['a', 'c', 'd']);
});

test('all shelves together stay within their byte limit and evict from the largest', () => {
  const memory = new Memory({ entries: Infinity, bytes: 10_000 });
  const small = memory.shelf(10);
  const large = memory.shelf(100);
  small.set('kept', entry);
  for (let index = 0; index < 1000; index += 1) large.set(`key ${index}`, entry);
  expect(memory.bytes).toBeLessThanOrEqual(10_000);
  expect(small.get('kept')).toBe(entry);
  expect(large.get('key 0')).toBeUndefined();
  expect(large.get('key 999')).toBe(entry);
});

test('deletes the entries of one request, or all', () => {
  const memory = new Memory(memoryLimits);
  const shelf = memory.shelf(10);
  shelf.set('of one', { ref: 'req_1' });
  shelf.set('of another', { ref: 'req_2' });
  memory.forget('req_1');
  expect([shelf.get('of one'), shelf.get('of another')?.ref]).toEqual([undefined, 'req_2']);
  memory.clear();
  expect([shelf.size, memory.bytes]).toEqual([0, 0]);
});
