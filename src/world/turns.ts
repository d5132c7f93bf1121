import { setImmediate as immediate } from 'node:timers/promises';
import type { Work } from '../domain/work.js';

/** For how long work keeps the event loop at a time, in milliseconds, and for how many steps at most. */
const slice = { ms: 5, steps: 128 } as const;

let last: Promise<void> = Promise.resolve();

/** Resolves in a later turn of the event loop: a turn for each that waits, so that many at once hold up others no longer than one. */
export function nextTurn(): Promise<void> {
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

/** What comes at once, unless it has to be waited for. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value, at once if it is there. */
export function goOn<T, R>(value: Soon<T>, proceed: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(proceed) : proceed(value);
}

/** Does work a slice at a time. @returns what it comes to, at once if a single slice was enough */
export function inTurns<T>(work: Work<T>): Soon<T> {
  const pace = new Pace();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (pace.step()) return restOf(work, pace);
  }
}

async function restOf<T>(work: Work<T>, pace: Pace): Promise<T> {
  for (;;) {
    await pace.rest();
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (!pace.step());
  }
}
