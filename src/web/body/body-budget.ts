import { DomainError } from '../../domain/errors.js';

/** What of each body counts nowhere, in bytes: a small body is always taken, and since connections are limited, so is the sum of these. */
export const freeBytes = 16 * 1024;

/** What all bodies under way may hold together, whoever sends them. */
export class BodyBudget {
  readonly #maximumBytes: number;
  #heldBytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** What a new body holds, nothing so far. */
  open(): BodyHolding {
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

/** What one body holds of its budget. */
export interface BodyHolding {
  /** Takes note of how much is held now, in bytes. @throws DomainError SERVICE_UNAVAILABLE when that is more than there is room for */
  set(bytes: number): void;
}

function full(): DomainError {
  return new DomainError(
    'SERVICE_UNAVAILABLE',
    'Too many large bodies are under way at once. Try again when some of them have been read, or raise SANDBOX_BODY_MIB.',
  );
}
