/** An item of an {@link Ring}. */
interface Weighed {
  /** Size in memory, in bytes. */
  readonly bytes: number;
}

/** Maximum number of evicted entries at the front of the array before it is shortened. */
const maxEvicted = 1024;

/** Entries in the order in which they ended; the oldest can be evicted. */
export class Ring<E extends Weighed> {
  #entries: (E | undefined)[] = [];
  /** Index of the oldest entry. */
  #first = 0;
  #bytes = 0;
  #evicted = 0;

  /** Size in memory, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.length - this.#first;
  }

  /** Number of evicted entries. */
  get evicted(): number {
    return this.#evicted;
  }

  push(entry: E): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
  }

  /** Evicts the oldest entry. @returns undefined if there is none */
  shift(): E | undefined {
    const oldest = this.#entries[this.#first];
    if (!oldest) return undefined;
    this.#entries[this.#first] = undefined;
    this.#first += 1;
    this.#bytes -= oldest.bytes;
    this.#evicted += 1;
    if (this.#first > maxEvicted && this.#first > this.#entries.length / 2) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
    return oldest;
  }

  /** Replaces a stored entry. Ignores an entry that was evicted. */
  replace(entry: E, by: E): void {
    const index = this.#entries.lastIndexOf(entry);
    if (index < 0) return;
    this.#entries[index] = by;
    this.#bytes += by.bytes - entry.bytes;
  }

  /** Removes all entries, and resets the number of evicted entries. */
  clear(): void {
    this.#entries = [];
    this.#first = this.#bytes = this.#evicted = 0;
  }

  /** Returns the newest entry that fits. */
  find(fits: (entry: E) => boolean): E | undefined {
    return this.#entries.findLast((each) => each !== undefined && fits(each));
  }

  /** Returns at most `count` of the newest entries, newest first. */
  newest(count: number): E[] {
    return this.#entries.slice(Math.max(this.#first, this.#entries.length - count)).toReversed() as E[];
  }

  /** The entries, oldest first. */
  all(): E[] {
    return this.#entries.slice(this.#first) as E[];
  }
}
