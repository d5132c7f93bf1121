/**
 * Keeps what is remembered within a bound, in the order in which it was put there: when there is more, the oldest sixteenth of the bound
 * goes as well. One at a time would be looked for behind all the places that those before it left.
 */
export function keepWithin(kept: Map<unknown, unknown> | Set<unknown>, most: number): void {
  if (kept.size > most) dropOldest(kept, kept.size - most + Math.floor(most / 16));
}

/** Forgets the oldest of what is remembered, so many of them. */
export function dropOldest<K>(kept: Map<K, unknown> | Set<K>, count: number, drop: (key: K) => void = (key) => kept.delete(key)): void {
  let left = count;
  for (const key of kept.keys()) {
    if (left === 0) return;
    drop(key);
    left -= 1;
  }
}
