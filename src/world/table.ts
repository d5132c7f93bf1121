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
  /** The slot of each row, by its id. A row keeps its slot for as long as it is there. */
  readonly #slots = new Map<string, number>();
  /** By slot. */
  readonly #rows: (R | Place | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  readonly #packed = new PackedRows();
  /** The ids of rows that could be packed, the longest known first, each with its JSON if that is known. */
  readonly #loose = new Map<string, string | undefined>();
  /** By slot. */
  readonly #warm = new Map<number, R>();
  /** The oldest rows as far as they were asked for, and those after them. */
  #oldest: string[] = [];
  #byAge = this.#slots.keys();
  readonly #packs: boolean;
  readonly #follower: Follower<R> | undefined;
  readonly #indexes: ReadonlyMap<string, { readonly keysOf: KeysOf<R>; readonly tree: InstanceType<typeof BTree<string, number>> }>;

  constructor({ indexes = {}, packs = false, follower }: TableOptions<R> = {}) {
    this.#packs = packs;
    this.#follower = follower;
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, keysOf]) => [name, { keysOf, tree: new BTree<string, number>(undefined, compareText) }]),
    );
  }

  get size(): number {
    return this.#slots.size;
  }

  /** The names of the indexes. */
  get indexNames(): string[] {
    return [...this.#indexes.keys()];
  }

  has(id: string): boolean {
    return this.#slots.has(id);
  }

  get(id: string): R | undefined {
    const slot = this.#slots.get(id);
    return slot === undefined ? undefined : this.#at(slot);
  }

  #at(slot: number): R {
    const row = this.#rows[slot]!;
    if (typeof row !== 'number') return row;
    const known = this.#warm.get(slot);
    if (known) return known;
    const read = this.#packed.read(row) as R;
    if (this.#warm.size >= warmRows) this.#warm.delete(this.#warm.keys().next().value!);
    this.#warm.set(slot, read);
    return read;
  }

  /** @param json the row as JSON, where that is known */
  set(id: string, row: R, json?: string): this {
    this.#follower?.change(id, this.get(id), row);
    this.#rows[this.#slotFor(id, row)] = row;
    if (this.#packs) this.#loose.set(id, json);
    return this;
  }

  delete(id: string): boolean {
    const slot = this.#slots.get(id);
    if (slot === undefined) return false;
    this.#follower?.change(id, this.#at(slot), undefined);
    this.#leave(slot, undefined);
    this.#rows[slot] = undefined;
    this.#freeSlots.push(slot);
    this.#loose.delete(id);
    return this.#slots.delete(id);
  }

  keys(): IterableIterator<string> {
    return this.#slots.keys();
  }

  /** The ids of the rows that have been here longest, at most so many. Costs what it gives, however many were deleted before them. */
  oldest(most: number): string[] {
    this.#oldest = this.#oldest.filter((id) => this.#slots.has(id));
    while (this.#oldest.length < Math.min(most, this.#slots.size)) {
      const { done, value } = this.#byAge.next();
      if (!done) this.#oldest.push(value);
      else [this.#byAge, this.#oldest] = [this.#slots.keys(), []];
    }
    return this.#oldest.slice(0, most);
  }

  *values(): Generator<R> {
    for (const [, row] of this) yield row;
  }

  *[Symbol.iterator](): Generator<[string, R]> {
    for (const [id, slot] of this.#slots) {
      const row = this.#rows[slot]!;
      yield [id, typeof row === 'number' ? (this.#packed.read(row) as R) : row];
    }
  }

  /**
   * The rows whose keys begin with `prefix`, in the order of their keys or against it. The table may change while it
   * is walked through, as the place of each next row is looked up anew.
   * @param from where to begin: a text between keys
   */
  *walk(index: string, prefix = '', direction: 1 | -1 = 1, from = direction === 1 ? prefix : prefix + last): Generator<R> {
    const tree = this.#indexes.get(index)?.tree;
    if (!tree) throw new Error(`There is no index ${index}.`);
    const next = (key: string) => (direction === 1 ? tree.nextHigherPair(key) : tree.nextLowerPair(key));
    const start = direction === 1 ? tree.getPairOrNextHigher(from) : tree.getPairOrNextLower(from);
    for (let found = start; found; found = next(found[0])) {
      const [key, slot] = found;
      if (!key.startsWith(prefix)) return;
      yield this.#at(slot);
    }
  }

  /** The row whose key is the smallest of an index; undefined when there is none. */
  first(index: string): R | undefined {
    const tree = this.#indexes.get(index)?.tree;
    const key = tree?.minKey();
    return key === undefined ? undefined : this.#at(tree!.get(key)!);
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
      const line = lineOf(this.#rows[this.#slots.get(id)!] as R, json);
      lines.push(line);
      ids.push(id);
      length += line.length;
    }
    if (ids.length === 0) return;
    const first = this.#packed.add(Buffer.from(lines.join(rowMark)), ids.length);
    for (const [index, id] of ids.entries()) {
      this.#loose.delete(id);
      this.#rows[this.#slots.get(id)!] = first + index;
    }
  }

  /**
   * Takes rows as lines of `db.json`, with {@link rowMark} between them.
   * @param rows as much of each as its keys are made of, in order
   */
  addLines(text: Buffer, rows: readonly R[]): void {
    const first = this.#packed.add(text, rows.length);
    for (const [index, row] of rows.entries()) {
      this.#rows[this.#slotFor(row.id, row)] = first + index;
      this.#loose.delete(row.id);
    }
    this.#follower?.defer(rows.map((row) => row.id));
  }

  /** The rows as they are now, to be written later, whatever becomes of the table meanwhile. Quick, since rows never change. */
  capture(): TableCapture<R> {
    const slots = [...this.#slots.values()];
    const rows = this.#rows.slice();
    const blocks = this.#packed.blocks();
    const inOrder = () => slots.map((slot) => rows[slot]!);
    return {
      size: slots.length,
      parts: () => partsOf(inOrder(), blocks),
      rows: () => rowsOf<R>(inOrder(), blocks),
      texts: () => textsOf(inOrder(), blocks),
    };
  }

  /** The slot of a row that is to stand in the place of what has its id, if there is something. Gives it its keys. */
  #slotFor(id: string, row: R): number {
    const known = this.#slots.get(id);
    if (known !== undefined) {
      this.#leave(known, row);
      return known;
    }
    const slot = this.#freeSlots.pop() ?? this.#rows.length;
    this.#slots.set(id, slot);
    for (const { keysOf, tree } of this.#indexes.values()) for (const key of keysOf(row)) tree.set(key, slot);
    return slot;
  }

  /** Takes away of a row what is known by its slot, its packed place, and those keys that the next one in the slot has no more. */
  #leave(slot: number, next: R | undefined): void {
    const row = this.#rows[slot]!;
    const before = typeof row !== 'number' ? row : this.#indexes.size > 0 ? this.#at(slot) : undefined;
    for (const { keysOf, tree } of this.#indexes.values()) {
      const old = before ? keysOf(before) : [];
      const keys = next ? keysOf(next) : [];
      if (old.length === keys.length && old.every((key, index) => key === keys[index])) continue;
      for (const key of old) tree.delete(key);
      for (const key of keys) tree.set(key, slot);
    }
    if (typeof row !== 'number') return;
    this.#packed.leave(row);
    this.#warm.delete(slot);
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
