import type { Commit } from '../../world/commit.js';
import type { AttemptRecord, RequestRecord } from '../../world/observer.js';
import { Book, type BookHost } from './book.js';
import { Attempt, Call } from './call.js';
import { credentialsOutside } from './rules/credentials/ours.js';
import { Memory, memoryLimits, type MemoryLimits } from './memory.js';
import type { Handlers, Rule, Watch, WorldFacts } from './rule.js';
import { evictOldest } from '../../domain/evict-oldest.js';

/** For how many keys it is remembered when their stored response was sent again. */
const maxRepeated = 1000;

/** Runs all rules over the events of one world. */
export class RuleRunner {
  readonly book: Book;
  readonly memory: Memory;
  readonly #world: WorldFacts;
  readonly #handlers: readonly Handlers[];
  /** The rules that want requests of an operation with a status. */
  readonly #wanting = new Map<string | null, Map<number, readonly Handlers[]>>();
  /** The order in which stored responses of keys were sent again. */
  readonly #repeated = new Map<string, number>();
  /** Whatever began before this belongs to an earlier chapter. */
  #since = 0;

  constructor(world: WorldFacts, rules: readonly Rule[], host: BookHost, limits: MemoryLimits = memoryLimits) {
    this.#world = world;
    this.book = new Book(host);
    this.memory = new Memory(limits);
    this.#handlers = rules.map((rule) => {
      const watch: Watch = {
        world,
        shelf: (bytesEach) => this.memory.shelf(bytesEach),
        quote: (text, limit) => host.redacted(text, limit),
        sight: (sighting) => this.book.sight(rule, sighting),
      };
      return rule.watch(watch);
    });
  }

  /** A request for a token has entered the world. */
  tokenAsked(): void {
    for (const each of this.#handlers) each.tokenAsked?.();
  }

  request(record: RequestRecord): void {
    if (record.began.order < this.#since) return;
    const call = new Call(record);
    if (record.replay && call.isTold) {
      this.#repeated.set(call.key!, record.ended.order);
      evictOldest(this.#repeated, maxRepeated);
    }
    call.isRepeated = this.#isRepeated(call);
    const leaks = credentialsOutside(record, this.#world);
    if (leaks.length > 0) for (const each of this.#handlers) each.leaked?.(call, leaks);
    for (const each of this.#handlersFor(record)) if (hasWhatMatters(each, record)) each.exchange!(call);
  }

  /** The client of a request that was seen already disconnected: what follows from the delivery of its response is forgotten. */
  clientDisconnected(record: RequestRecord): void {
    if (record.began.order < this.#since) return;
    const call = new Call(record);
    call.isRepeated = this.#isRepeated(call);
    this.memory.forget(call.id);
    for (const each of this.#handlers) each.gone?.(call);
  }

  attempt(record: AttemptRecord): void {
    if (record.synthetic || record.began.order < this.#since) return;
    const attempt = new Attempt(record);
    if (!record.own) for (const each of this.#handlers) each.attempt?.(attempt);
    if (attempt.isAccepted) for (const each of this.#handlers) each.accepted?.(attempt);
  }

  committed(commit: Commit): void {
    if ('changes' in commit) for (const each of this.#handlers) each.committed?.(commit.changes);
  }

  /** The world has another state: what was known of the one before counts no more. */
  replaced(order: number): void {
    this.#forgetAll(order);
    this.book.nextChapter();
  }

  end(): void {
    for (const each of this.#handlers) each.end?.();
    this.book.end();
  }

  /** Starts from nothing. */
  clear(order: number): void {
    this.#forgetAll(order);
    this.book.clear();
  }

  /** The rules that want a request by its operation and status: of most reads, one that counts the uses of tokens. */
  #handlersFor({ operationId, status }: RequestRecord): readonly Handlers[] {
    let byStatus = this.#wanting.get(operationId);
    if (!byStatus) this.#wanting.set(operationId, (byStatus = new Map()));
    let handlers = byStatus.get(status);
    if (!handlers) {
      handlers = this.#handlers.filter(
        (each) => each.exchange !== undefined && (each.operations?.has(operationId ?? '') ?? true) && (each.statuses?.has(status) ?? true),
      );
      byStatus.set(status, handlers);
    }
    return handlers;
  }

  /** True if the same key was answered after a request had begun. */
  #isRepeated({ seen, key }: Call): boolean {
    return (this.#repeated.get(key ?? '') ?? 0) > seen.began.order;
  }

  #forgetAll(order: number): void {
    this.memory.clear();
    this.#repeated.clear();
    this.#since = order;
  }
}

/** True if a request has the fact that a rule asks for. */
function hasWhatMatters({ having }: Handlers, { unknown, unknownVersion, idempotencyKey }: RequestRecord): boolean {
  switch (having) {
    case 'unknown':
      return unknown.length > 0;
    case 'unknownVersion':
      return unknownVersion !== null;
    case 'idempotencyKey':
      return idempotencyKey !== null;
    default:
      return true;
  }
}
