import { setImmediate as immediate } from 'node:timers/promises';
import type { Work } from '../domain/work.js';

/** For how long work keeps the event loop at a time, in milliseconds, and for how many steps at most. */
const slice = { ms: 5, steps: 128 } as const;

/** Those who wait for a later turn of the event loop: a turn for each, so that many at once hold up others no longer than one. */
export class TurnQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is the turn of who asks. */
  next(): Promise<void> {
    return (this.#last = this.#last.then(() => immediate()));
  }
}

const pieces = new TurnQueue();

/** Resolves in a later turn of the event loop, one for each piece of work that waits. */
export const nextTurn = (): Promise<void> => pieces.next();

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

/** Does work a slice at a time. @returns what it comes to */
export async function inTurns<T>(work: Work<T>): Promise<T> {
  const pace = new Pace();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (pace.step()) await pace.rest();
  }
}
