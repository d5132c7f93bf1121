import type { EventChallenge } from '../../../contract/control/analysis/coverage.js';
import { evictOldest } from '../../../domain/evict-oldest.js';
import type { OutboxRecord } from '../../../world/rows.js';
import type { Attempt, Call } from '../findings/call.js';
import { isNeverShown, type Payment } from '../findings/payments.js';
import type { FaultTest, FaultTests } from './fault-tests.js';

const maxHeld = 1000;
/** Maximum number of remembered messages and subscriptions, and of remembered resources. */
const maxAccepted = 4096;

/** Tracks the injected faults of webhooks, each by its message id. */
export class WebhookFaults {
  readonly #tests: FaultTests;
  /** Ids of accepted messages, and of subscriptions whose endpoint accepted a message. */
  readonly #accepted = new Set<string>();
  /** Ids of resources about which the client has accepted a webhook. */
  readonly #acceptedOf = new Set<string>();
  /** The fault of each delayed message by message id. The attempts do not show this fault. */
  readonly #held = new Map<string, EventChallenge>();
  /** Ids of operations of which the client cannot know that it created them. A webhook about one is a receipt and passes no test. */
  readonly #unshown = new Set<string>();
  /** Fault tests of rejected forged messages, by the id of a subscription whose endpoint has not accepted a genuine message since. */
  readonly #refused = new Map<string, FaultTest[]>();

  constructor(tests: FaultTests) {
    this.#tests = tests;
  }

  /** Called when a delivery attempt is queued. */
  queued({ messageId, kind, held, effect }: OutboxRecord): void {
    if (!held || kind !== 'FIRST' || !effect) return;
    const { reorder, until, overlap } = effect;
    if (!reorder && until === undefined && !overlap) return;
    this.#held.set(messageId, overlap ? 'overlap' : reorder ? 'reorder' : 'late');
    evictOldest(this.#held, maxHeld);
  }

  attempt(attempt: Attempt): void {
    const { record, isAccepted, isGenuine, isForged, which } = attempt;
    const { messageId, subscriptionId, resourceId, effect } = record;
    const held = this.#held.get(messageId);
    this.#held.delete(messageId);
    if (isAccepted && isGenuine) this.#accept(messageId, subscriptionId, resourceId);
    if (which === 'DUPLICATE' && this.#accepted.has(messageId) && isGenuine) this.#meet('duplicate', attempt, null, isAccepted);
    else if (effect?.drop || effect?.lost) this.#meet(effect.lost ? 'lost' : 'drop', attempt, resourceId, false);
    else if (isForged) {
      const isRefused = !isAccepted && record.httpStatus > 0;
      const met = this.#meet('badSignature', attempt, null, isRefused && this.#accepted.has(subscriptionId));
      if (isRefused && met.state === 'OPEN')
        this.#refused.set(subscriptionId, [...(this.#refused.get(subscriptionId) ?? []), met].slice(-maxRefused));
      evictOldest(this.#refused, maxHeld);
    } else if (held !== undefined) this.#meet(held, attempt, resourceId, isAccepted && !this.#unshown.has(resourceId));
    else if (effect?.dropResponse) this.#meet('crash', attempt, resourceId, false);
    if (!isAccepted || !isGenuine) return;
    this.#accepted.add(messageId);
    this.#accepted.add(subscriptionId);
    evictOldest(this.#accepted, maxAccepted);
    this.#acceptedOf.add(resourceId);
    evictOldest(this.#acceptedOf, maxAccepted);
  }

  /** If the client reads a resource, marks its open fault tests as passed: the client no longer needs the webhook. */
  exchange(call: Call): void {
    const { record, isDelivered } = call;
    if (record.effect?.respondAfter) this.#early(call);
    if (record.method !== 'GET' || !isDelivered || record.status >= 300) return;
    const ids = Object.values(record.params);
    for (const test of this.#tests.open) if (test.resourceId !== null && ids.includes(test.resourceId)) this.#tests.pass(test);
  }

  /** Once a payment was shown to the client, its accepted webhooks pass their tests. */
  paymentChanged(payment: Payment): void {
    if (isNeverShown(payment)) {
      this.#unshown.add(payment.id);
      evictOldest(this.#unshown, maxAccepted);
    } else if (this.#unshown.delete(payment.id))
      for (const test of this.#tests.open) if (test.resourceId === payment.id && this.#accepted.has(test.key)) this.#tests.pass(test);
  }

  clear(): void {
    this.#unshown.clear();
    this.#accepted.clear();
    this.#acceptedOf.clear();
    this.#held.clear();
    this.#refused.clear();
  }

  /** Marks the fault tests as passed that are decided by an accepted genuine message. */
  #accept(messageId: string, subscriptionId: string, resourceId: string): void {
    for (const test of this.#tests.open) if (test.challenge === 'early' && test.resourceId === resourceId) this.#tests.pass(test);
    for (const test of this.#unshown.has(resourceId) ? [] : this.#tests.of(messageId))
      if (test.challenge !== 'badSignature') this.#tests.pass(test);
    for (const test of this.#refused.get(subscriptionId) ?? []) this.#tests.pass(test);
    this.#refused.delete(subscriptionId);
  }

  /** Adds the fault test of a response that was sent after the webhooks of its request. */
  #early({ record, at, id, test, operationId, madeId }: Call): void {
    if (madeId === null || record.outcome !== 'DELIVERED') return;
    const given = {
      challenge: 'early',
      cell: `${operationId}.early`,
      key: id,
      order: record.ended.order,
      resourceId: madeId,
      isPayment: false,
      token: null,
    } as const;
    const met = this.#tests.add(given, { ms: Date.parse(at), test });
    if (this.#acceptedOf.has(madeId)) this.#tests.pass(met);
  }

  #meet(challenge: EventChallenge, { record, at, test }: Attempt, resourceId: string | null, isHandled: boolean): FaultTest {
    const cell = `${record.eventType}.${challenge}`;
    const given = { challenge, cell, key: record.messageId, order: record.ended.order, resourceId, isPayment: false, token: null };
    const met = this.#tests.add(given, { ms: Date.parse(at), test });
    if (isHandled) this.#tests.pass(met);
    return met;
  }
}

/** Maximum number of remembered forged messages of a subscription. */
const maxRefused = 16;
