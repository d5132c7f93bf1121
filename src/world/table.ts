import sortedBTree from 'sorted-btree';
import { weightOf } from './weight.js';

// The package is CommonJS: Node hands out its exports, some tools the class itself.
const BTree = (sortedBTree as { default?: typeof sortedBTree.default }).default ?? (sortedBTree as unknown as typeof sortedBTree.default);

/** The keys under which a row is found, in the order that a walk takes. */
export type KeysOf<R> = (row: R) => readonly string[];

/** What rows are looked up by, besides their id; each key belongs to one row. */
export type Indexes<R> = Readonly<Record<string, KeysOf<R>>>;

/** The ids of rows by their keys. */
interface Index<R> {
  readonly keysOf: KeysOf<R>;
  readonly ids: InstanceType<typeof BTree<string, string>>;
  /** How often it has changed so far. */
  changes: number;
}

/** What sorts after every key that begins like it. */
const last = '\uffff';

/** Rows by id, in the order in which they were first put, and by further keys, which follow every change of the rows. */
export class Table<R extends { readonly id: string }> {
  readonly #rows = new Map<string, R>();
  /** The oldest rows as far as they were asked for. */
  #oldest: string[] = [];
  /** Those after them. Only where they are asked for: one that stands still keeps all that its rows have outgrown, with the rows in it. */
  #byAge: Iterator<string> | null = null;
  readonly #indexes: ReadonlyMap<string, Index<R>>;
  #weight = 0;

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

  /** About how many bytes the rows take as JSON. */
  get weight(): number {
    return this.#weight;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  get(id: string): R | undefined {
    return this.#rows.get(id);
  }

  /** @returns the row that stood there before */
  set(id: string, row: R): R | undefined {
    const before = this.#rows.get(id);
    this.#follow(id, before, row);
    this.#rows.set(id, row);
    this.#weight += weightOf(row) - (before === undefined ? 0 : weightOf(before));
    return before;
  }

  /** @returns the row that stood there */
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

  /** The ids of the rows that have been here longest, at most so many. Costs what it gives, however many were deleted before them. */
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
   * The rows whose keys begin with `prefix`, in the order of their keys or against it. The table may change while it is walked through:
   * the place of the next row is looked up anew then.
   * @param from where to begin: a text between keys
   */
  *walk(index: string, prefix = '', direction: 1 | -1 = 1, from = direction === 1 ? prefix : prefix + last): Generator<R> {
    const found = this.#indexes.get(index);
    if (!found) throw new Error(`There is no index ${index}.`);
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

  /** The row whose key is the smallest of an index; undefined when there is none. */
  first(index: string): R | undefined {
    const smallest = this.#indexes.get(index)?.ids.nextHigherPair(undefined);
    return smallest && this.#rows.get(smallest[1]);
  }

  /** Whether a row has a key of an index that begins with `prefix`. */
  hasKey(index: string, row: R, prefix: string): boolean {
    return (
      this.#indexes
        .get(index)
        ?.keysOf(row)
        .some((key) => key.startsWith(prefix)) ?? false
    );
  }

  /** Lets the indexes follow the change of a row. */
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
