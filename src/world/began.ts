import type { State } from './state.js';
import type { View } from './view.js';

/** Name of the counter that stores the world time at which the world began, in Unix milliseconds. */
const beginning = 'beganMs';

/** Stores the time at which a new world begins. @param nowMs world time in Unix milliseconds */
export function begin(state: State, nowMs: number): void {
  state.counters.set(beginning, { id: beginning, value: nowMs });
}

/**
 * Returns the world time in Unix milliseconds at which the world began. For a world of an older version: the time at which its scenario was
 * set.
 */
export function beganMs(view: View): number {
  return view.get('counters', beginning)?.value ?? Date.parse(view.require('scenario', 'scenario', 'scenario').since);
}
