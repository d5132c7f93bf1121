import type { Connection } from './connection.js';
import { ownCodes, SandboxError } from './error.js';
import { ServerEvents, type LossOptions } from './server-events.js';
import type { StreamItem, StreamKind } from './types.js';

/** What of the events of a world is wanted. */
export interface EventQuery extends LossOptions {
  /** Only of these kinds; all unless told otherwise. */
  readonly kinds?: readonly StreamKind[] | undefined;
  /** Only about this resource. */
  readonly resourceId?: string | undefined;
  /** Told of events that are no longer there: from one number (null when that is not known) to another. Without it they are an error. */
  readonly onGap?: ((gap: { readonly from: number | null; readonly to: number }) => void) | undefined;
}

/**
 * What happens in a world, from the moment of `ready()` or of the first read, for one reader. A connection that is lost is taken up again
 * where it broke off.
 */
export class EventStream implements AsyncIterable<StreamItem> {
  readonly #events: ServerEvents;
  readonly #onGap: EventQuery['onGap'];

  constructor(connection: Connection, world: string, { kinds, resourceId, onGap, ...loss }: EventQuery) {
    const query = new URLSearchParams({
      ...(kinds === undefined ? {} : { kinds: kinds.join(',') }),
      ...(resourceId === undefined ? {} : { resourceId }),
    });
    this.#events = new ServerEvents(connection, world, `/_sandbox/stream?${query.toString()}`, loss);
    this.#onGap = onGap;
  }

  /** Waits until what happens from now on is read. */
  ready(): Promise<void> {
    return this.#events.ready();
  }

  /** @throws SandboxError EVENTS_MISSED, RESOURCE_NOT_FOUND when the world has ended, UNREACHABLE when the sandbox has; the reason of the signal */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamItem, void, undefined> {
    for await (const { event, data } of this.#events.messages()) {
      if (event === 'gap') this.#missed(JSON.parse(data) as { from: number | null; to: number });
      else if (event === undefined) yield JSON.parse(data) as StreamItem;
    }
  }

  /** Hangs up. */
  close(): void {
    this.#events.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #missed(gap: { from: number | null; to: number }): void {
    if (this.#onGap) this.#onGap(gap);
    else throw new SandboxError({ code: ownCodes.missed, said: `The events up to number ${gap.to} were missed.`, details: gap });
  }
}
