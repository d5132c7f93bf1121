import { setImmediate as nextTurn } from 'node:timers/promises';

const underWay = Symbol();

/** Returns the number of event loop turns during some work, and its result. */
export async function turnsDuring<T>(work: Promise<T>): Promise<{ turns: number; value: T }> {
  for (let turns = 0; ; turns += 1) {
    const value = await Promise.race([work, nextTurn(underWay)]);
    if (value !== underWay) return { turns, value: value as T };
  }
}

/** Returns the longest turn of the event loop during work, in milliseconds of CPU time: other processes do not count. */
export async function longestTurnDuring<T>(work: Promise<T>): Promise<{ longestMs: number; value: T }> {
  for (let longestMs = 0; ;) {
    const began = process.cpuUsage();
    const value = await Promise.race([work, nextTurn(underWay)]);
    const { user, system } = process.cpuUsage(began);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    if (value !== underWay) return { longestMs, value: value as T };
  }
}
