import type { z } from 'zod';
import type { AdvanceSchema } from '../contract/control/clock.js';
import { call } from './api.js';
import { runAction, countText, unchanged, type Outcome } from './notices.js';
import { shortId } from './parts/id.js';
import { grouped, inWords } from './parts/words.js';
import { world } from './router.js';
import { clock, refreshClock, type Clock } from './store.js';
import { noSearch } from './timeline/saved.js';

type Advance = z.infer<typeof AdvanceSchema>;
type Step = { readonly by: string } | { readonly to: string } | { readonly untilIdle: true };

/** Steps by which the user can advance the clock: label, duration in ISO 8601, words. */
export const steps = [
  ['+1 s', 'PT1S', '1 second'],
  ['+1 min', 'PT1M', '1 minute'],
  ['+1 h', 'PT1H', '1 hour'],
  ['+1 d', 'P1D', '1 day'],
] as const;

function wordsOf(step: Step, now: string): string {
  if ('by' in step) return `Advanced ${steps.find(([, by]) => by === step.by)?.[2] ?? step.by}`;
  return 'to' in step ? `Advanced to ${now.slice(11, 19)}` : 'Advanced until nothing was pending';
}

/** Maximum number of changes that a message lists one by one. */
const listedChanges = 3;

/**
 * Advances the clock of the open world.
 * @returns a message with the changes, or the number of fired timers, and the number of webhooks; with the address of what happened, if anything did
 */
export async function advance(step: Step): Promise<Outcome> {
  await refreshClock();
  const before = clock.peek()!.now;
  const { now, fired, deliveries, omitted } = await call<Advance>('POST', '/clock/advance', step);
  await refreshClock();
  const more = omitted === undefined ? '' : `, and ${grouped(omitted)} more`;
  const changed = fired.filter(({ resource }) => resource !== 'DELIVERY');
  const isFew = changed.length > 0 && changed.length <= listedChanges && fired.length === changed.length;
  const what = isFew
    ? changed.map(({ resource, id, from, to }) => `${inWords(resource)} ${shortId(id)} ${from} → ${to}`).join(', ')
    : countText(fired.length, 'timer');
  const text = `${wordsOf(step, now)}: ${what}, ${countText(deliveries.length, 'webhook')}${more}.`;
  if (fired.length + deliveries.length === 0) return { text };
  const query = { ...noSearch, q: `at[gt]=${before};at[lte]=${now}` };
  return { text, caused: { world: world.peek(), screen: 'timeline', id: null, query } }; // The page may show another world by then.
}

/** Freezes a running clock, or lets a frozen one run. @returns a message about the new mode */
export async function freezeOrRun(): Promise<string> {
  const mode = clock.peek()?.mode === 'FROZEN' ? 'RUNNING' : 'FROZEN';
  const { now } = await call<Clock>('PUT', '/clock', { mode });
  await refreshClock();
  return mode === 'FROZEN' ? `The clock is frozen at ${now.slice(11, 19)}.` : 'The clock runs.';
}

/** Advances to the time of the next timer, if there is one. @returns a message about the result */
export async function nextTimer(): Promise<string | Outcome> {
  const to = clock.peek()?.nextTimerAt;
  return to ? advance({ to }) : 'No timer is pending.';
}

/** Runs an action of the clock and shows its message. @returns whether the action succeeded */
export const runClockAction = (act: () => Promise<string | Outcome>): Promise<boolean> => runAction(act, unchanged);
