import type { Work } from '../domain/work.js';

/** Does work to its end at one go. @param meanwhile what happens whenever it can be held up; it is, if this is given */
export function finish<T>(work: Work<T>, meanwhile?: () => void): T {
  for (let step = work.next(false); ; step = work.next(meanwhile !== undefined)) {
    if (step.done) return step.value;
    meanwhile?.();
  }
}
