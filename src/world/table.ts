import sortedBTree from 'sorted-btree';

// The package is CommonJS: the default import is its exports object in Node.js, but the class itself in some tools.
const BTree = (sortedBTree as { default?: typeof sortedBTree.default }).default ?? (sortedBTree as unknown as typeof sortedBTree.default);

/** Returns the keys of a row in one index. */
type KeysOf<R> = (row: R) => readonly string[];

/** Indexes in addition to the id; each key belongs to one row. */
export type Indexes<R> = Readonly<Record<string, KeysOf<R>>>;

/** One index: row ids by key. */
interface Index<R> {
  readonly keysOf: KeysOf<R>;
  readonly ids: InstanceType<typeof BTree<string, string>>;
  /** Number of changes to the index so far. */
  changes: number;
}

/** Suffix for a prefix, to sort it after every key with this prefix. */
const last = '\uffff';

/** Rows by id, in the order of their first put. Every change updates the indexes. */
export class Table<R extends { readonly id: string }> {
  readonly #rows = new Map<string, R>();
  /** Ids of the oldest rows, as far as {@link oldest} has read them. */
  #oldest: string[] = [];
  /** Iterates over the ids after `#oldest`. Created on demand, because an unused iterator keeps deleted rows in memory. */
  #byAge: Iterator<string> | null = null;
  readonly #indexes: ReadonlyMap<string, Index<R>>;
  #weight = 0;
  #written = 0;

  constructor(indexes: Indexes<R> = {}) {
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, keysOf]) => [
        name,
        { keysOf, ids: new BTree<string, string>(undefined, compareText), changes: 0 },
      ]),
    );
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Approximate bytes of the rows as JSON. */
  get weight(): number {
    return this.#weight;
  }

  /** Approximate bytes of all rows that were ever put, as JSON. */
  get written(): number {
    return this.#written;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  get(id: string): R | undefined {
    return this.#rows.get(id);
  }

  /** @returns the previous row */
  set(id: string, row: R): R | undefined {
    const before = this.#rows.get(id);
    this.#follow(id, before, row);
    this.#rows.set(id, row);
    const weight = weightOf(row);
    this.#written += weight;
    this.#weight += weight - (before === undefined ? 0 : weightOf(before));
    return before;
  }

  /** @returns the deleted row */
  delete(id: string): R | undefined {
    const before = this.#rows.get(id);
    if (before === undefined) return undefined;
    this.#follow(id, before, undefined);
    this.#rows.delete(id);
    this.#weight -= weightOf(before);
    return before;
  }

  keys(): IterableIterator<string> {
    return this.#rows.keys();
  }

  values(): IterableIterator<R> {
    return this.#rows.values();
  }

  [Symbol.iterator](): IterableIterator<[string, R]> {
    return this.#rows[Symbol.iterator]();
  }

  /** Returns the ids of the oldest rows, at most `most`. The cost does not depend on earlier deletions. */
  oldest(most: number): string[] {
    this.#oldest = this.#oldest.filter((id) => this.#rows.has(id));
    while (this.#oldest.length < Math.min(most, this.#rows.size)) {
      this.#byAge ??= this.#rows.keys();
      const { done, value } = this.#byAge.next();
      if (!done) this.#oldest.push(value);
      else [this.#byAge, this.#oldest] = [null, []];
    }
    return this.#oldest.slice(0, most);
  }

  /**
   * Yields the rows whose keys start with `prefix`, in key order or in reverse. If the table changes during the walk, the next row is
   * looked up again.
   * @param from key at which to start, or a string that sorts between two keys
   */
  *walk(index: string, prefix = '', direction: 1 | -1 = 1, from = direction === 1 ? prefix : prefix + last): Generator<R> {
    const found = this.#indexes.get(index);
    if (!found) throw new Error(`Unknown index ${index}.`);
    let met: string | undefined;
    for (let isOver = false; !isOver;) {
      isOver = true;
      const { ids, changes } = found;
      const start = met ?? from;
      for (const [key, id] of direction === 1 ? ids.entries(start, []) : ids.entriesReversed(start, [])) {
        if (key === met) continue;
        if (!key.startsWith(prefix)) return;
        met = key;
        yield this.#rows.get(id)!;
        if (found.changes === changes) continue;
        isOver = false;
        break;
      }
    }
  }

  /** Returns the row with the smallest key of an index; undefined if the index is empty. */
  first(index: string): R | undefined {
    const smallest = this.#indexes.get(index)?.ids.nextHigherPair(undefined);
    return smallest && this.#rows.get(smallest[1]);
  }

  /** Whether a key of a row in an index starts with `prefix`. */
  hasKey(index: string, row: R, prefix: string): boolean {
    return (
      this.#indexes
        .get(index)
        ?.keysOf(row)
        .some((key) => key.startsWith(prefix)) ?? false
    );
  }

  /** Updates the indexes after a change. */
  #follow(id: string, before: R | undefined, after: R | undefined): void {
    for (const index of this.#indexes.values()) {
      const { keysOf, ids } = index;
      const old = before ? keysOf(before) : [];
      const keys = after ? keysOf(after) : [];
      if (old.length === keys.length && old.every((key, at) => key === keys[at])) continue;
      index.changes += 1;
      for (const key of old) ids.delete(key);
      for (const key of keys) ids.set(key, id);
    }
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Strings up to this length count one byte for each character. */
const shortLength = 32;

/**
 * Returns the approximate bytes of a row as JSON: its strings in UTF-8, without escapes. Ten times faster than encoding the row, so that
 * each change can call this function.
 */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return (value.length > shortLength ? Buffer.byteLength(value) : value.length) + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let weight = 2;
  if (Array.isArray(value)) for (const each of value) weight += weightOf(each);
  else for (const key in value) weight += key.length + 3 + weightOf((value as Record<string, unknown>)[key]);
  return weight;
}
