import type { StoredEntry } from '../record/stored-entry.js';
import type { Holding } from './match.js';

/** An entry in scope with what came of each matcher; null of one that is not of its kind. */
export interface Judged {
  readonly stored: StoredEntry;
  readonly holdings: readonly (Holding | null)[];
  /** Whether it is not answered yet. */
  readonly isOpen: boolean;
  /** Whether it is a call for a token, which nobody counts among others. */
  readonly isToken: boolean;
}

/** How many entries there are of a sort, by the first matcher where one is meant. */
interface Sums {
  /** For which it holds. */
  matched: number;
  /** Calls of the API, those for tokens aside, for which it does not. */
  others: number;
  /** Under way, so that a matcher may come to hold. */
  open: number;
  /** Answered, and of which a matcher looks at what was not kept. */
  cut: number;
}

/** What came of all entries in scope. Sums are kept as entries come and change: whoever waits looks again at each call. */
export class Judgements {
  /** By their places in the timeline. */
  readonly #all = new Map<number, Judged>();
  readonly #sums: Sums = { matched: 0, others: 0, open: 0, cut: 0 };

  get sums(): Readonly<Sums> {
    return this.#sums;
  }

  get size(): number {
    return this.#all.size;
  }

  has({ seq }: StoredEntry): boolean {
    return this.#all.has(seq);
  }

  values(): Iterable<Judged> {
    return this.#all.values();
  }

  /** Takes in an entry, anew when it has changed. */
  set(judged: Judged): void {
    const before = this.#all.get(judged.stored.seq);
    if (before) this.#count(before, -1);
    this.#all.set(judged.stored.seq, judged);
    this.#count(judged, 1);
  }

  /** The entries for which the first matcher holds. */
  matched(): StoredEntry[] {
    const matched: StoredEntry[] = [];
    for (const { stored, holdings } of this.#all.values()) if (holdings[0] === 'YES') matched.push(stored);
    return matched;
  }

  #count({ stored, holdings, isOpen, isToken }: Judged, by: 1 | -1): void {
    if (holdings[0] === 'YES') this.#sums.matched += by;
    if (stored.kind === 'REQUEST' && !isToken && (holdings[0] ?? 'NO') === 'NO') this.#sums.others += by;
    if (holdings.includes('HIDDEN')) this.#sums[isOpen ? 'open' : 'cut'] += by;
  }
}
