import type { Item } from './item.js';

/** Merges items of the stream and of the stored timeline by `order`. Of two items with the same `order`, the one added last counts. */
export class EventTimeline {
  #items: readonly Item[] = [];
  readonly #kept: number;

  /** @param kept maximum number of items; the newest are kept */
  constructor(kept: number) {
    this.#kept = kept;
  }

  /** Oldest first. */
  get items(): readonly Item[] {
    return this.#items;
  }

  /** Adds items. @returns the new items, and those with a changed status */
  add(items: readonly Item[]): readonly Item[] {
    const known = new Map(this.#items.map((each) => [each.order, each]));
    const fresh = items.filter(({ order, status }) => known.get(order)?.status !== status || !known.has(order));
    for (const each of fresh) known.set(each.order, each);
    if (fresh.length > 0) this.#items = [...known.values()].toSorted((a, b) => a.order - b.order).slice(-this.#kept);
    return fresh;
  }

  clear(): void {
    this.#items = [];
  }
}
