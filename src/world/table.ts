import sortedBTree from 'sorted-btree';
import { blockBytes, blockRows, lineOf, PackedRows, partsOf, rowMark, rowsOf, textsOf, type Place } from './packed-rows.js';

// The package is CommonJS: Node hands out its exports, some tools the class itself.
const BTree = (sortedBTree as { default?: typeof sortedBTree.default }).default ?? (sortedBTree as unknown as typeof sortedBTree.default);

/** The keys under which a row is found, in the order that a walk takes. */
export type KeysOf<R> = (row: R) => readonly string[];

/** What sorts after every key that begins like it. */
const last = '\uffff';
/** How many rows a table keeps as objects, at least. */
const looseRows = 512;
/** How many packed rows stay as objects after they were read, so that those in use are the same object each time. */
const warmRows = 128;

/** What follows from the rows of a table. */
export interface Follower<R> {
  /** Hears of each row that is put, changed or deleted. */
  change(id: string, before: R | undefined, after: R | undefined): void;
  /** Hears of rows that have come as text, which it may read later. */
  defer(ids: Iterable<string>): void;
}

export interface TableOptions<R> {
  /** What the rows are looked up by, besides their id; each key belongs to one row. */
  readonly indexes?: Readonly<Record<string, KeysOf<R>>>;
  /** Whether rows that have not changed for a while are packed. A packed row is another object each time it is read. */
  readonly packs?: boolean;
  readonly follower?: Follower<R>;
}

/** Rows by id, in the order in which they were first put, and by further keys, which follow every change of the rows. */
export class Table<R extends { readonly id: string }> {
  readonly #rows = new Map<string, R | Place>();
  readonly #packed = new PackedRows();
  /** The ids of rows that could be packed, the longest known first, each with its JSON if that is known. */
  readonly #loose = new Map<string, string | undefined>();
  readonly #warm = new Map<string, R>();
  /** The oldest rows as far as they were asked for, and those after them. */
  #oldest: string[] = [];
  #byAge = this.#rows.keys();
  readonly #packs: boolean;
  readonly #follower: Follower<R> | undefined;
  readonly #indexes: ReadonlyMap<string, { readonly keysOf: KeysOf<R>; readonly tree: InstanceType<typeof BTree<string, string>> }>;

