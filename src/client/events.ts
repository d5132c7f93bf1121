import type { Connection } from './connection.js';
import { clientErrorCodes, SandboxError } from './error.js';
import { ServerEvents, type LossOptions } from './server-events.js';
import type { StreamItem, StreamKind } from './types.js';

/** Options for an event stream. */
export interface EventQuery extends LossOptions {
  /** Kinds of items to receive. Default: all */
  readonly kinds?: readonly StreamKind[] | undefined;
  /** Id of the resource whose items to receive. Default: all resources */
  readonly resourceId?: string | undefined;
  /** Called if items were missed, with the range of their numbers; `from` is null if unknown. Default: throw an error */
  readonly onGap?: ((gap: { readonly from: number | null; readonly to: number }) => void) | undefined;
}

/**
 * Streams the timeline items of a world to one reader, starting with `ready()` or the first read. Reconnects automatically, and continues
 * after the last received item.
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

  /** Waits until the stream is connected. The stream contains all items after this time. */
  ready(): Promise<void> {
    return this.#events.ready();
  }

  /**
   * @throws SandboxError EVENTS_MISSED without `onGap`, RESOURCE_NOT_FOUND if the world was deleted, UNREACHABLE if the sandbox stopped;
   * the reason of the signal if it aborts
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamItem, void, undefined> {
    for await (const { event, data } of this.#events.messages()) {
      if (event === 'gap') this.#missed(JSON.parse(data) as { from: number | null; to: number });
      else if (event === undefined) yield JSON.parse(data) as StreamItem;
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#events.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #missed(gap: { from: number | null; to: number }): void {
    if (this.#onGap) this.#onGap(gap);
    else
      throw new SandboxError({ code: clientErrorCodes.missed, serverMessage: `Events up to number ${gap.to} were missed.`, details: gap });
  }
}
