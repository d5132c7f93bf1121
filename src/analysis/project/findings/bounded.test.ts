import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { fractions } from '../../../testing/chance.js';
import { requestOf } from '../../../testing/request-record.js';
import { inLength } from '../../../testing/long-run.js';
import { nextOrder, type AttemptRecord, type RequestRecord } from '../../../exchange/exchange.js';
import { budgetLimits, type BudgetLimits } from './lru-map.js';
import { Resilience } from '../coverage/resilience.js';
import { Tally } from '../coverage/tally.js';
import { RuleRunner } from './rule-runner.js';
import { hostOf } from '../../../testing/finding-store-host.js';
import { rules } from './rules.js';

const noWorld = {
  clientSecret: 'a secret of the client',
  incarnation: 'incarnation',
  row: () => undefined,
  nowMs: () => 0,
  hasCents: () => false,
  subscriptions: () => [],
};

function runnerWith(limits: BudgetLimits): RuleRunner {
  const faults = new Resilience(() => new Tally());
  return new RuleRunner(noWorld, rules, { ...hostOf(() => null), faults }, limits);
}

/** Generates valid and invalid actions of clients and endpoints. */
class Traffic {
  readonly #chance = fractions(7);
  #realMs = Date.parse('2026-11-21T12:00:00Z');
  #count = 0;

