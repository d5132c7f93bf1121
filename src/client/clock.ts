import { answered, type CallOptions, type Control } from './caller.js';
import type { Advance, Clock, Timers } from './types.js';

/** How far to move a clock: a duration (`30s`, `PT30S`), to an instant, or until no timer is left. */
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

  /** What waits for its time, what is due first at the front. */
  timers({ signal = null }: CallOptions = {}): Promise<Timers> {
    return answered(this.#client.GET('/_sandbox/timers', { signal }));
  }

  /** Stops the clock where it is, or at a later instant, to which it goes first. */
  freeze(at?: string | Date, { signal = null }: CallOptions = {}): Promise<Clock> {
    const body = { mode: 'FROZEN', ...(at === undefined ? {} : { now: instantText(at) }) } as const;
    return answered(this.#client.PUT('/_sandbox/clock', { body, signal }));
  }

  /** Lets the clock run from where it is. */
  run({ signal = null }: CallOptions = {}): Promise<Clock> {
    return answered(this.#client.PUT('/_sandbox/clock', { body: { mode: 'RUNNING' }, signal }));
  }

  /** Moves time forward: all that becomes due happens, its webhooks are attempted, and the answer says what that was. */
  advance(distance: Distance, { signal = null }: CallOptions = {}): Promise<Advance> {
    const body =
      typeof distance === 'string' ? { by: distance } : 'to' in distance ? { to: instantText(distance.to) } : { untilIdle: true as const };
    return answered(this.#client.POST('/_sandbox/clock/advance', { body, signal }));
  }
}
