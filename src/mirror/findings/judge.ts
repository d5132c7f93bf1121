import type { Commit } from '../../world/commit.js';
import type { IdempotencyRecord } from '../../world/rows.js';
import type { BegunCall, Exchange, SeenAttempt } from '../../world/witness.js';
import { Book, type BookHost } from './book.js';
import { Attempt, Call } from './call.js';
import { Memory, memoryLimits, type MemoryLimits } from './memory.js';
import type { Handlers, Rule, Watch, WorldFacts } from './rule.js';
import { keepWithin } from '../../domain/keep-within.js';

/** How many answers that are stored wait for their calls to be told of. */
const maxFresh = 1000;

/** How many keys are remembered whose stored answer was given again. */
const maxRepeated = 1000;

/** Who a judge works for. */
export interface JudgeHost extends BookHost {
  /** The mark under which a call began, or that of the call which led to an attempt. */
  testOf(seen: Exchange | SeenAttempt): string | null;
  /** Who else is told what rules are told. */
  readonly alsoTold?: Handlers;
}

/** Looks at what happens to one world, by all rules. */
export class Judge {
  readonly book: Book;
  readonly memory: Memory;
  readonly #host: JudgeHost;
  readonly #handlers: readonly Handlers[];
  readonly #byOperation = new Map<string | null, readonly Handlers[]>();
  /** The answers that were stored of late, by the calls that caused them, which are told of next. */
  readonly #fresh = new Map<string, IdempotencyRecord>();
  /** When the stored answers of keys were given again, of late. */
  readonly #repeated = new Map<string, number>();
  /** What began before this is of an earlier chapter. */
  #since = 0;

  constructor(world: WorldFacts, rules: readonly Rule[], host: JudgeHost, limits: MemoryLimits = memoryLimits) {
    this.#host = host;
    this.book = new Book(host);
    this.memory = new Memory(limits);
    const judging = rules.map((rule) => {
      const watch: Watch = {
        world,
        shelf: (bytesEach) => this.memory.shelf(bytesEach),
        quote: (text, limit) => host.redacted(text, limit),
        sight: (sighting) => this.book.sight(rule, sighting),
      };
      return rule.watch(watch);
    });
    this.#handlers = host.alsoTold ? [...judging, host.alsoTold] : judging;
  }

  entered(call: BegunCall): void {
    for (const each of this.#handlers) each.entered?.(call);
  }

  /** @returns the call as rules look at it; undefined for one of an earlier chapter */
  exchange(seen: Exchange): Call | undefined {
    if (seen.began.order < this.#since) return undefined;
    const call = new Call(seen, this.#host.testOf(seen), this.#take(seen));
    if (seen.replay && call.isTold) {
      this.#repeated.set(call.key!, seen.ended.order);
      keepWithin(this.#repeated, maxRepeated);
    }
    call.isRepeated = this.#isRepeated(call);
    for (const each of this.#handlersFor(call.operationId)) each.exchange?.(call);
    return call;
  }

  /** Those who look at the calls of an operation: at reads, less than half. */
  #handlersFor(operationId: string | null): readonly Handlers[] {
    let handlers = this.#byOperation.get(operationId);
    if (!handlers) {
      handlers = this.#handlers.filter(({ operations }) => operations?.has(operationId ?? '') ?? true);
      this.#byOperation.set(operationId, handlers);
    }
    return handlers;
  }

  /** An answer that was told of did not arrive after all: what follows from its arrival is forgotten. */
  gone(call: Call): void {
    if (call.seen.began.order < this.#since) return;
    call.isRepeated = this.#isRepeated(call);
    this.memory.forget(call.id);
    for (const each of this.#handlers) each.gone?.(call);
  }

  attempt(seen: SeenAttempt): void {
    if (seen.synthetic || seen.began.order < this.#since) return;
    const attempt = new Attempt(seen, this.#host.testOf(seen));
    if (!seen.own) for (const each of this.#handlers) each.attempt?.(attempt);
    if (attempt.isAccepted) for (const each of this.#handlers) each.accepted?.(attempt);
  }

  committed(commit: Commit): void {
    if (!('changes' in commit)) return;
    for (const { table, row } of commit.changes) {
      if (table !== 'idempotency' || row === null) continue;
      this.#fresh.set(commit.causeId, row as IdempotencyRecord);
      keepWithin(this.#fresh, maxFresh);
    }
    for (const each of this.#handlers) each.committed?.(commit.changes);
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

  /** Whether the same key was answered after a call had begun. */
  #isRepeated({ seen, key }: Call): boolean {
    return (this.#repeated.get(key ?? '') ?? 0) > seen.began.order;
  }

  #forgetAll(order: number): void {
    this.memory.clear();
    this.#repeated.clear();
    this.#fresh.clear();
    this.#since = order;
  }

  /** What was stored because of a call. */
  #take(seen: Exchange): IdempotencyRecord | undefined {
    const row = this.#fresh.get(seen.id);
    if (row !== undefined) this.#fresh.delete(seen.id);
    return row;
  }
}
