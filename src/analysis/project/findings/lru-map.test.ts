import { expect, test } from 'vitest';
import { SharedBudget, budgetLimits } from './lru-map.js';

const entry = { ref: 'req_1' };

test('an LRU map evicts the least recently used entry', () => {
  const lruMap = new SharedBudget({ entries: 3, bytes: Infinity }).lruMap(10);
  for (const key of ['a', 'b', 'c']) lruMap.set(key, entry);
  lruMap.get('a');
  lruMap.set('d', entry);
  expect(['a', 'b', 'c', 'd'].filter((key) => lruMap.get(key))).toEqual(['a', 'c', 'd']);
});

test('the LRU maps of a shared budget stay within its byte limit: the largest map evicts entries', () => {
  const memory = new SharedBudget({ entries: Infinity, bytes: 10_000 });
  const small = memory.lruMap(10);
  const large = memory.lruMap(100);
  small.set('kept', entry);
  for (let index = 0; index < 1000; index += 1) large.set(`key ${index}`, entry);
  expect(memory.bytes).toBeLessThanOrEqual(10_000);
  expect(small.get('kept')).toBe(entry);
  expect(large.get('key 0')).toBeUndefined();
  expect(large.get('key 999')).toBe(entry);
});

test('a shared budget can delete the entries of one request, or all entries', () => {
  const memory = new SharedBudget(budgetLimits);
  const lruMap = memory.lruMap(10);
  lruMap.set('of one', { ref: 'req_1' });
  lruMap.set('of another', { ref: 'req_2' });
  memory.forget('req_1');
  expect([lruMap.get('of one'), lruMap.get('of another')?.ref]).toEqual([undefined, 'req_2']);
  memory.clear();
  expect([lruMap.size, memory.bytes]).toEqual([0, 0]);
});
