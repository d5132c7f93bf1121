import sortedBTree from 'sorted-btree';

// The package is CommonJS: Node hands out its exports, some tools the class itself.
const BTree = (sortedBTree as { default?: typeof sortedBTree.default }).default ?? (sortedBTree as unknown as typeof sortedBTree.default);

/** The keys under which a row is found, in the order that a walk takes. */
export type KeysOf<R> = (row: R) => readonly string[];

/** What sorts after every key that begins like it. */
const last = '\uffff';

/** Rows by id, in the order in which they were first put, and by further keys, which follow every change of the rows. */
export class Table<R extends { readonly id: string }> extends Map<string, R> {
  readonly #indexes: ReadonlyMap<string, { readonly keysOf: KeysOf<R>; readonly tree: InstanceType<typeof BTree<string, R>> }>;

  /** @param indexes what the rows are looked up by, besides their id; each key belongs to one row */
  constructor(indexes: Readonly<Record<string, KeysOf<R>>> = {}) {
    super();
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, keysOf]) => [name, { keysOf, tree: new BTree<string, R>(undefined, compareText) }]),
    );
  }

  override set(id: string, row: R): this {
    this.#forget(id);
    for (const { keysOf, tree } of this.#indexes.values()) for (const key of keysOf(row)) tree.set(key, row);
    return super.set(id, row);
  }

  override delete(id: string): boolean {
    this.#forget(id);
    return super.delete(id);
  }

  override clear(): void {
    for (const { tree } of this.#indexes.values()) tree.clear();
    super.clear();
  }

  /**
   * The rows whose keys begin with `prefix`, in the order of their keys or against it.
   * @param from a text to begin at, between keys
   */
  *walk(index: string, prefix = '', direction: 1 | -1 = 1, from?: string): Generator<R> {
    const found = this.#indexes.get(index);
    if (!found) throw new Error(`There is no index ${index}.`);
    const { tree } = found;
    const entries = direction === 1 ? tree.entries(from ?? prefix) : tree.entriesReversed(from ?? prefix + last);
    for (const [key, row] of entries) {
      if (!key.startsWith(prefix)) break;
      yield row;
    }
  }

  /** The row whose key is the smallest of an index; undefined when there is none. */
  first(index: string): R | undefined {
    const tree = this.#indexes.get(index)?.tree;
    const key = tree?.minKey();
    return key === undefined ? undefined : tree?.get(key);
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

  #forget(id: string): void {
    if (this.#indexes.size === 0) return;
    const row = this.get(id);
    if (row === undefined) return;
    for (const { keysOf, tree } of this.#indexes.values()) for (const key of keysOf(row)) tree.delete(key);
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
