import type { OperationRecord } from '../../../domain/operations/operation.js';
import type { LedgerEntry } from '../../../domain/operations/ledger.js';
import type { Commit } from '../../../world/commit.js';
import type { AttemptRecord, RequestRecord } from '../../../exchange/exchange.js';
import { FindingStore, type FindingStoreHost } from './finding-store.js';
import { Attempt, Call } from './call.js';
import { credentialsOutside } from './leaks.js';
import { SharedBudget, budgetLimits, type BudgetLimits } from './lru-map.js';
import { SuspectPairs } from './pairs.js';
import { Payments, type Payment } from './payments.js';
import type { Detection, Handlers, Retractable, Rule, RuleContext, UnmadePayment } from './rule.js';
import type { WorldFacts } from './world-facts.js';
import type { RuleId } from '../../../contract/control/analysis/rule-ids.js';
import { evictOldest } from '../../../domain/evict-oldest.js';

/** Maximum number of idempotency keys whose last replay is remembered. */
const maxRepeated = 1000;

/**
 * Tracks the injected faults that reached a client. Receives each request and webhook attempt before the rules do. Also receives each
 * finding that shows a wrong reaction of the client to a fault.
 */
export interface FaultJudge {
  exchange(call: Call): void;
  gone(call: Call): void;
  attempt(attempt: Attempt): void;
  /** Called when the client's knowledge of a payment may have changed. */
  paymentChanged(payment: Payment): void;
  /**
   * Called when a finding shows a wrong reaction to the faults of these idempotency keys or message ids.
   * @returns a function to call when the finding is retracted
   */
  mishandled(keys: readonly string[], rule: RuleId): () => void;
}

/** The functions and the fault tracker that a rule runner needs. */
export interface RuleRunnerHost extends FindingStoreHost {
  readonly faults: FaultJudge;
}

/** Runs all rules over the requests, webhook attempts and commits of one world. */
export class RuleRunner {
  readonly book: FindingStore;
  readonly memory: SharedBudget;
  readonly #world: WorldFacts;
  readonly payments: Payments;
  readonly pairs: SuspectPairs;
  readonly #faults: FaultJudge;
  readonly #handlers: readonly (Handlers & { readonly rule: RuleId })[];
  /** The handlers for requests, by operation and status. */
  readonly #wanting = new Map<string | null, Map<number, readonly Handlers[]>>();
  /** Order at which the latest replayed response was sent, by idempotency key. */
  readonly #repeated = new Map<string, number>();
  /** Requests that began before this order belong to an earlier generation. */
  #since = 0;

