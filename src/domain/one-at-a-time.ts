/** Returns a function that calls an asynchronous function only after its previous call has ended, in the order of the calls. */
export function oneAtATime<A extends unknown[], R>(work: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (...given) => {
    const result = last.then(() => work(...given));
    last = result.catch(() => undefined);
    return result;
  };
}
