/** How many times as long as a checkpoint took there is none afterwards, but at a stop or when the journal has far outgrown the file. */
const restFactor = 20;
/** How many times as long as the file the journal may be before a checkpoint waits no longer: so much more has a start to read. */
const outgrownFactor = 4;

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

  /** Whether a journal has grown enough beside the file of the last checkpoint; sizes in bytes. */
  isDue(journal: number, file: number): boolean {
    const isGrown = journal > Math.max(this.#minBytes, this.#retryAtBytes);
    return isGrown && ((this.isRested && journal > file / 8) || journal > outgrownFactor * file);
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
