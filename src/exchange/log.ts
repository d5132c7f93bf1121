import type { TimelineItem } from '../contract/control/analysis/stream.js';
import {
  attemptExchange,
  endedExchange,
  storedRequest,
  openExchange,
  renderedExchange,
  sizeOfItem,
  sizeOfRequest,
  type BegunExchange,
  type Exchange,
} from './entry.js';
import { respondToAttemptRoute } from '../contract/control/routes/listeners.js';
import type { AttemptRecord, RequestRecord } from './exchange.js';
import type { Redactor } from './redact.js';
import { Ring } from './ring.js';
import { ReplayBuffer } from './replay-buffer.js';

/** Default limit of one world, in bytes. */
const usualBytes = 10 * 1024 * 1024;
/** The shares of the limit for writes, for reads, and for other timeline items. They are separate, so that polling evicts no payment. */
const shares = { writes: 0.5, reads: 0.15, events: 0.35 } as const;
/** Maximum size of the exchanges in the replay buffer, as a share of the limit. */
const replayShare = 0.4;

/** A timeline item that is not an exchange, with its secrets. */
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

/**
 * The exchanges of one world, unchanged, in a ring buffer of limited size. Reads, writes and timeline items are evicted separately.
 */
export class ExchangeLog {
  readonly redactor: Redactor;
  readonly #limits: Readonly<Record<keyof typeof shares, number>>;
  readonly #writes = new Ring<Exchange>();
  readonly #reads = new Ring<Exchange>();
  /** The highest position of any evicted entry. */
  readonly #evictedSeq = { writes: 0, reads: 0 };
  readonly #events = new Ring<StoredEvent>();
  readonly #open = new Map<string, Exchange>();
  readonly #listeners = new Set<(entry: Exchange) => void>();
  #lastSeq = 0;
  /** The last position when {@link clear} removed all entries. */
  #clearedSeq = 0;
  /** The exchanges since the latest mark, for a replay file. */
  readonly replayBuffer: ReplayBuffer;
  /** Number of entries evicted in the life of the world. */
  dropped = 0;
  /** The headers of the last request. Most requests repeat them. */
  #headers: readonly string[] = [];
  /** The last position before the current generation, and before the marked test. */
  readonly began = { generation: 0, test: 0 };

  /** @param bytes limit of the world */
  constructor(redactor: Redactor, bytes = usualBytes) {
    this.redactor = redactor;
    this.replayBuffer = new ReplayBuffer(bytes * replayShare);
    this.#limits = { writes: bytes * shares.writes, reads: bytes * shares.reads, events: bytes * shares.events };
  }

  /** Size of the exchanges and other timeline items, in bytes. */
  get bytes(): number {
    return this.#writes.bytes + this.#reads.bytes + this.#events.bytes + this.replayBuffer.heldBytes;
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
  open(request: RequestRecord, isRead: boolean): Exchange {
    const exchange = openExchange((this.#lastSeq += 1), request, isRead);
    this.#open.set(request.id, exchange);
    this.#notify(exchange);
    return exchange;
  }

  /** Stores a request that has a response. */
  end(request: RequestRecord, isRead: boolean): void {
    const open = this.#open.get(request.id) ?? this.open(request, isRead);
    this.#open.delete(request.id);
    // The replay buffer contains the attempt with the response of a listener, because a replay has no listener.
    const isAnswer = request.operationId === respondToAttemptRoute.operationId;
    const isBuffered = request.moment !== null && !isAnswer && this.replayBuffer.takes(request.generation);
    const before = this.#headers;
    const kept = storedRequest(this.redactor, request, isRead, isBuffered, before);
    this.#headers = kept.rawHeaders;
    const exchange = endedExchange(open, kept, sizeOfRequest(kept, before));
    if (isBuffered) this.replayBuffer.add(exchange);
    this.#store(exchange);
  }

  /** Stores an attempt. */
  attempted(attempt: AttemptRecord): void {
    const exchange = attemptExchange((this.#lastSeq += 1), attempt);
    if (this.replayBuffer.takes(attempt.generation)) this.replayBuffer.add(exchange);
    this.#store(exchange);
  }

  /** Stores a mark. @returns its position */
  mark(begun: BegunExchange, order: number, fields: object): number {
    const seq = (this.#lastSeq += 1);
    this.#store(renderedExchange(seq, begun, order, fields));
    return seq;
  }

  /** Stores a timeline item that is not an entry. */
  addEvent(item: TimelineItem): void {
    this.#events.push({ item, bytes: sizeOfItem(item) });
    while (this.#events.bytes > this.#limits.events) this.#events.shift();
  }

  /** Returns the timeline items that are not entries, oldest first. */
  events(): StoredEvent[] {
    return this.#events.all();
  }

  /**
   * Frees memory. Removes the first of these that exists: the oldest read, the oldest event, the oldest write, all steps of the replay buffer.
   * Removing an exchange that is also in the replay buffer frees nothing yet.
   * @returns the freed bytes; 0 if nothing is left
   */
  shift(): number {
    for (;;) {
      const before = this.bytes;
      const isSomething =
        this.#evict('reads') || this.#events.shift() !== undefined || this.#evict('writes') || this.replayBuffer.cut() > 0;
      if (!isSomething || this.bytes < before) return before - this.bytes;
    }
  }

  /** Removes all finished exchanges, and resets the numbers of evicted ones. */
  clear(): void {
    for (const each of [...this.#writes.all(), ...this.#reads.all()]) this.replayBuffer.evicted(each);
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
  find(id: string): Exchange | undefined {
    const hasId = (entry: Exchange) => entry.id === id;
    return this.#open.get(id) ?? this.#writes.find(hasId) ?? this.#reads.find(hasId);
  }

  /** Returns all entries in the order of their positions. */
  all(): Exchange[] {
    return [...this.#writes.all(), ...this.#reads.all(), ...this.#open.values()].toSorted((a, b) => a.seq - b.seq);
  }

  /** Returns at most `count` of the newest finished entries, newest first. */
  newest(count: number): Exchange[] {
    return [...this.#writes.newest(count), ...this.#reads.newest(count)].toSorted((a, b) => b.seq - a.seq).slice(0, count);
  }

  /** Notes that the client of a finished request disconnected. */
  amend({ id }: RequestRecord): void {
    const hasId = (each: Exchange) => each.id === id;
    const ring = [this.#writes, this.#reads].find((each) => each.find(hasId));
    const exchange = ring?.find(hasId);
    if (!ring || !exchange) return;
    const next = { ...exchange, isCutOff: true };
    ring.replace(exchange, next);
    this.replayBuffer.replace(exchange, next);
    this.#notify(next);
  }

  /** Calls `listener` with each entry that begins, ends or changes, until the returned function is called. */
  listen(listener: (entry: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  #store(exchange: Exchange): void {
    const sort = exchange.isRead ? 'reads' : 'writes';
    const ring = exchange.isRead ? this.#reads : this.#writes;
    ring.push(exchange);
    while (ring.bytes > this.#limits[sort]) this.#evict(sort);
    this.#notify(exchange);
  }

  /** Evicts the oldest read or write. @returns false if there is none */
  #evict(sort: 'reads' | 'writes'): boolean {
    const oldest = (sort === 'reads' ? this.#reads : this.#writes).shift();
    if (!oldest) return false;
    this.replayBuffer.evicted(oldest);
    this.dropped += 1;
    this.#evictedSeq[sort] = Math.max(this.#evictedSeq[sort], oldest.seq);
    return true;
  }

  #notify(exchange: Exchange): void {
    for (const listener of this.#listeners) listener(exchange);
  }
}
