/** Work that can be paused at each `yield`. */
export type Interruptible<T> = Generator<void, T, void>;

/** Runs work without a pause. */
export function runSync<T>(work: Interruptible<T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
