import type { IdentityRecord } from './rows.js';
import type { State } from './state.js';

/**
 * Name of the counter that stores the current id series. Identical requests get different ids in each series. As part of the state, the
 * series continues after a restore or an import.
 */
export const idSeries = 'idSeries';

/** Selects the series of ids for a new state, before its first row. The first series, 0, has no counter. */
export function chooseIdSeries(state: State, number: number): void {
  if (number > 0) state.counters.set(idSeries, { id: idSeries, value: number });
}

/** Returns the number of the id series in a state. */
export function idSeriesIn(state: State): number {
  return state.counters.get(idSeries)?.value ?? 0;
}

/** Returns the strings from which ids of a series are derived, in addition to kind and key. The number of the first series is left out. */
export function idSeed({ seed, name }: Pick<IdentityRecord, 'seed' | 'name'>, number: number): string[] {
  return number === 0 ? [seed, name] : [seed, name, 'series', String(number)];
}
