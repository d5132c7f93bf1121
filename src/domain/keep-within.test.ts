import { expect, it } from 'vitest';
import { evictOldest } from './evict-oldest.js';

it.each([3, 32, 1000])('evictOldest evicts the oldest entries above the limit of %d', (most) => {
  const kept = new Map<number, null>();
  for (let key = 1; key <= 5 * most; key += 1) {
    kept.set(key, null);
    evictOldest(kept, most);
    expect(kept.size).toBeLessThanOrEqual(most);
    expect(kept.size).toBeGreaterThanOrEqual(Math.min(key, most - most / 16));
  }
  const newest = Array.from({ length: kept.size }, (_, index) => 5 * most - kept.size + 1 + index);
  expect([...kept.keys()]).toEqual(newest);
});
