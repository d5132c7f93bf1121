import type { State } from './state.js';
import type { View } from './view.js';

/**
 * Name of the counter that stores the current id series. Identical requests get different ids in each series. As part of the state, the
 * series continues after a restore or an import.
 */
const series = 'idSeries';

/** Selects the series of ids for a new state, before its first row. The first series, 0, has no counter. */
export function chooseIdSeries(state: State, number: number): void {
  if (number > 0) state.counters.set(series, { id: series, value: number });
}

/** Returns the number of the id series in a state. */
export function idSeriesIn(state: State): number {
  return state.counters.get(series)?.value ?? 0;
}

/** Returns the strings from which ids are derived, in addition to kind and key. The number of the first series is left out. */
export function idOrigin(view: Pick<View, 'get' | 'identity'>): string[] {
  const { seed, name } = view.identity;
  const number = view.get('counters', series)?.value ?? 0;
  return number === 0 ? [seed, name] : [seed, name, 'series', String(number)];
}
