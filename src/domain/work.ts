/** Work that may be held up wherever it yields, and is told each time whether it was. */
export type Work<T> = Generator<void, T, boolean>;

/** Does work to its end at one go. */
export function atOnce<T>(work: Work<T>): T {
  for (let step = work.next(false); ; step = work.next(false)) if (step.done) return step.value;
}
