import { answered, disposed, type CallOptions, type Control } from '../caller.js';
import type { Delivery, DeliveryDetail, Fault, Probe, Quote, Snapshot } from '../types.js';

/** A moment of a world to go back to. */
export class SnapshotHandle {
  readonly name: string;
  readonly #client: Control;

  constructor(client: Control, name: string) {
    this.#client = client;
    this.name = name;
  }

  /** Brings everything back, pending timers too; time goes on from then. */
  restore({ signal = null }: CallOptions = {}): Promise<Snapshot> {
    return answered(this.#client.POST('/_sandbox/snapshots/{snapshotName}/restore', { params: this.#params, signal }));
  }

  /** Forgets it. */
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

/** Something that goes wrong on purpose, until it is removed or has happened as often as it was to. */
export class FaultHandle {
  readonly id: string;
  /** As it was made. */
  readonly rule: Fault;
  readonly #client: Control;

  constructor(client: Control, rule: Fault) {
    this.#client = client;
    this.id = rule.id;
    this.rule = rule;
  }

  /** Ends it. One that has ended by itself is no mistake. */
  async remove({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.#client.DELETE('/_sandbox/faults/{faultId}', { params: { path: { faultId: this.id } }, signal }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return disposed(this.remove());
  }
}

/** A subscription of a world by its id. */
export class SubscriptionHandle {
  readonly id: string;
  readonly #client: Control;

  constructor(client: Control, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Whether the sandbox can reach its URL, step by step; sends nothing. */
  probe({ signal = null }: CallOptions = {}): Promise<Probe> {
    const params = { path: { subscriptionId: this.id } };
    return answered(this.#client.POST('/_sandbox/subscriptions/{subscriptionId}/probe', { params, signal }));
  }

  /** Ends it, with its deliveries and logs. */
  async delete({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(
      this.#client.DELETE('/_sandbox/subscriptions/{subscriptionId}', { params: { path: { subscriptionId: this.id } }, signal }),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return disposed(this.delete());
  }
}

/** A delivery of a webhook by its id, which is the X-Message-Id of its attempts. */
export class DeliveryHandle {
  readonly id: string;
  readonly #client: Control;

  constructor(client: Control, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** How it stands, with every attempt. */
  get({ signal = null }: CallOptions = {}): Promise<DeliveryDetail> {
    return answered(this.#client.GET('/_sandbox/deliveries/{deliveryId}', { params: { path: { deliveryId: this.id } }, signal }));
  }

  /** Sends it once more, whatever became of it. */
  resend({ signal = null }: CallOptions = {}): Promise<Delivery> {
    return answered(this.#client.POST('/_sandbox/deliveries/{deliveryId}/resend', { params: { path: { deliveryId: this.id } }, signal }));
  }
}

/** A quote of a world by its id. */
export class QuoteHandle {
  readonly id: string;
  readonly #client: Control;

  constructor(client: Control, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Ends it before its time. */
  expire({ signal = null }: CallOptions = {}): Promise<Quote> {
    return answered(this.#client.POST('/_sandbox/quotes/{quoteId}/expire', { params: { path: { quoteId: this.id } }, signal }));
  }
}
