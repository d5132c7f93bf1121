/** A call that may have caused something. */
export interface CallRecord {
  readonly id: string;
  readonly kind: 'REQUEST' | 'CONTROL';
  readonly method: string;
  readonly path: string;
  /** The answer's status; what a rule or a fault made of it on the way does not count. */
  readonly status: number;
  /** The rule or fault that struck it; null when none did. */
  readonly ruleId: string | null;
  readonly idempotencyKey: string | null;
}

/** The calls of late by their ids, in memory: they explain what happened, and are no part of any world. */
export class CauseBook {
  /** In the order of their coming, but that the latest take the places of the oldest. */
  readonly #calls: CallRecord[] = [];
  #next = 0;
  readonly #limit: number;

  /** @param limit how many calls are remembered, of all worlds together */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  add(call: CallRecord): void {
    if (this.#limit === 0) return;
    this.#calls[this.#next] = call;
    this.#next = (this.#next + 1) % this.#limit;
  }

  /** Looks through all of them: calls come far more often than questions about them. */
  get(id: string): CallRecord | undefined {
    return this.#calls.find((call) => call.id === id);
  }
}
