import type { Interruptible } from '../domain/interruptible.js';

/** Runs work that yields as often as possible. @param meanwhile called at each yield */
export function heldUp<T>(work: Interruptible<T>, meanwhile: () => void = () => undefined): T {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    meanwhile();
  }
}
