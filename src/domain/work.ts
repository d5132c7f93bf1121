/** Work that can be paused at each `yield`. */
export type Work<T> = Generator<void, T, void>;

/** Runs work without a pause. */
export function atOnce<T>(work: Work<T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
