import { setImmediate as nextTurn } from 'node:timers/promises';

const underWay = Symbol();

/** How many turns of the event loop others had while work was under way, and what it came to. */
export async function turnsDuring<T>(work: Promise<T>): Promise<{ turns: number; value: T }> {
  for (let turns = 0; ; turns += 1) {
    const value = await Promise.race([work, nextTurn(underWay)]);
    if (value !== underWay) return { turns, value: value as T };
  }
}
