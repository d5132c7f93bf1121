import type { Item } from './item.js';

/** What tells an item that is told by the stream and by the record apart from all others; null for what the record never tells. */
function keyOf({ kind, id, at, status }: Item): string | null {
  if (kind === 'STATE') return `${kind} ${id} ${at} ${status}`;
  return kind === 'REQUEST' || kind === 'CONTROL' || kind === 'ATTEMPT' || kind === 'MARK' || kind === 'LEDGER' || kind === 'DELIVERY'
    ? `${kind} ${id}`
    : null;
}

/**
 * Items of the stream and of the record as one course of events. They overlap: a call that ends while the record is asked comes from both,
 * and whichever is first stays.
 */
export class Course {
  #items: readonly Item[] = [];
  /** Of all items that came from the record. */
  #recorded = new Set<string>();
  readonly #kept: number;

  /** @param kept how many of the newest items are kept */
  constructor(kept: number) {
    this.#kept = kept;
  }

  /** Oldest first. */
  get items(): readonly Item[] {
    return this.#items;
  }

  /** Adds what the stream has told: what comes now, or what it still had from before. @returns the items that were not there yet */
  follow(came: readonly Item[]): readonly Item[] {
    const fresh = came.filter((item) => {
      const key = keyOf(item);
      return key === null || item.kind === 'DELIVERY' || !this.#recorded.has(key); // A delivery is told again with each status.
    });
    const isLater = (fresh[0]?.realAt ?? '') >= (this.#items.at(-1)?.realAt ?? '');
    this.#keep(this.#items.concat(fresh), isLater);
    return fresh;
  }

  /** Adds what the record has, each where it belongs by its real time. */
  recall(past: readonly Item[]): void {
    const known = new Set(this.#items.map(keyOf));
    const missing = past.filter((item) => !known.has(keyOf(item)));
    for (const item of missing) this.#recorded.add(keyOf(item)!);
    if (missing.length === 0) return;
    this.#keep([...missing, ...this.#items], false);
  }

  #keep(items: readonly Item[], isSorted: boolean): void {
    const sorted = isSorted ? items : items.toSorted((a, b) => (a.realAt < b.realAt ? -1 : a.realAt > b.realAt ? 1 : 0));
    this.#items = sorted.slice(-this.#kept);
  }

  clear(): void {
    this.#items = [];
    this.#recorded = new Set();
  }
}
