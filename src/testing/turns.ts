import { setImmediate as nextTurn } from 'node:timers/promises';

const underWay = Symbol();

/** Returns the number of event loop turns during some work, and its result. */
export async function turnsDuring<T>(work: Promise<T>): Promise<{ turns: number; value: T }> {
  for (let turns = 0; ; turns += 1) {
    const value = await Promise.race([work, nextTurn(underWay)]);
    if (value !== underWay) return { turns, value: value as T };
  }
}
