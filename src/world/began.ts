import type { State } from './state.js';
import type { View } from './view.js';

/** Counter of the Unix milliseconds of world time at which the world began. */
const beginning = 'beganMs';

/** Stores the time at which a new world begins. */
export function begin(state: State, nowMs: number): void {
  state.counters.set(beginning, { id: beginning, value: nowMs });
}

/** Returns the world time in Unix milliseconds at which the world began. A world of an older version began when its scenario was set. */
export function beganMs(view: View): number {
  return view.get('counters', beginning)?.value ?? Date.parse(view.require('scenario', 'scenario', 'scenario').since);
}
