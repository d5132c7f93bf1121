/** The pause after a checkpoint before an idle storage writes the next one, as a multiple of the checkpoint's duration. */
const restFactor = 20;

/** Size of the journal that starts a checkpoint under load, as a multiple of the last checkpoint file. */
const loadFactor = 4;

/** Decides when a checkpoint is worth its cost, so that a large storage is not rewritten all the time. Uses `performance.now()`. */
export class CheckpointPace {
  readonly #minBytes: number;
  #restsUntil = 0;
  #retryAtBytes = 0;

  /** @param minBytes size of the smallest journal that starts a checkpoint */
  constructor(minBytes: number) {
    this.#minBytes = minBytes;
  }

  get isRested(): boolean {
    return performance.now() >= this.#restsUntil;
  }

  /** Whether the journal is large enough for a checkpoint under load: much larger than the last checkpoint file. Sizes are in bytes. */
  isDue(journal: number, file: number): boolean {
    return journal > Math.max(this.#minBytes, this.#retryAtBytes, loadFactor * file);
  }

  /** Records a finished checkpoint. @param startedMs start of the checkpoint */
  saved(startedMs: number): void {
    this.#restsUntil = performance.now() + restFactor * (performance.now() - startedMs);
    this.#retryAtBytes = 0;
  }

  /** Records a failed checkpoint. The next one starts when the journal is twice as long. @param journal size of the journal in bytes */
  failed(journal: number): void {
    this.#retryAtBytes = journal * 2;
  }
}
