import { registerKept } from '../../../domain/kept-memory.js';

/** Memory limits for the rules of one world. */
export interface BudgetLimits {
  /** Maximum number of entries of each {@link LruMap}. */
  readonly entries: number;
  /** Maximum size of all maps together, in bytes. */
  readonly bytes: number;
}

export const budgetLimits: BudgetLimits = { entries: 4096, bytes: 2 * 1024 * 1024 };

/** An entry that a rule remembers. */
export interface Remembered {
  /** Id of the request or attempt that created the entry. */
  readonly ref: string;
}

/** Approximate size of an entry without its key and fields, in bytes: its slot in the map and its objects. */
const entryBytes = 64;

/** An entry, and whether it was used since it was added or spared from an eviction. */
interface Slot<V> {
  readonly entry: V;
  isUsed: boolean;
}

/**
 * The memory of one rule, by key. An entry that was not used is evicted first, the oldest of these before the others. A used entry is spared
 * once, because to keep the exact order of use would make each lookup slow.
 */
export class LruMap<V extends Remembered> {
  readonly #entries = new Map<string, Slot<V>>();
  readonly #bytesEach: number;
  readonly #memory: SharedBudget;
  bytes = 0;

  /** @param bytesEach approximate size of the fields of an entry, in bytes */
  constructor(memory: SharedBudget, bytesEach: number) {
    this.#memory = memory;
    this.#bytesEach = bytesEach + entryBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const slot = this.#entries.get(key);
    if (slot === undefined) return undefined;
    slot.isUsed = true;
    return slot.entry;
  }

  set(key: string, entry: V): void {
    this.delete(key);
    this.#entries.set(key, { entry, isUsed: false });
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

  /** Returns a copy of the list of entries, which a caller may change while it visits them. */
  values(): readonly V[] {
    return Array.from(this.#entries.values(), ({ entry }) => entry);
  }

  /** Evicts entries until at most `most` remain. */
  evictDownTo(most: number): void {
    if (this.#entries.size <= most) return;
    // Evicts a sixteenth more, because evicting single entries is slow: a Map iterates over the holes of deleted entries.
    let left = this.#entries.size - most + Math.floor(most / 16);
    for (const [key, slot] of this.#entries) {
      if (left === 0) return;
      if (slot.isUsed) {
        slot.isUsed = false;
        this.#entries.delete(key);
        this.#entries.set(key, slot);
      } else {
        this.delete(key);
        left -= 1;
      }
    }
  }

  /** Deletes the entries of a request or attempt. */
  forget(ref: string): void {
    for (const [key, { entry }] of this.#entries) if (entry.ref === ref) this.delete(key);
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
 * The memory of all rules of one world. Rules store evidence against a client and delete it when a later request excuses the client.
 * Therefore, an evicted entry never causes a finding.
 */
export class SharedBudget {
  readonly #limits: BudgetLimits;
  #maps: LruMap<Remembered>[] = [];
  bytes = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
    registerKept('findingEvidence', this, ({ bytes: size }) => size);
  }

  lruMap<V extends Remembered>(bytesEach: number): LruMap<V> {
    const lruMap = new LruMap<V>(this, bytesEach);
    this.#maps.push(lruMap);
    return lruMap;
  }

  /**
   * Enforces the limits after a map has grown: evicts from this map beyond its maximum count, and from the largest map beyond the byte
   * limit.
   */
  makeRoom(grown: { evictDownTo(most: number): void }): void {
    const { entries, bytes } = this.#limits;
    grown.evictDownTo(entries);
    while (this.bytes > bytes) {
      const largest = this.#maps.reduce((a, b) => (b.bytes > a.bytes ? b : a));
      largest.evictDownTo(largest.size - 1);
    }
  }

  /** Deletes all entries of a request or attempt. */
  forget(ref: string): void {
    for (const lruMap of this.#maps) lruMap.forget(ref);
  }

  clear(): void {
    for (const lruMap of this.#maps) lruMap.clear();
  }
}
