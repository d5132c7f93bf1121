import type { TimelineItem } from '../contract/control/analysis/stream.js';
import type { AttemptRecord, RequestRecord } from './exchange.js';
import { EntryLog } from './ring.js';
import { stepOfAttempt, stepOfCall } from '../analysis/views/step.js';
import { Tape } from './tape.js';
import type { Redactor } from './redact.js';
import { endedEntry, keptAttempt, keptRequest, sizeOf, sizeOfAttempt, sizeOfRequest, type StoredEntry } from '../analysis/views/entry.js';

/** Default limit of one world, in bytes. */
const usualBytes = 10 * 1024 * 1024;
/** The shares of the limit for writes, for reads, and for other timeline items. They are separate, so that polling evicts no payment. */
const shares = { writes: 0.5, reads: 0.15, events: 0.35 } as const;
/** Maximum size of the tape, as a share of the limit. */
const tapeShare = 0.2;

/** Size of a {@link StoredEvent} in memory without its longest strings, in bytes. */
const eventBytes = 700;
/** Size of a mark in memory, in bytes. */
const markBytes = 500;

/** A timeline item that is not an entry, with its secrets. */
export interface StoredEvent {
  readonly item: TimelineItem;
  /** Size in memory, in bytes. */
  readonly bytes: number;
}

/** Number of evicted entries, and the highest position among them. */
export interface Evicted {
  readonly count: number;
  readonly seq: number;
}

/** The fields of an entry that are known when the request or attempt begins. */
export type BegunEntry = Pick<StoredEntry, 'id' | 'kind' | 'isRead' | 'generation' | 'test' | 'beganOrder'>;

/** The recorded requests of one world. */
export class WorldRecord {
  readonly redactor: Redactor;
  readonly #limits: Readonly<Record<keyof typeof shares, number>>;
  readonly #writes = new EntryLog<StoredEntry>();
  readonly #reads = new EntryLog<StoredEntry>();
  /** The highest position of any evicted entry. */
  readonly #evictedSeq = { writes: 0, reads: 0 };
  readonly #events = new EntryLog<StoredEvent>();
  readonly #open = new Map<string, StoredEntry>();
  readonly #listeners = new Set<(entry: StoredEntry) => void>();
  #lastSeq = 0;
  /** The last position when {@link clear} removed all entries. */
  #clearedSeq = 0;
  /** The steps for a replay file. */
  readonly tape: Tape;
  /** Number of entries evicted in the life of the world. */
  dropped = 0;
  /** The headers of the last request. Most requests repeat them. */
  #headers: readonly string[] = [];
  /** The last position before the current generation, and before the marked test. */
  readonly began = { generation: 0, test: 0 };

  /** @param bytes limit of the world */
  constructor(redactor: Redactor, bytes = usualBytes) {
    this.redactor = redactor;
    this.tape = new Tape(bytes * tapeShare);
    this.#limits = { writes: bytes * shares.writes, reads: bytes * shares.reads, events: bytes * shares.events };
  }

