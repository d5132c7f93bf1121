import { DomainError } from '../../../domain/errors.js';
import { registerKept } from '../../../domain/kept-memory.js';

/** Bytes of each body that do not count against the budget. A small body is always accepted; the limit on connections bounds their sum. */
export const freeBytes = 16 * 1024;

/** Limits the memory of all bodies in progress, for all clients together: of requests, large responses, and webhooks to listeners. */
export class BodyBudget {
  readonly #maximumBytes: number;
  #heldBytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
    registerKept('bodies', this, (budget) => budget.#heldBytes);
  }

  /** Starts counting a new body at 0 bytes. */
  open(): BodyReservation {
    let own = 0;
    return {
      set: (bytes) => {
        const counted = Math.max(bytes - freeBytes, 0);
        if (this.#heldBytes - own + counted > this.#maximumBytes) throw full();
        this.#heldBytes += counted - own;
        own = counted;
      },
    };
  }
}

/** The share of one body in the budget. */
export interface BodyReservation {
  /** Sets the bytes that the body now holds. @throws DomainError SERVICE_UNAVAILABLE if the budget is exceeded */
  set(bytes: number): void;
}

function full(): DomainError {
  return new DomainError(
    'SERVICE_UNAVAILABLE',
    'Too many large bodies of requests and responses are in progress. Retry in a second, or raise SANDBOX_BODY_MIB.',
  );
}
