import type { Interruptible } from '../../../domain/interruptible.js';
import { itemsInStep } from './truth.js';

/** A candidate: an operation or posting that may match a row without keys. */
export interface Likely {
  readonly at: string;
}

/** A row without keys. */
export interface KeylessRow<R> {
  readonly row: R;
  /** The asset, amount and direction of the row as one string. */
  readonly key: string;
  readonly at: string | undefined;
}

const dayMs = 24 * 3_600_000;
/** Maximum number of candidates with the same amount to compare with a row. If there are more, none is unique. */
const maxAlike = 50;

/** The matches of rows without keys. */
export interface LikelyMatches<R, T> {
  /** The candidate of each row, if row and candidate fit only each other. */
  readonly matched: ReadonlyMap<R, T>;
  /** The rows with several candidates, or with a candidate of several rows. */
  readonly ambiguous: ReadonlySet<R>;
  /** The candidates of the ambiguous rows. */
  readonly possible: ReadonlySet<T>;
}

/** Matches each row without keys to the candidate with its amount and within a day, if both fit only each other. */
export function* matchByLikeness<R, T extends Likely>(
  rows: readonly KeylessRow<R>[],
  facts: ReadonlyMap<string, readonly T[]>,
): Interruptible<LikelyMatches<R, T>> {
  const claims = new Map<T, number>();
  const times = new Map<T, number>();
  const timeOf = (each: T): number => {
    let ms = times.get(each);
    if (ms === undefined) times.set(each, (ms = Date.parse(each.at)));
    return ms;
  };
  const candidates: (readonly T[])[] = [];
  for (const { key, at } of rows) {
    if (candidates.length % itemsInStep === 0) yield;
    const alike = facts.get(key) ?? [];
    const atMs = at === undefined ? 0 : Date.parse(at);
    const isWhole = at === undefined || alike.length > maxAlike;
    const near = isWhole ? alike : alike.filter((each) => Math.abs(timeOf(each) - atMs) <= dayMs);
    candidates.push(near);
    if (near.length <= maxAlike) for (const each of near) claims.set(each, (claims.get(each) ?? 0) + 1);
  }
  const matched = new Map<R, T>();
  const ambiguous = new Set<R>();
  const possible = new Set<T>();
  const marked = new Set<string>();
  for (const [index, { row, key }] of rows.entries()) {
    if (index % itemsInStep === 0) yield;
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
