/** A call that may have caused something. */
export interface CallRecord {
  readonly id: string;
  readonly kind: 'REQUEST' | 'CONTROL';
  readonly method: string;
  readonly path: string;
  /** The answer's status; what a rule or a fault made of it on the way does not count. */
  readonly status: number;
  /** The rule or fault that struck it; null when none did. */
  readonly struckBy: string | null;
  readonly idempotencyKey: string | null;
}

/** The calls of late by their ids, in memory: they explain what happened, and are no part of any world. */
export class CauseBook {
  readonly #calls = new Map<string, CallRecord>();
  /** Stands at the oldest call: beginning anew each time would pass all the places that were left. */
  readonly #byAge = this.#calls.keys();
  readonly #limit: number;

  /** @param limit how many calls are remembered, of all worlds together */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  add(call: CallRecord): void {
    if (this.#calls.size >= this.#limit) this.#calls.delete(this.#byAge.next().value!);
    this.#calls.set(call.id, call);
  }

  get(id: string): CallRecord | undefined {
    return this.#calls.get(id);
  }
}
