import { answered, type CallOptions, type Control } from './caller.js';
import type { Advance, Clock, Timers } from './types.js';

/** The distance to move a clock: a duration (`30s`, `PT30S`), a timestamp, or until no timer is left. */
export type Distance = string | { readonly to: string | Date } | { readonly untilIdle: true };

const instantText = (instant: string | Date) => (typeof instant === 'string' ? instant : instant.toISOString());

/** The clock of a world. */
export class ClockHandle {
  readonly #client: Control;

  constructor(client: Control) {
    this.#client = client;
  }

  get({ signal = null }: CallOptions = {}): Promise<Clock> {
    return answered(this.#client.GET('/_sandbox/clock', { signal }));
  }

  /** Returns the pending timers, earliest first. */
  timers({ signal = null }: CallOptions = {}): Promise<Timers> {
    return answered(this.#client.GET('/_sandbox/timers', { signal }));
  }

  /** Freezes the clock now, or moves it to a later time and freezes it there. */
  freeze(at?: string | Date, { signal = null }: CallOptions = {}): Promise<Clock> {
    const body = { mode: 'FROZEN', ...(at === undefined ? {} : { now: instantText(at) }) } as const;
    return answered(this.#client.PUT('/_sandbox/clock', { body, signal }));
  }

  /** Starts the clock at its current time. */
  run({ signal = null }: CallOptions = {}): Promise<Clock> {
    return answered(this.#client.PUT('/_sandbox/clock', { body: { mode: 'RUNNING' }, signal }));
  }

  /** Moves the clock forward, and runs all due timers and their webhook attempts. Returns what happened. */
  advance(distance: Distance, { signal = null }: CallOptions = {}): Promise<Advance> {
    const body =
      typeof distance === 'string' ? { by: distance } : 'to' in distance ? { to: instantText(distance.to) } : { untilIdle: true as const };
    return answered(this.#client.POST('/_sandbox/clock/advance', { body, signal }));
  }
}