  constructor({ indexes = {}, packs = false, follower }: TableOptions<R> = {}) {
    this.#packs = packs;
    this.#follower = follower;
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, keysOf]) => [name, { keysOf, tree: new BTree<string, string>(undefined, compareText) }]),
    );
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The names of the indexes. */
  get indexNames(): string[] {
    return [...this.#indexes.keys()];
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  get(id: string): R | undefined {
    const row = this.#rows.get(id);
    if (typeof row !== 'number') return row;
    const known = this.#warm.get(id);
    if (known) return known;
    const read = this.#packed.read(row) as R;
    if (this.#warm.size >= warmRows) this.#warm.delete(this.#warm.keys().next().value!);
    this.#warm.set(id, read);
    return read;
  }

  /** @param json the row as JSON, where that is known */
  set(id: string, row: R, json?: string): this {
    this.#follower?.change(id, this.get(id), row);
    this.#index(id, row);
    if (this.#packs) this.#loose.set(id, json);
    this.#rows.set(id, row);
    return this;
  }

  delete(id: string): boolean {
    this.#follower?.change(id, this.get(id), undefined);
    this.#index(id, undefined);
    this.#loose.delete(id);
    return this.#rows.delete(id);
  }

  keys(): IterableIterator<string> {
    return this.#rows.keys();
  }

  /** The ids of the rows that have been here longest, at most so many. Costs what it gives, however many were deleted before them. */
  oldest(most: number): string[] {
    this.#oldest = this.#oldest.filter((id) => this.#rows.has(id));
    while (this.#oldest.length < Math.min(most, this.#rows.size)) {
      const { done, value } = this.#byAge.next();
      if (!done) this.#oldest.push(value);
      else [this.#byAge, this.#oldest] = [this.#rows.keys(), []];
    }
    return this.#oldest.slice(0, most);
  }

  *values(): Generator<R> {
    for (const row of this.#rows.values()) yield typeof row === 'number' ? (this.#packed.read(row) as R) : row;
  }

  *[Symbol.iterator](): Generator<[string, R]> {
    for (const [id, row] of this.#rows) yield [id, typeof row === 'number' ? (this.#packed.read(row) as R) : row];
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
    for (const [key, id] of entries) {
      if (!key.startsWith(prefix)) break;
      yield this.get(id)!;
    }
  }

  /** The row whose key is the smallest of an index; undefined when there is none. */
  first(index: string): R | undefined {
    const tree = this.#indexes.get(index)?.tree;
    const key = tree?.minKey();
    return key === undefined ? undefined : this.get(tree!.get(key)!);
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

  /** Whether there is something to pack. */
  get isLoose(): boolean {
    return this.#packed.isLoose || this.#loose.size >= looseRows + blockRows;
  }

  /** Packs one block: rows that came as text, else those that have not changed for longest. Takes a fraction of a millisecond. */
  pack(): void {
    if (!this.#packed.isLoose) this.#gather();
    this.#packed.pack();
  }

  /** Packs the rows that came as text. */
  packText(): void {
    while (this.#packed.isLoose) this.#packed.pack();
  }

  /** Makes a block of the rows that have not changed for longest. */
  #gather(): void {
    const lines: string[] = [];
    const ids: string[] = [];
    let length = 0;
    for (const [id, json] of this.#loose) {
      if (length >= blockBytes || ids.length >= blockRows) break;
      const line = lineOf(this.#rows.get(id) as R, json);
      lines.push(line);
      ids.push(id);
      length += line.length;
    }
    if (ids.length === 0) return;
    const first = this.#packed.add(Buffer.from(lines.join(rowMark)), ids.length);
    for (const [index, id] of ids.entries()) {
      this.#loose.delete(id);
      this.#rows.set(id, first + index);
    }
  }

  /**
   * Takes rows as lines of `db.json`, with {@link rowMark} between them.
   * @param rows as much of each as its keys are made of, in order
   */
  addLines(text: Buffer, rows: readonly R[]): void {
    const first = this.#packed.add(text, rows.length);
    for (const [index, row] of rows.entries()) {
      this.#index(row.id, row);
      this.#loose.delete(row.id);
      this.#rows.set(row.id, first + index);
    }
    this.#follower?.defer(rows.map((row) => row.id));
  }

  /** The rows as they are now, to be written later, whatever becomes of the table meanwhile. Quick, since rows never change. */
  capture(): TableCapture<R> {
    const rows = [...this.#rows.values()];
    const blocks = this.#packed.blocks();
    return {
      size: rows.length,
      parts: () => partsOf(rows, blocks),
      rows: () => rowsOf<R>(rows, blocks),
      texts: () => textsOf(rows, blocks),
    };
  }

  /** Gives a row the keys of what is to stand in its place, and takes those away that it has no more, its packed place too. */
  #index(id: string, after: R | undefined): void {
    const row = this.#rows.get(id);
    if (row === undefined) {
      if (after) for (const { keysOf, tree } of this.#indexes.values()) for (const key of keysOf(after)) tree.set(key, id);
      return;
    }
    const before = typeof row !== 'number' ? row : this.#indexes.size > 0 ? this.get(id)! : undefined;
    for (const { keysOf, tree } of this.#indexes.values()) {
      const old = before ? keysOf(before) : [];
      const keys = after ? keysOf(after) : [];
      if (old.length === keys.length && old.every((key, index) => key === keys[index])) continue;
      for (const key of old) tree.delete(key);
      for (const key of keys) tree.set(key, id);
    }
    if (typeof row !== 'number') return;
    this.#packed.leave(row);
    this.#warm.delete(id);
  }
}

/** The rows of a table at an instant. */
export interface TableCapture<R> {
  readonly size: number;
  /** The rows as `db.json` has them, with {@link rowMark} to come between the parts. */
  parts(): Generator<string | Promise<Buffer>>;
  rows(): Generator<R>;
  /** The JSON of each row. */
  texts(): Generator<string>;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
