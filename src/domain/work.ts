/** Work that may be held up wherever it yields. */
export type Work<T> = Generator<void, T, void>;

/** Does work to its end at one go. */
export function atOnce<T>(work: Work<T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
