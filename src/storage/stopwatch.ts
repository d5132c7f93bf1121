/**
 * Time since creation in milliseconds. Uses the larger of steady clock and wall clock, because either may stop while the machine is
 * suspended.
 */
export class Stopwatch {
  readonly #steadyMs = performance.now();
  readonly #dateMs = Date.now();

  get ms(): number {
    return Math.max(performance.now() - this.#steadyMs, Date.now() - this.#dateMs);
  }
}
