import { answered, disposed, type CallOptions, type Control } from '../caller.js';
import type { Delivery, DeliveryDetail, Fault, Probe, Quote, Snapshot } from '../types.js';

/** A stored state of a world. */
export class SnapshotHandle {
  readonly name: string;
  readonly #client: Control;

  constructor(client: Control, name: string) {
    this.#client = client;
    this.name = name;
  }

  /** Restores the stored state, including pending timers. World time continues from the time of the snapshot. */
  restore({ signal = null }: CallOptions = {}): Promise<Snapshot> {
    return answered(this.#client.POST('/_sandbox/snapshots/{snapshotName}/restore', { params: this.#params, signal }));
  }

  /** Deletes the snapshot. */
  async delete({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.#client.DELETE('/_sandbox/snapshots/{snapshotName}', { params: this.#params, signal }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return disposed(this.delete());
  }

  get #params() {
    return { path: { snapshotName: this.name } };
  }
}

/** An injected failure. The fault ends when you remove it, or by its `times` or `ttl`. */
export class FaultHandle {
  readonly id: string;
  /** The fault as created. */
  readonly rule: Fault;
  readonly #client: Control;

  constructor(client: Control, rule: Fault) {
    this.#client = client;
    this.id = rule.id;
    this.rule = rule;
  }

  /** Removes the fault, even if it has already ended by its `times` or `ttl`. */
  async remove({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.#client.DELETE('/_sandbox/faults/{faultId}', { params: { path: { faultId: this.id } }, signal }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return disposed(this.remove());
  }
}

/** A subscription of a world. */
export class SubscriptionHandle {
  readonly id: string;
  readonly #client: Control;

  constructor(client: Control, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Checks step by step whether the sandbox can reach the URL of the subscription, without sending a webhook. */
  probe({ signal = null }: CallOptions = {}): Promise<Probe> {
    const params = { path: { subscriptionId: this.id } };
    return answered(this.#client.POST('/_sandbox/subscriptions/{subscriptionId}/probe', { params, signal }));
  }

  /** Deletes the subscription with its deliveries and logs. */
  async delete({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(
      this.#client.DELETE('/_sandbox/subscriptions/{subscriptionId}', { params: { path: { subscriptionId: this.id } }, signal }),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return disposed(this.delete());
  }
}

/** A webhook delivery. Its id is the X-Message-Id of its attempts. */
export class DeliveryHandle {
  readonly id: string;
  readonly #client: Control;

  constructor(client: Control, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Returns the delivery with its status and all attempts. */
  get({ signal = null }: CallOptions = {}): Promise<DeliveryDetail> {
    return answered(this.#client.GET('/_sandbox/deliveries/{deliveryId}', { params: { path: { deliveryId: this.id } }, signal }));
  }

  /** Sends the delivery again, regardless of its status. */
  resend({ signal = null }: CallOptions = {}): Promise<Delivery> {
    return answered(this.#client.POST('/_sandbox/deliveries/{deliveryId}/resend', { params: { path: { deliveryId: this.id } }, signal }));
  }
}

/** A quote of a world. */
export class QuoteHandle {
  readonly id: string;
  readonly #client: Control;

  constructor(client: Control, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Expires the quote now. */
  expire({ signal = null }: CallOptions = {}): Promise<Quote> {
    return answered(this.#client.POST('/_sandbox/quotes/{quoteId}/expire', { params: { path: { quoteId: this.id } }, signal }));
  }
}
