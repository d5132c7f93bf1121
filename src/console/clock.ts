import type { z } from 'zod';
import type { AdvanceSchema } from '../contract/control/clock.js';
import { call } from './api.js';
import { attempt, counted } from './notices.js';
import { clock, refreshClock, type Clock } from './store.js';

type Advance = z.infer<typeof AdvanceSchema>;
type Step = { readonly by: string } | { readonly to: string } | { readonly untilIdle: true };

/** How far the clock can be moved at once, with the words for it. */
export const steps = [
  ['+1 s', 'PT1S', '1 second'],
  ['+1 min', 'PT1M', '1 minute'],
  ['+1 h', 'PT1H', '1 hour'],
  ['+1 d', 'P1D', '1 day'],
] as const;

function wordsOf(step: Step, now: string): string {
  if ('by' in step) return `Advanced ${steps.find(([, by]) => by === step.by)?.[2] ?? step.by}`;
  return 'to' in step ? `Advanced to ${now.slice(11, 19)}` : 'Advanced until no timer was left';
}

/** Advances the clock of the world that is open. @returns what happened meanwhile */
export async function advance(step: Step): Promise<string> {
  const { now, fired, deliveries, omitted } = await call<Advance>('POST', '/clock/advance', step);
  await refreshClock();
  const more = omitted === undefined ? '' : `, and ${omitted.toLocaleString('en')} more`;
  return `${wordsOf(step, now)}: ${counted(fired.length, 'timer')}, ${counted(deliveries.length, 'webhook')}${more}.`;
}

/** Lets the clock run that is frozen, or freezes it. @returns what was done */
export async function freezeOrRun(): Promise<string> {
  const mode = clock.peek()?.mode === 'FROZEN' ? 'RUNNING' : 'FROZEN';
  const { now } = await call<Clock>('PUT', '/clock', { mode });
  await refreshClock();
  return mode === 'FROZEN' ? `The clock is frozen at ${now.slice(11, 19)}.` : 'The clock runs.';
}

/** Advances to the time of the next timer, if there is one. @returns what happened meanwhile */
export async function nextTimer(): Promise<string> {
  const to = clock.peek()?.nextTimerAt;
  return to ? advance({ to }) : 'No timer is pending.';
}

/** Says what an act returns. */
export const asSaid = (text: string): string => text;

/** Does one of these, and says what came of it. */
export const move = (act: () => Promise<string>): Promise<boolean> => attempt(act, asSaid);
