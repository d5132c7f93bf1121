import { setImmediate as immediate } from 'node:timers/promises';

/** For how long work keeps the event loop at a time, in milliseconds, and for how many steps at most. */
const slice = { ms: 5, steps: 128 } as const;

let last: Promise<void> = Promise.resolve();

/** Resolves in a later turn of the event loop: a turn for each that waits, so that many at once hold up others no longer than one. */
function nextTurn(): Promise<void> {
  return (last = last.then(() => immediate()));
}

/** Takes care that long work is done a slice at a time. */
export class Pace {
  #untilMs = performance.now() + slice.ms;
  #steps = 0;

  /** Takes note of a step that was done. @returns whether it is time to let others have their turn */
  step(): boolean {
    this.#steps += 1;
    return this.#steps >= slice.steps || performance.now() >= this.#untilMs;
  }

  /** Lets others have their turn; the next slice begins when it resolves. */
  async rest(): Promise<void> {
    await nextTurn();
    this.#untilMs = performance.now() + slice.ms;
    this.#steps = 0;
  }
}

/** Work that may be held up wherever it yields, and is told whether it was. */
export type Work<T> = Generator<void, T, boolean>;

/** Does work a slice at a time. @returns what it comes to, at once if a single slice was enough */
export function inTurns<T>(work: Work<T>): T | Promise<T> {
  const pace = new Pace();
  for (let step = work.next(false); ; step = work.next(false)) {
    if (step.done) return step.value;
    if (pace.step()) return restOf(work, pace);
  }
}

async function restOf<T>(work: Work<T>, pace: Pace): Promise<T> {
  for (let isRested = true; ; isRested = pace.step()) {
    if (isRested) await pace.rest();
    const step = work.next(isRested);
    if (step.done) return step.value;
  }
}
