import type { EventChallenge, WriteChallenge } from '../../../contract/control/analysis/coverage.js';
import type { RuleId } from '../../../contract/control/analysis/rule-ids.js';
import { evictOldest } from '../../../domain/evict-oldest.js';
import type { Occasion, Tally } from './tally.js';

/** An injected fault that reached the client, and whether the client handled it. */
export interface FaultTest {
  readonly challenge: WriteChallenge | EventChallenge;
  /** Id of the coverage item, for example `createQuote.503`. */
  readonly cell: string;
  /** Idempotency key of the request, or message id of the webhook, to which the fault was applied. For `early`: the request id. */
  readonly key: string;
  /** Order of the fault. A retry passes the test only if it began later. */
  readonly order: number;
  /** Id of a resource: the test passes when the client learns of the resource. Null if that does not pass the test. */
  readonly resourceId: string | null;
  /** True if the resource is an operation that the client created. */
  readonly isPayment: boolean;
  /** The token that was rejected as expired; null for other faults. */
  readonly token: string | null;
  state: 'OPEN' | 'PASSED';
  /** Number of findings that show a wrong reaction of the client. */
  failures: number;
}

/** The rules whose findings show that a client mishandled a fault. */
export const rulesOfFault: Readonly<Record<WriteChallenge | EventChallenge, readonly RuleId[]>> = {
  lostResponse: ['payment.repeated', 'idempotency.lost-response-new-key'],
  timeout: ['payment.repeated', 'idempotency.lost-response-new-key'],
  crash: ['payment.repeated', 'idempotency.lost-response-new-key'],
  malformed: ['payment.repeated', 'idempotency.lost-response-new-key'],
  '503': ['payment.repeated', 'idempotency.new-key-after-5xx', 'retry.too-early'],
  '429': ['retry.too-early'],
  unknownFields: ['payment.repeated', 'payment.equal', 'response.unknown-fields'],
  expireToken: ['token.expired-reused'],
  duplicate: ['webhook.duplicate-failed'],
  badSignature: ['webhook.bad-signature-accepted'],
  early: [],
  drop: [],
  late: [],
  overlap: [],
  lost: [],
  reorder: [],
};

/** Maximum number of keys and message ids whose fault tests are remembered. The results of older tests are final. */
const maxKeys = 1000;

/**
 * The fault tests of one world by idempotency key or message id. A test passes when the client reacts correctly with the key, the message
 * or the resource. A test fails only by a finding, so that findings and coverage never disagree.
 */
export class FaultTests {
  readonly #tally: () => Tally;
  readonly #byKey = new Map<string, FaultTest[]>();
  readonly #open = new Set<FaultTest>();

  /** @param tally returns the current counts of the world */
  constructor(tally: () => Tally) {
    this.#tally = tally;
  }

  /** The fault tests that neither passed nor were evicted. */
  get open(): ReadonlySet<FaultTest> {
    return this.#open;
  }

  /** Returns the fault tests of an idempotency key or message id. */
  of(key: string): readonly FaultTest[] {
    return this.#byKey.get(key) ?? [];
  }

  /** Counts a fault that reached the client, and starts its fault test. */
  add(given: Omit<FaultTest, 'state' | 'failures'>, occasion: Occasion): FaultTest {
    const test: FaultTest = { ...given, state: 'OPEN', failures: 0 };
    this.#tally().meet('resilience', test.cell, occasion);
    this.#byKey.set(test.key, [...this.of(test.key), test].slice(-maxPerKey));
    this.#open.add(test);
    evictOldest(this.#byKey, maxKeys, (key) => {
      for (const each of this.of(key)) this.#open.delete(each);
      this.#byKey.delete(key);
    });
    return test;
  }

  /** Marks a fault test as passed: the client handled the fault. */
  pass(test: FaultTest): void {
    if (test.state === 'PASSED') return;
    test.state = 'PASSED';
    this.#open.delete(test);
    if (test.failures === 0) this.#tally().settle(test.cell, 'passed', 1);
  }

  /** Counts a finding of a rule against the fault tests of these keys. @returns a function to call when the finding is retracted */
  fail(keys: readonly string[], rule: RuleId): () => void {
    const failed = keys.flatMap((key) => this.of(key).filter(({ challenge }) => rulesOfFault[challenge].includes(rule)));
    for (const each of failed) this.#count(each, 1);
    return () => {
      for (const each of failed) if (this.of(each.key).includes(each)) this.#count(each, -1);
    };
  }

  clear(): void {
    this.#byKey.clear();
    this.#open.clear();
  }

  #count(test: FaultTest, change: 1 | -1): void {
    const before = test.failures;
    test.failures += change;
    if (Math.min(before, test.failures) > 0) return;
    this.#tally().settle(test.cell, 'failed', change);
    if (test.state === 'PASSED') this.#tally().settle(test.cell, 'passed', change === 1 ? -1 : 1);
  }
}

/** Maximum number of remembered tests for one key. */
const maxPerKey = 16;
