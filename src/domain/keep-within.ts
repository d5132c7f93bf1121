/**
 * Keeps what is remembered within a bound, in the order in which it was put there: when there is more, the oldest sixteenth of the bound
 * goes as well. One at a time would be looked for behind all the places that those before it left.
 */
export function keepWithin<K>(kept: Map<K, unknown> | Set<K>, most: number, drop: (key: K) => void = (key) => kept.delete(key)): void {
  if (kept.size <= most) return;
  let left = kept.size - most + Math.floor(most / 16);
  for (const key of kept.keys()) {
    if (left === 0) return;
    drop(key);
    left -= 1;
  }
}
