import type { Exchange } from '../../../exchange/entry.js';
import type { MatchResult } from './match.js';

/** An entry in scope with the result of each matcher; null if the matcher is for another kind of entry. */
export interface EntryResult {
  readonly stored: Exchange;
  readonly results: readonly (MatchResult | null)[];
  /** True while the request has no response. */
  readonly isOpen: boolean;
  /** True for a token request, which `noOthers` and `strict` ignore. */
  readonly isToken: boolean;
}

/** Counts of entries. `matched` and `others` are counted for the first matcher. */
interface Sums {
  /** Number of entries that match. */
  matched: number;
  /** Number of API requests that do not match, without token requests. */
  others: number;
  /** Number of entries in progress that may still match. */
  open: number;
  /** Number of finished entries without a value that a matcher needs. */
  cut: number;
}

/**
 * The match results of all entries in scope. Counts are updated with each entry, because every waiting `verify` reads them after each
 * request.
 */
export class MatchResults {
  /** The entries in scope, by position. */
  readonly #all = new Map<number, EntryResult>();
  readonly #sums: Sums = { matched: 0, others: 0, open: 0, cut: 0 };

  get sums(): Readonly<Sums> {
    return this.#sums;
  }

  get size(): number {
    return this.#all.size;
  }

  has({ seq }: Exchange): boolean {
    return this.#all.has(seq);
  }

  values(): Iterable<EntryResult> {
    return this.#all.values();
  }

  /** Adds an entry, or updates it after a change. */
  set(judged: EntryResult): void {
    const before = this.#all.get(judged.stored.seq);
    if (before) this.#count(before, -1);
    this.#all.set(judged.stored.seq, judged);
    this.#count(judged, 1);
  }

  /** Returns the entries that match the first matcher. */
  matched(): Exchange[] {
    const matched: Exchange[] = [];
    for (const { stored, results } of this.#all.values()) if (results[0] === 'MATCH') matched.push(stored);
    return matched;
  }

  #count({ stored, results, isOpen, isToken }: EntryResult, by: 1 | -1): void {
    if (results[0] === 'MATCH') this.#sums.matched += by;
    if (stored.kind === 'REQUEST' && !isToken && (results[0] ?? 'NO_MATCH') === 'NO_MATCH') this.#sums.others += by;
    if (results.includes('UNKNOWN')) this.#sums[isOpen ? 'open' : 'cut'] += by;
  }
}
