import { DeliveryCalls, FaultCalls, QuoteCalls, SnapshotCalls, SubscriptionCalls } from '../calls.js';
import { ignoreNotFound, type Control } from '../caller.js';
import type { Fault } from '../types.js';

/** A stored state of a world. */
export class SnapshotHandle extends SnapshotCalls {
  [Symbol.asyncDispose](): Promise<void> {
    return ignoreNotFound(this.delete());
  }
}

/** An injected failure. The fault ends when you remove it, or by its `times` or `ttl`. */
export class FaultHandle extends FaultCalls {
  /** The fault as created. */
  readonly rule: Fault;

  constructor(client: Control, rule: Fault) {
    super(client, rule.id);
    this.rule = rule;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return ignoreNotFound(this.remove());
  }
}

/** A subscription of a world. */
export class SubscriptionHandle extends SubscriptionCalls {
  [Symbol.asyncDispose](): Promise<void> {
    return ignoreNotFound(this.delete());
  }
}

/** A webhook delivery. Its id is the X-Message-Id of its attempts. */
export class DeliveryHandle extends DeliveryCalls {}

/** A quote of a world. */
export class QuoteHandle extends QuoteCalls {}
