import type { Exchange, Witness } from '../world/witness.js';
import type { World } from '../world/world.js';

/** What is remembered of a call. */
type Remembered = Pick<Exchange, 'id' | 'kind' | 'method' | 'path' | 'status' | 'ruleId' | 'idempotencyKey'>;

/** The calls of late by their ids, in memory: they explain what happened, and are no part of any world. */
export class CauseBook implements Witness {
  /** In the order of their coming, but that the latest take the places of the oldest. */
  readonly #calls: Remembered[] = [];
  #next = 0;
  readonly #limit: number;

  /** @param limit how many calls are remembered, of all worlds together */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  /** Remembers what may have caused something: reads do not, unless a rule or a fault struck them. */
  exchange(_world: World | null, { id, kind, method, path, status, ruleId, idempotencyKey }: Remembered): void {
    if (this.#limit === 0 || (method === 'GET' && ruleId === null)) return;
    this.#calls[this.#next] = { id, kind, method, path, status, ruleId, idempotencyKey };
    this.#next = (this.#next + 1) % this.#limit;
  }

  /** Looks through all of them: calls come far more often than questions about them. */
  get(id: string): Remembered | undefined {
    return this.#calls.find((call) => call.id === id);
  }
}
