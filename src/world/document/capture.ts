import type { StateDocument } from '../../contract/control/state-document.js';
import { rowsOf, type State, type WorldRows } from '../state.js';
import { tableNames, tables } from '../tables.js';

/** The tables that a state document has: all that do not belong to the world that a state is put into. */
export const exportedTables = tableNames.filter((name) => !('isOwn' in tables[name]));

/** What a state was at an instant, whatever becomes of it. */
export interface StateCapture {
  readonly customerId: string;
  readonly companyId: string;
  /** From where its time goes on. */
  readonly clock: StateDocument['clock'];
  readonly tables: WorldRows;
}

/** Notes what a state is, which is quick; `nowMs` is the instant at which its time goes on. */
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
