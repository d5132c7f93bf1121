/**
 * Evicts the oldest entries if there are more than `most`. Then leaves room for a sixteenth of `most`, because evicting single entries is
 * slow: a Map iterates over the holes of deleted entries.
 */
export function evictOldest<K>(kept: Map<K, unknown> | Set<K>, most: number, drop: (key: K) => void = (key) => kept.delete(key)): void {
  if (kept.size <= most) return;
  let left = kept.size - most + Math.floor(most / 16);
  for (const key of kept.keys()) {
    if (left === 0) return;
    drop(key);
    left -= 1;
  }
}