  /** @returns related requests or attempts: of one payment, list, report period or message */
  next(): (RequestRecord | AttemptRecord)[] {
    const kind = this.#chance();
    if (kind < 0.45) return this.#request();
    if (kind < 0.6) return this.#pages();
    if (kind < 0.65) return [this.#report(), this.#report()];
    return this.#message();
  }

  #request(): RequestRecord[] {
    const at = this.#chance();
    const body = { sourceAccountId: `account ${this.#count}`, amount: { value: at < 0.02 ? 25 : '25.00', asset: 'BRL' } };
    const [key, other] = [`key ${(this.#count += 1)}`, `other ${this.#count}`];
    const call = (given: Partial<RequestRecord>) =>
      this.#finished(
        { operationId: 'createTransfer', method: 'POST', fingerprint: JSON.stringify(body), idempotencyKey: key, ...given },
        body,
      );
    const done = { status: 201, originalStatus: 201 };
    if (at < 0.7) return [call(done)];
    if (at < 0.75) return [call({ ...done, outcome: 'LOST' }), call({ ...done, replay: true })];
    if (at < 0.77) return [call({ ...done, outcome: 'LOST' }), call({ ...done, idempotencyKey: other })];
    if (at < 0.85) return [call({ status: 503, originalStatus: 503 }), call(done)];
    if (at < 0.87) return [call({ status: 503, originalStatus: 503 }), call({ ...done, idempotencyKey: other })];
    if (at < 0.89) return [call(done), call({ status: 409, originalStatus: 409, code: 'IDEMPOTENCY_CONFLICT', fingerprint: 'another' })];
    if (at < 0.92) return [1, 2, 3].map(() => call({ status: 400, originalStatus: 400, code: 'INVALID_DATA' }));
    if (at < 0.95) return [1, 2, 3, 4].map(() => call({ status: 500, originalStatus: 500, code: 'INTERNAL_ERROR' }));
    const expired = { status: 401, originalStatus: 401, code: 'EXPIRED_ACCESS_TOKEN', token: `token ${this.#count}` };
    this.#realMs += 2000;
    return [call({ ...expired }), call({ ...expired }), call({ ...expired })];
  }

  #pages(): RequestRecord[] {
    const cursor = `cursor${(this.#count += 1)}`;
    const page = (own: string | null, next: string | null) => {
      const query = own === null ? [] : ([['cursor', own]] as const);
      const value = { data: [], meta: { previousCursor: null, nextCursor: next, total: 0 } };
      return this.#finished({
        operationId: 'listSubscriptions',
        method: 'GET',
        query,
        response: { headers: {}, body: JSON.stringify(value), value },
      });
    };
    const first = [page(null, cursor), page(cursor, `${cursor}b`)];
    if (this.#chance() < 0.05) return [...first, page(cursor, `${cursor}b`), page(cursor, `${cursor}b`)];
    return [...first, page(`${cursor}b`, null)];
  }

  #report(): RequestRecord {
    const start = Math.floor(this.#chance() * 1000) * 86_400_000;
    const end = start + 86_400_000 - (this.#chance() < 0.1 ? 1000 : 0);
    const instant = (ms: number) => new Date(ms).toISOString();
    const query = [
      ['periodStart', instant(start)],
      ['periodEnd', instant(end)],
    ] as const;
    return this.#finished({ operationId: 'getReport', method: 'GET', query });
  }

  #message(): AttemptRecord[] {
    const id = `message ${(this.#count += 1)}`;
    const at = this.#chance();
    const attempt = (httpStatus: number, given: Partial<AttemptRecord> = {}) => this.#attempt(id, { httpStatus, ...given });
    if (at < 0.8) return [attempt(200)];
    if (at < 0.9) return [attempt(503), attempt(200, { attemptKind: 'RETRY' })];
    if (at < 0.93) return [attempt(200), attempt(409, { attemptKind: 'DUPLICATE' })];
    if (at < 0.96) return [attempt(200, { effect: { corruptSignature: true } })];
    return [attempt(301)];
  }

  #moments() {
    const began = { order: nextOrder(), realMs: (this.#realMs += 10), worldMs: this.#realMs };
    return { began, ended: { order: nextOrder(), realMs: this.#realMs + 1, worldMs: this.#realMs } };
  }

  #finished(given: Partial<RequestRecord>, value?: unknown): RequestRecord {
    const body = value === undefined ? null : { mediaType: 'application/json', size: 0, text: JSON.stringify(value), value, file: null };
    const client = { connection: 1, rawHeaders: ['Authorization', 'Bearer something'], token: 'a token' };
    return requestOf({ id: `req_${(this.#count += 1)}`, ...this.#moments(), ...client, body, ...given });
  }

  #attempt(messageId: string, given: Partial<AttemptRecord>): AttemptRecord {
    return {
      id: `log ${(this.#count += 1)}`,
      ...this.#moments(),
      moment: { commit: 1, last: 1, jobs: 0, isOwn: true, worldMs: this.#realMs },
      generation: 1,
      test: null,
      messageId,
      eventType: 'OPERATION_REQUESTED',
      resourceId: messageId,
      subscriptionId: `subscription ${this.#count % 10}`,
      subscription: (this.#count % 10) + 1,
      url: 'https://hooks.example.com/',
      attemptKind: 'FIRST',
      number: 1,
      causeId: 'req_1',
      toInbox: false,
      synthetic: false,
      effect: null,
      headers: {},
      body: '{}',
      payload: {},
      sent: '{}',
      httpStatus: 200,
      error: null,
      location: null,
      answer: null,
      timeoutMs: 10_000,
      isHeld: false,
      ...given,
    };
  }
}

/** Passes a request or attempt to a runner. A request that takes effect gets a stored response. */
function tell(runner: RuleRunner, fact: RequestRecord | AttemptRecord): void {
  if (!('kind' in fact)) return runner.attempt(fact);
  const { idempotencyKey: key, fingerprint, originalStatus: status, replay } = fact;
  const isStored = key !== null && fingerprint !== null && status < 300 && !replay;
  runner.request({ ...fact, stored: isStored ? { status, madeId: `made by ${key}` } : null });
}

/** Returns the findings in a form that two runs can compare. */
const summary = (runner: RuleRunner) =>
  runner.book
    .list()
    .map(({ rule, operationId, eventType, confidence, severity, count }) => [rule.id, operationId, eventType, confidence, severity, count]);

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

const facts = inLength(10_000, 1_000_000);

test(
  `a rule runner stays within its memory limit over ${facts} requests and attempts, with the same findings as without a limit`,
  { timeout: 600_000 },
  () => {
    const bounded = runnerWith(budgetLimits);
    const unbounded = runnerWith({ entries: Infinity, bytes: Infinity });
    const traffic = new Traffic();
    let most = 0;
    let count = 0;
    while (count < facts) {
      for (const fact of traffic.next()) {
        tell(bounded, fact);
        tell(unbounded, fact);
        count += 1;
      }
      most = Math.max(most, bounded.memory.bytes);
    }
    bounded.end();
    unbounded.end();
    expect(most).toBeLessThanOrEqual(budgetLimits.bytes);
    expect(unbounded.memory.bytes).toBeGreaterThan(most);
    expect(summary(bounded)).toEqual(summary(unbounded));
    expect(new Set(bounded.book.list().map(({ rule }) => rule.id)).size).toBeGreaterThan(8);
  },
);

test('a rule runner increases the heap by less than four times its memory limit', { timeout: 600_000 }, () => {
  const runner = runnerWith(budgetLimits);
  const traffic = new Traffic();
  const before = heapUsed();
  for (let group = 0; group < inLength(8_000, 600_000); group += 1) for (const fact of traffic.next()) tell(runner, fact);
  expect(heapUsed() - before).toBeLessThan(4 * budgetLimits.bytes);
  expect(runner.memory.bytes).toBeGreaterThan(0);
});
