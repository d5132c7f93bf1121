/** How many times as long as a checkpoint took there is none afterwards while nothing is committed. */
const restFactor = 20;

/** When the next checkpoint is worth its cost, so that a large store is not written all the time. Instants are those of `performance`. */
export class CheckpointPace {
  readonly #minBytes: number;
  #restsUntil = 0;
  #retryAtBytes = 0;

  /** @param minBytes the smallest journal that is worth a checkpoint */
  constructor(minBytes: number) {
    this.#minBytes = minBytes;
  }

  get isRested(): boolean {
    return performance.now() >= this.#restsUntil;
  }

  /** Whether a journal has outgrown the file of the last checkpoint; sizes in bytes. */
  isDue(journal: number, file: number): boolean {
    return journal > Math.max(this.#minBytes, this.#retryAtBytes, file);
  }

  /** Notes that a checkpoint was written, and when it was begun. */
  saved(startedMs: number): void {
    this.#restsUntil = performance.now() + restFactor * (performance.now() - startedMs);
    this.#retryAtBytes = 0;
  }

  /** Notes that one failed, with a journal of so many bytes: the next is tried when it is twice as long. */
  failed(journal: number): void {
    this.#retryAtBytes = journal * 2;
  }
}
