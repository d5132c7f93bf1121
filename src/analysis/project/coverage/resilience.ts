import type { RuleId } from '../../../contract/control/analysis/rule-ids.js';
import type { OutboxRecord } from '../../../world/rows.js';
import type { Attempt, Call } from '../findings/call.js';
import type { Payment } from '../findings/payments.js';
import type { FaultJudge } from '../findings/rule-runner.js';
import { FaultTests } from './fault-tests.js';
import type { Tally } from './tally.js';
import { WebhookFaults } from './webhook-faults.js';
import { WriteFaults } from './write-faults.js';

/** Tracks the injected faults of one world, and whether the client handled them. */
export class Resilience implements FaultJudge {
  readonly #writeTests: FaultTests;
  readonly #webhookTests: FaultTests;
  readonly #writes: WriteFaults;
  readonly #webhooks: WebhookFaults;

  /** @param tally returns the current counts of the world */
  constructor(tally: () => Tally) {
    this.#writeTests = new FaultTests(tally);
    this.#webhookTests = new FaultTests(tally);
    this.#writes = new WriteFaults(this.#writeTests);
    this.#webhooks = new WebhookFaults(this.#webhookTests);
  }

  exchange(call: Call): void {
    this.#writes.exchange(call);
    this.#webhooks.exchange(call);
  }

  gone(call: Call): void {
    this.#writes.gone(call);
  }

  attempt(attempt: Attempt): void {
    this.#webhooks.attempt(attempt);
  }

  paymentChanged(payment: Payment): void {
    this.#writes.paymentChanged(payment);
    this.#webhooks.paymentChanged(payment);
  }

  mishandled(keys: readonly string[], rule: RuleId): () => void {
    const retractions = [this.#writeTests, this.#webhookTests].map((tests) => tests.fail(keys, rule));
    return () => retractions.forEach((retract) => retract());
  }

  /** Called when a delivery attempt is queued. */
  queued(attempt: OutboxRecord): void {
    this.#webhooks.queued(attempt);
  }

  clear(): void {
    for (const each of [this.#writeTests, this.#webhookTests, this.#writes, this.#webhooks]) each.clear();
  }
}
