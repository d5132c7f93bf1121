import { call } from './api.js';
import { clock, refreshClock } from './store.js';

/** Moves the clock of the world that is open. */
export async function advance(body: { by: string } | { to: string } | { untilIdle: true }): Promise<void> {
  await call('POST', '/clock/advance', body);
  await refreshClock();
}

/** Lets the clock run that is frozen, or freezes it. */
export async function freezeOrRun(): Promise<void> {
  await call('PUT', '/clock', { mode: clock.peek()?.mode === 'FROZEN' ? 'RUNNING' : 'FROZEN' });
  await refreshClock();
}

/** Goes to the instant of the next timer, if there is one. */
export async function nextTimer(): Promise<void> {
  const to = clock.peek()?.nextTimerAt;
  if (to) await advance({ to });
}
