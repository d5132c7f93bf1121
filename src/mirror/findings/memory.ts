import { evictOldest } from '../../domain/evict-oldest.js';

/** How much the rules of one world may remember. */
export interface MemoryLimits {
  /** Of each shelf. */
  readonly entries: number;
  /** Of all shelves together. */
  readonly bytes: number;
}

export const memoryLimits: MemoryLimits = { entries: 4096, bytes: 1024 * 1024 };

/** What a rule remembers of one thing. */
export interface Remembered {
  /** The call or attempt that it comes from. */
  readonly ref: string;
}

/** About what an entry costs besides its key and its own fields: its place in the map, and the objects around it. */
const entryBytes = 64;

/** What one rule remembers, by key; the longest unused goes first. */
export class Shelf<V extends Remembered> {
  readonly #entries = new Map<string, V>();
  readonly #bytesEach: number;
  readonly #memory: Memory;
  bytes = 0;

  /** @param bytesEach about what the fields of an entry take */
  constructor(memory: Memory, bytesEach: number) {
    this.#memory = memory;
    this.#bytesEach = bytesEach + entryBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#entries.size === 1) return entry;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, entry: V): void {
    this.delete(key);
    this.#entries.set(key, entry);
    this.#grow(this.#cost(key));
    this.#memory.makeRoom(this);
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#grow(-this.#cost(key));
  }

  clear(): void {
    this.#entries.clear();
    this.#grow(-this.bytes);
  }

  values(): Iterable<V> {
    return this.#entries.values();
  }

  /** Forgets what has been unused the longest, until there are no more than so many. */
  keepWithin(most: number): void {
    evictOldest(this.#entries, most, (key) => this.delete(key));
  }

  /** Forgets what comes from a call or attempt. */
  forget(ref: string): void {
    for (const [key, entry] of this.#entries) if (entry.ref === ref) this.delete(key);
  }

  #cost(key: string): number {
    return this.#bytesEach + key.length;
  }

  #grow(bytes: number): void {
    this.bytes += bytes;
    this.#memory.bytes += bytes;
  }
}

/**
 * What all rules of one world remember together. A rule keeps on its shelves what would accuse, and takes away what is excused;
 * so what had to be forgotten accuses nobody.
 */
export class Memory {
  readonly #limits: MemoryLimits;
  #shelves: Shelf<Remembered>[] = [];
  bytes = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  shelf<V extends Remembered>(bytesEach: number): Shelf<V> {
    const shelf = new Shelf<V>(this, bytesEach);
    this.#shelves.push(shelf);
    return shelf;
  }

  /** Keeps within the limits after a shelf has grown: by count its own oldest goes, by bytes that of the largest. */
  makeRoom(grown: { keepWithin(most: number): void }): void {
    const { entries, bytes } = this.#limits;
    grown.keepWithin(entries);
    while (this.bytes > bytes) {
      const largest = this.#shelves.reduce((a, b) => (b.bytes > a.bytes ? b : a));
      largest.keepWithin(largest.size - 1);
    }
  }

  /** Forgets everything that comes from a call or attempt. */
  forget(ref: string): void {
    for (const shelf of this.#shelves) shelf.forget(ref);
  }

  clear(): void {
    for (const shelf of this.#shelves) shelf.clear();
  }
}
