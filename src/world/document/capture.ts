import type { StateDocument } from '../../contract/control/state-document.js';
import { rowsOf, type State, type WorldRows } from '../state.js';
import { tableNames, tables } from '../tables.js';

/** The tables in a state document: all except those of the world itself. */
export const exportedTables = tableNames.filter((name) => !('isOwn' in tables[name]));

/** An unchanging copy of a state. */
export interface StateCapture {
  readonly customerId: string;
  readonly companyId: string;
  /** Its time on import. */
  readonly clock: StateDocument['clock'];
  readonly tables: WorldRows;
}

/** Copies a state, which is fast. @param nowMs world time in Unix milliseconds */
export function captureState(state: State, nowMs: number): StateCapture {
  const identity = state.identity.get('identity');
  const clock = state.clock.get('clock');
  if (!identity || !clock) throw new Error('The world has no identity or no clock.');
  const { customerId, companyId } = identity;
  return {
    customerId,
    companyId,
    clock: { mode: clock.mode, now: new Date(nowMs).toISOString() },
    tables: rowsOf(state, exportedTables),
  };
}
