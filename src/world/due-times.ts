import type { ClockRecord } from './rows.js';
import type { State } from './state.js';

/**
 * Returns the time of the next job or attempt in real Unix milliseconds; null if there is none. Pending attempts are due now.
 * @param nowMs real time
 */
export function nextDueMs(state: State, clock: ClockRecord, nowMs: number): number | null {
  // Delayed attempts have a job that releases them.
  for (const { held } of state.outbox.values()) if (!held) return nowMs;
  return nextJobMs(state, clock, nowMs);
}

/** Returns {@link nextDueMs} or an earlier time, in constant time even with many delayed attempts. */
export function soonestMs(state: State, clock: ClockRecord, nowMs: number): number | null {
  return state.outbox.size > 0 ? nowMs : nextJobMs(state, clock, nowMs);
}

/** Returns the real time of the next job; null if there is none or a frozen clock does not reach it. */
function nextJobMs(state: State, clock: ClockRecord, nowMs: number): number | null {
  const job = state.jobs.first('due');
  if (!job) return null;
  const dueMs = Date.parse(job.dueAt);
  if (clock.mode === 'RUNNING') return dueMs - clock.offsetMs;
  return dueMs <= Date.parse(clock.at) ? nowMs : null;
}
