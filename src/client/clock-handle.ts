import { ClockCalls } from './calls.js';
import { answered, type CallOptions } from './caller.js';
import type { Advance, Clock } from './types.js';

/** Distance to advance a clock: a duration (`30s`, `PT30S`), up to a timestamp (`to`), or until no timer is left (`untilIdle`). */
export type Distance = string | { readonly to: string | Date } | { readonly untilIdle: true };

const instantText = (instant: string | Date) => (typeof instant === 'string' ? instant : instant.toISOString());

/** The clock of a world. */
export class ClockHandle extends ClockCalls {
  /** Freezes the clock: now, or after an advance to the later time `at`. */
  freeze(at?: string | Date, { signal = null }: CallOptions = {}): Promise<Clock> {
    const body = { mode: 'FROZEN', ...(at === undefined ? {} : { now: instantText(at) }) } as const;
    return answered(this.client.PUT('/_sandbox/clock', { body, signal }));
  }

  /** Lets the clock run with real time, from its present world time. */
  run({ signal = null }: CallOptions = {}): Promise<Clock> {
    return answered(this.client.PUT('/_sandbox/clock', { body: { mode: 'RUNNING' }, signal }));
  }

  /** Advances the clock, and runs all timers that become due and their webhook attempts. Returns the fired timers and the attempts. */
  advance(distance: Distance, { signal = null }: CallOptions = {}): Promise<Advance> {
    const body =
      typeof distance === 'string' ? { by: distance } : 'to' in distance ? { to: instantText(distance.to) } : { untilIdle: true as const };
    return answered(this.client.POST('/_sandbox/clock/advance', { body, signal }));
  }
}