  /** Size of the entries, other timeline items and tape, in bytes. */
  get bytes(): number {
    return this.#writes.bytes + this.#reads.bytes + this.#events.bytes + this.tape.bytes;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get gone(): { readonly writes: Evicted; readonly reads: Evicted } {
    return {
      writes: { count: this.#writes.evicted, seq: this.#evictedSeq.writes },
      reads: { count: this.#reads.evicted, seq: this.#evictedSeq.reads },
    };
  }

  /**
   * True for writes or reads if the record lacks some of the current generation: evicted, deleted, or made before this process loaded the
   * world.
   */
  get missing(): { readonly writes: boolean; readonly reads: boolean } {
    const isMissing = (seq: number) => Math.max(seq, this.#clearedSeq) > this.began.generation;
    return { writes: isMissing(this.#evictedSeq.writes), reads: isMissing(this.#evictedSeq.reads) };
  }

  /** Marks earlier entries as missing: the world comes from another node or from storage. */
  lackBeginning(): void {
    this.#lastSeq += 1;
    this.#evictedSeq.writes = this.#evictedSeq.reads = this.#lastSeq;
  }

  /** Adds a request that is in progress. */
  open(request: RequestRecord, isRead: boolean): StoredEntry {
    const { id, kind, generation, test, began } = request;
    const seq = (this.#lastSeq += 1);
    const endedOrder = Infinity;
    const entry = { seq, id, kind, isRead, generation, test, beganOrder: began.order, endedOrder, source: request, fields: null, bytes: 0 };
    this.#open.set(id, entry);
    this.#notify(entry);
    return entry;
  }

  /** Stores a request that has a response. */
  answered(request: RequestRecord, isRead: boolean): void {
    const entry = this.#open.get(request.id) ?? this.open(request, isRead);
    this.#open.delete(request.id);
    const before = this.#headers;
    const kept = keptRequest(this.redactor, request, isRead, before);
    this.#headers = kept.rawHeaders;
    const bytes = sizeOfRequest(kept, before);
    this.#store(endedEntry(entry, request.ended.order, { source: kept }, bytes));
    const { body, moment } = request;
    if (!moment) return;
    // A replay sends the whole body.
    const whole = body && body.text !== kept.body!.text ? { ...kept, body: { ...body, value: undefined } } : kept;
    this.tape.add(stepOfCall(whole, moment, isRead), request.generation, bytes + (body?.text.length ?? 0) - (kept.body?.text.length ?? 0));
  }

  /** Stores an attempt. @param subscription number of the subscription in the order of creation */
  attempted(attempt: AttemptRecord, subscription: number): void {
    const { id, began, ended, generation, test } = attempt;
    const begun = { id, kind: 'ATTEMPT', isRead: false, generation, test, beganOrder: began.order } as const;
    const kept = keptAttempt(attempt);
    const bytes = sizeOfAttempt(kept);
    this.#add(begun, ended.order, { source: kept }, bytes);
    this.tape.add(stepOfAttempt(kept, subscription), generation, bytes);
  }

  /** Stores a mark. @returns the position of the entry */
  mark(begun: BegunEntry, order: number, fields: object): number {
    return this.#add(begun, order, { fields }, markBytes);
  }

  #add(begun: BegunEntry, endedOrder: number, content: Parameters<typeof endedEntry>[2], bytes: number): number {
    const seq = (this.#lastSeq += 1);
    this.#store(endedEntry({ ...begun, seq }, endedOrder, content, bytes));
    return seq;
  }

  /** Stores a timeline item that is not an entry. */
  addEvent(item: TimelineItem): void {
    const { summary, state, delivery } = item;
    const bytes = eventBytes + sizeOf(summary) + sizeOf(state?.reason?.message ?? '') + sizeOf(delivery?.url ?? '');
    this.#events.push({ item, bytes });
    while (this.#events.bytes > this.#limits.events) this.#events.shift();
  }

  /** Returns the timeline items that are not entries, oldest first. */
  events(): StoredEvent[] {
    return this.#events.all();
  }

  /**
   * Frees memory. Removes the first of these that exists: the oldest read, the oldest event, the oldest write, all steps of the tape.
   * @returns the freed bytes; 0 if none
   */
  shift(): number {
    return this.#evict('reads') || (this.#events.shift()?.bytes ?? (this.#evict('writes') || this.tape.cut()));
  }

  /** Removes all finished entries, and resets the numbers of evicted ones. */
  clear(): void {
    this.#writes.clear();
    this.#reads.clear();
    this.#events.clear();
    this.#evictedSeq.writes = this.#evictedSeq.reads = 0;
    this.#clearedSeq = this.#lastSeq;
  }

  /** Returns a request that is in progress; undefined without one. */
  inProgress(id: string): RequestRecord | undefined {
    return this.#open.get(id)?.source as RequestRecord | undefined;
  }

  /** Returns an entry by its id. Searches all entries, because lookups are rare. */
  find(id: string): StoredEntry | undefined {
    const hasId = (entry: StoredEntry) => entry.id === id;
    return this.#open.get(id) ?? this.#writes.find(hasId) ?? this.#reads.find(hasId);
  }

  /** Returns all entries in the order of their positions. */
  all(): StoredEntry[] {
    return [...this.#writes.all(), ...this.#reads.all(), ...this.#open.values()].toSorted((a, b) => a.seq - b.seq);
  }

  /** Returns at most `count` of the newest finished entries, newest first. */
  newest(count: number): StoredEntry[] {
    return [...this.#writes.newest(count), ...this.#reads.newest(count)].toSorted((a, b) => b.seq - a.seq).slice(0, count);
  }

  /** Updates the entry of a request whose client disconnected. */
  clientDisconnected(request: RequestRecord): void {
    const log = [this.#writes, this.#reads].find((each) => each.find(({ id }) => id === request.id));
    const entry = log?.find(({ id }) => id === request.id);
    if (!log || !entry) return;
    const { outcome } = request;
    const next = { ...entry, source: { ...(entry.source as RequestRecord), outcome } };
    log.replace(entry, next);
    this.#notify(next);
  }

  /** Calls `listener` with each entry that begins, ends or changes, until the returned function is called. */
  listen(listener: (entry: StoredEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  #store(entry: StoredEntry): void {
    const sort = entry.isRead ? 'reads' : 'writes';
    const log = entry.isRead ? this.#reads : this.#writes;
    log.push(entry);
    while (log.bytes > this.#limits[sort]) this.#evict(sort);
    this.#notify(entry);
  }

  #evict(sort: 'reads' | 'writes'): number {
    const oldest = (sort === 'reads' ? this.#reads : this.#writes).shift();
    if (!oldest) return 0;
    this.dropped += 1;
    this.#evictedSeq[sort] = Math.max(this.#evictedSeq[sort], oldest.seq);
    return oldest.bytes;
  }

  #notify(entry: StoredEntry): void {
    for (const listener of this.#listeners) listener(entry);
  }
}
