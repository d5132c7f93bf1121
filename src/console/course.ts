import type { Item } from './item.js';

/** Items of the stream and of the timeline as one list by their order. They overlap: the newest of one place counts. */
export class EventTimeline {
  #items: readonly Item[] = [];
  readonly #kept: number;

  /** @param kept how many of the newest items are kept */
  constructor(kept: number) {
    this.#kept = kept;
  }

  /** Oldest first. */
  get items(): readonly Item[] {
    return this.#items;
  }

  /** Adds items. @returns those that were not there yet, or have changed */
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
