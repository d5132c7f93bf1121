/**
 * Time that has gone by since it was made, in milliseconds: by the steady clock or by that of the day, whichever says more, since one of
 * them may stand still while the machine is suspended.
 */
export class Stopwatch {
  readonly #steadyMs = performance.now();
  readonly #dateMs = Date.now();

  get ms(): number {
    return Math.max(performance.now() - this.#steadyMs, Date.now() - this.#dateMs);
  }
}
