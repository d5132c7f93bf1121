import type { Interruptible } from '../domain/interruptible.js';

/** Does work that is held up wherever it can be. @param meanwhile what happens each time */
export function heldUp<T>(work: Interruptible<T>, meanwhile: () => void = () => undefined): T {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    meanwhile();
  }
}
