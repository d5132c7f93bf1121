import type { Interruptible } from '../domain/interruptible.js';

/** Runs interruptible work, and pauses at every possible point. @param meanwhile called at each pause */
export function runWithPauses<T>(work: Interruptible<T>, meanwhile: () => void = () => undefined): T {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    meanwhile();
  }
}
