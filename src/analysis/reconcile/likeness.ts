/** Something that a row without keys may mean. */
export interface Likely {
  readonly at: string;
}

/** A row without keys. */
export interface KeylessRow<R> {
  readonly row: R;
  /** Its asset, amount and direction as one string. */
  readonly key: string;
  readonly at: string | undefined;
}

const dayMs = 24 * 3_600_000;
/** Maximum number of facts with the same amount to compare with a row; with more of them, none is unique. */
const maxAlike = 50;

/** The matches of rows without keys. */
export interface LikelyMatches<R, T> {
  /** The fact of each row that is unique both ways. */
  readonly matched: ReadonlyMap<R, T>;
  /** The rows for which several facts are possible, or one fact that several rows may mean. */
  readonly ambiguous: ReadonlySet<R>;
  /** The facts that ambiguous rows may mean. */
  readonly possible: ReadonlySet<T>;
}

/** Matches rows without keys to facts with the same key, within a day, if both are the only ones for each other. */
export function matchByLikeness<R, T extends Likely>(
  rows: readonly KeylessRow<R>[],
  facts: ReadonlyMap<string, readonly T[]>,
): LikelyMatches<R, T> {
  const claims = new Map<T, number>();
  const candidates = rows.map(({ key, at }) => {
    const alike = facts.get(key) ?? [];
    if (at === undefined || alike.length > maxAlike) return alike;
    return alike.filter((each) => Math.abs(Date.parse(each.at) - Date.parse(at)) <= dayMs);
  });
  for (const alike of candidates) if (alike.length <= maxAlike) for (const each of alike) claims.set(each, (claims.get(each) ?? 0) + 1);
  const matched = new Map<R, T>();
  const ambiguous = new Set<R>();
  const possible = new Set<T>();
  const marked = new Set<string>();
  for (const [index, { row, key }] of rows.entries()) {
    const alike = candidates[index]!;
    const [only] = alike;
    if (only === undefined) continue;
    if (alike.length === 1 && claims.get(only) === 1) matched.set(row, only);
    else {
      ambiguous.add(row);
      if (marked.has(key)) continue;
      marked.add(key);
      for (const each of facts.get(key) ?? []) possible.add(each);
    }
  }
  for (const each of matched.values()) possible.delete(each);
  return { matched, ambiguous, possible };
}
