import type { ClockRecord } from './rows.js';
import type { State } from './state.js';

/**
 * When a world has something to do by itself, in milliseconds of real time; null when it has not. Attempts that are owed are due now.
 * @param nowMs real time
 */
export function nextDueMs(state: State, clock: ClockRecord, nowMs: number): number | null {
  // Those that are held back have a job that lets them go.
  for (const { held } of state.outbox.values()) if (!held) return nowMs;
  return nextJobMs(state, clock, nowMs);
}

/** As {@link nextDueMs} or sooner, told at once however many attempts are held back. */
export function soonestMs(state: State, clock: ClockRecord, nowMs: number): number | null {
  return state.outbox.size > 0 ? nowMs : nextJobMs(state, clock, nowMs);
}

/** When the next job is due by the real clock; null when none is planned, or none that time brings about. */
function nextJobMs(state: State, clock: ClockRecord, nowMs: number): number | null {
  const job = state.jobs.first('due');
  if (!job) return null;
  const dueMs = Date.parse(job.dueAt);
  if (clock.mode === 'RUNNING') return dueMs - clock.offsetMs;
  return dueMs <= Date.parse(clock.at) ? nowMs : null;
}