  constructor(world: WorldFacts, rules: readonly Rule[], host: RuleRunnerHost, limits: BudgetLimits = budgetLimits) {
    this.#world = world;
    this.#faults = host.faults;
    this.book = new FindingStore(host);
    this.memory = new SharedBudget(limits);
    this.payments = new Payments(world, this.memory);
    this.pairs = new SuspectPairs(world, this.payments, this.memory);
    this.payments.onChange((payment) => this.#faults.paymentChanged(payment));
    this.#handlers = rules.map((rule) => {
      const context: RuleContext = {
        world,
        payments: this.payments,
        pairs: this.pairs,
        lruMap: (bytesEach) => this.memory.lruMap(bytesEach),
        quote: (text, limit) => host.redacted(text, limit),
        report: (detection) => this.#report(rule, detection),
      };
      return { ...rule.create(context), rule: rule.id };
    });
  }

  /** Returns the payments outside of negative tests that were not made, as the client knows, and about which no finding decides. */
  unmade(): readonly UnmadePayment[] {
    return this.#handlers.flatMap((each) => each.unmade?.().filter(({ test }) => !this.book.isProvoked(each.rule, test)) ?? []);
  }

  /** Called when a token request has entered the world. */
  tokenAsked(): void {
    for (const each of this.#handlers) each.tokenAsked?.();
  }

  request(record: RequestRecord): void {
    if (record.began.order < this.#since) return;
    const call = new Call(record);
    if (record.replay && call.isDelivered) {
      this.#repeated.set(call.key!, record.ended.order);
      evictOldest(this.#repeated, maxRepeated);
    }
    call.isRepeated = this.#isRepeated(call);
    // Faults come first: a finding about a payment fails the fault tests of its requests.
    this.#faults.exchange(call);
    this.payments.exchange(call);
    const leaks = credentialsOutside(record, this.#world);
    if (leaks.length > 0) for (const each of this.#handlers) each.leaked?.(call, leaks);
    for (const each of this.#handlersFor(record)) if (hasWhatMatters(each, record)) each.exchange!(call);
  }

  /** Called when the client of a processed request disconnected: removes the conclusions from the delivery of its response. */
  clientDisconnected(record: RequestRecord): void {
    if (record.began.order < this.#since) return;
    const call = new Call(record);
    call.isRepeated = this.#isRepeated(call);
    this.memory.forget(call.id);
    this.#faults.gone(call);
    this.payments.gone(call);
    for (const each of this.#handlers) each.gone?.(call);
  }

  attempt(record: AttemptRecord): void {
    if (record.synthetic || record.began.order < this.#since) return;
    const attempt = new Attempt(record);
    if (!record.toInbox) {
      this.#faults.attempt(attempt);
      for (const each of this.#handlers) each.attempt?.(attempt);
    }
    // A client learns nothing from an event of a type that it does not know.
    if (!attempt.isAccepted || !attempt.isOfDefinedType) return;
    this.payments.accepted(attempt);
    for (const each of this.#handlers) each.accepted?.(attempt);
  }

  committed(commit: Commit): void {
    if (!('changes' in commit)) return;
    this.book.booked(
      commit.changes.flatMap(({ table, row }) => (table === 'ledgerEntries' && row ? ((row as LedgerEntry).operationId ?? []) : [])),
    );
    for (const { table, row } of commit.changes)
      if (table === 'operations' && (row as OperationRecord | null)?.states.at(-1)?.status === 'FAILED')
        this.#failed((row as OperationRecord).id);
    for (const each of this.#handlers) each.committed?.(commit.changes);
  }

  #failed(operationId: string): void {
    this.pairs.failed(operationId);
    this.book.booked([operationId]);
  }

  /** Called when the state of the world was replaced: earlier knowledge is invalid. */
  replaced(order: number): void {
    this.#forgetAll(order);
    this.book.nextGeneration();
  }

  end(): void {
    for (const each of this.#handlers) each.end?.();
    this.book.end();
  }

  /** Deletes all findings, and all entries that the rules remember. */
  clear(order: number): void {
    this.#forgetAll(order);
    this.book.clear();
  }

  /**
   * Stores a detection. Its fault tests count as failed until the detection is retracted. In a negative test of the client, only a double
   * payment fails them.
   */
  #report(rule: Rule, detection: Detection): Retractable {
    const reported = this.book.report(rule, detection);
    const isProvoked = this.book.isProvoked(rule.id, detection.test);
    const excuses: (() => void)[] = [];
    const fail = (keys: readonly string[] = []) => {
      if (keys.length > 0 && !isProvoked) excuses.push(this.#faults.mishandled(keys, rule.id));
    };
    fail(detection.concerns);
    return {
      retract: () => {
        reported.retract();
        for (const excuse of excuses.splice(0)) excuse();
      },
      confirm: (concerns) => {
        reported.confirm();
        fail(concerns);
      },
    };
  }

  /** Returns the handlers for a request by its operation and status: for most reads only one handler, which counts the uses of tokens. */
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

  /** True if the stored response for the idempotency key of a request was replayed after this request began. */
  #isRepeated({ record, key }: Call): boolean {
    return (this.#repeated.get(key ?? '') ?? 0) > record.began.order;
  }

  #forgetAll(order: number): void {
    this.memory.clear();
    this.pairs.clear();
    this.#repeated.clear();
    this.#since = order;
  }
}

/** True if a request has the property that a rule requires. */
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
