import { EntryQueue } from './queue.js';
import type { Redactor } from './redaction.js';
import { Stored } from './stored.js';

/** How much of one world is usually kept, in bytes. */
const usualBytes = 10 * 1024 * 1024;
/** The share of it for what changed something. The rest is for what did not, apart, so that polling is in no payment's way. */
const shareOfWrites = 0.8;

/** The record of one world. */
export class WorldRecord {
  readonly redactor: Redactor;
  readonly #limits: { readonly writes: number; readonly reads: number };
  readonly #writes = new EntryQueue();
  readonly #reads = new EntryQueue();
  readonly #underWay = new Map<string, Stored>();
  readonly #listeners = new Set<(entry: Stored) => void>();
  #lastSeq = 0;
  #dropped = 0;
  /** After which place in the timeline the present chapter and the test that is under way began. */
  readonly began = { chapter: 0, test: 0 };

  /** @param bytes how much of it is kept */
  constructor(redactor: Redactor, bytes = usualBytes) {
    this.redactor = redactor;
    this.#limits = { writes: bytes * shareOfWrites, reads: bytes * (1 - shareOfWrites) };
  }

  /** How much memory its ended entries take, in bytes. */
  get bytes(): number {
    return this.#writes.bytes + this.#reads.bytes;
  }

  /** The place in the timeline of the entry that came last. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** How many entries were dropped to make room, in all its time. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many entries have gone that were here, and the highest place of any that has, of what changed something and of what did not. */
  get gone(): { readonly writes: EntryQueue['gone']; readonly reads: EntryQueue['gone'] } {
    return { writes: this.#writes.gone, reads: this.#reads.gone };
  }

  /** Notes that there were entries before all that come, which are not here. */
  lackBeginning(): void {
    this.#lastSeq += 1;
    this.#writes.lack(this.#lastSeq);
    this.#reads.lack(this.#lastSeq);
  }

  /** Begins an entry. */
  begin(facts: ConstructorParameters<typeof Stored>[1]): Stored {
    return new Stored((this.#lastSeq += 1), facts);
  }

  /** Has an entry be under way until it is {@link end ended}. */
  open(entry: Stored): void {
    this.#underWay.set(entry.id, entry);
    entry.isLent = this.#listeners.size > 0;
    this.#tell(entry);
  }

  underWay(id: string): Stored | undefined {
    return this.#underWay.get(id);
  }

  /** Takes in an entry that has ended, with its text. */
  end(entry: Stored, order: number, text: string): void {
    entry.end(order);
    this.#underWay.delete(entry.id);
    const [queue, limit] = entry.isRead ? [this.#reads, this.#limits.reads] : [this.#writes, this.#limits.writes];
    entry.isLent ||= this.#listeners.size > 0;
    queue.push(entry, text);
    while (queue.bytes > limit) this.#drop(queue);
    this.#tell(entry);
  }

  /** Lets the oldest entries go, those that changed nothing if there are any. @returns how many bytes that frees; 0 when there is none */
  shift(): number {
    return this.#drop(this.#reads) || this.#drop(this.#writes);
  }

  #drop(queue: EntryQueue): number {
    const { size } = queue;
    const freed = queue.shift();
    this.#dropped += size - queue.size;
    return freed;
  }

  /** Forgets all that has ended, as if it had never been. */
  clear(): void {
    this.#writes.clear();
    this.#reads.clear();
  }

  /** An entry by its id. It looks through all: calls come far more often than questions about them. */
  find(id: string): Stored | undefined {
    const open = this.#underWay.get(id);
    if (open) {
      open.isLent = true;
      return open;
    }
    return this.#writes.find(id) ?? this.#reads.find(id);
  }

  /** All entries that are there, in the order of the timeline. */
  all(): Stored[] {
    for (const open of this.#underWay.values()) open.isLent = true;
    const entries = [...this.#underWay.values(), ...this.#writes.newestFirst(), ...this.#reads.newestFirst()];
    return entries.toSorted((a, b) => a.seq - b.seq);
  }

  /** Tells that a client did not wait for an answer that was told of already. */
  clientGone(id: string): void {
    const entry = this.find(id);
    if (!entry) return;
    entry.clientHasGone();
    this.#tell(entry);
  }

  /** Tells of each entry that begins, ends or becomes another, until the returned function is called. */
  listen(listener: (entry: Stored) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How many wait for what comes. */
  get listeners(): number {
    return this.#listeners.size;
  }

  #tell(entry: Stored): void {
    for (const listener of this.#listeners) listener(entry);
  }
}
