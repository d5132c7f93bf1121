import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { send, type CallOptions } from './caller.js';
import type { Connection } from './connection.js';
import { ownCodes, SandboxError } from './error.js';
import type { StreamItem, StreamKind } from './types.js';

/** What of the events of a world is wanted. */
export interface EventQuery extends CallOptions {
  /** Only of these kinds; all unless told otherwise. */
  readonly kinds?: readonly StreamKind[] | undefined;
  /** Only about this resource. */
  readonly resourceId?: string | undefined;
  /** Told of events that are no longer there: from one number (null when that is not known) to another. Without it they are an error. */
  readonly onGap?: ((gap: { readonly from: number | null; readonly to: number }) => void) | undefined;
}

/** How often, and how far apart in milliseconds, a lost connection is tried again before it is given up. */
const retries = { times: 20, everyMs: 250 };

/**
 * What happens in a world, from the moment of `ready()` or of the first read, for one reader. A connection that is lost is taken up again
 * where it broke off.
 */
export class EventStream implements AsyncIterable<StreamItem> {
  readonly #connection: Connection;
  readonly #world: string;
  readonly #query: EventQuery;
  readonly #leaving = new AbortController();
  #opened: Promise<AsyncGenerator<EventSourceMessage>> | null = null;
  #lastId: string | null = null;

  constructor(connection: Connection, world: string, query: EventQuery) {
    this.#connection = connection;
    this.#world = world;
    this.#query = query;
  }

  /** Waits until what happens from now on is read. */
  async ready(): Promise<void> {
    await (this.#opened ??= this.#open());
  }

  /** @throws SandboxError EVENTS_MISSED, RESOURCE_NOT_FOUND when the world has ended, UNREACHABLE when the sandbox has; the reason of the signal */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamItem, void, undefined> {
    try {
      while (!this.#leaving.signal.aborted) {
        yield* this.#items(await (this.#opened ??= this.#open()));
        this.#opened = null;
      }
    } finally {
      this.close();
    }
  }

  /** Hangs up. */
  close(): void {
    this.#leaving.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** What comes over one connection until that is lost. */
  async *#items(messages: AsyncGenerator<EventSourceMessage>): AsyncGenerator<StreamItem, void, undefined> {
    for await (const { id, event, data } of messages) {
      this.#lastId = id ?? this.#lastId;
      if (event === 'gap') this.#missed(JSON.parse(data) as { from: number | null; to: number });
      else if (event === undefined) yield JSON.parse(data) as StreamItem;
    }
  }

  #missed(gap: { from: number | null; to: number }): void {
    if (this.#query.onGap) this.#query.onGap(gap);
    else throw new SandboxError({ code: ownCodes.missed, said: `The events up to number ${gap.to} were missed.`, details: gap });
  }

  async #open(): Promise<AsyncGenerator<EventSourceMessage>> {
    for (let tried = 0; ; tried += 1) {
      try {
        return await this.#connect();
      } catch (error) {
        const isLost = this.#lastId !== null && error instanceof SandboxError && error.code === ownCodes.unreachable;
        if (!isLost || tried >= retries.times) throw error;
      }
      await new Promise((resolve) => void setTimeout(resolve, retries.everyMs));
    }
  }

  async #connect(): Promise<AsyncGenerator<EventSourceMessage>> {
    const { kinds, resourceId, signal } = this.#query;
    const url = new URL(`${this.#connection.controlUrl}/_sandbox/stream`);
    if (kinds) url.searchParams.set('kinds', kinds.join(','));
    if (resourceId !== undefined) url.searchParams.set('resourceId', resourceId);
    const headers = {
      'X-Sandbox-World': this.#world,
      ...(this.#connection.token === null ? {} : { Authorization: `Bearer ${this.#connection.token}` }),
      ...(this.#lastId === null ? {} : { 'Last-Event-ID': this.#lastId }),
    };
    const left = signal ? AbortSignal.any([signal, this.#leaving.signal]) : this.#leaving.signal;
    const response = await send(this.#connection, new Request(url, { headers, signal: left }));
    const messages = messagesOf(response.body!, left, signal ?? null);
    const first = await messages.next(); // It says from where on the events are read.
    if (!first.done) this.#lastId = first.value.id ?? this.#lastId;
    return messages;
  }
}

/** The events of a body until it ends, is cut, or is left. @throws the reason of the caller's own signal */
async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  left: AbortSignal,
  own: AbortSignal | null,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  let come: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void come.push(message) });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const leave = () => void reader.cancel().catch(() => undefined);
  left.addEventListener('abort', leave);
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      own?.throwIfAborted();
      if (done || left.aborted || !value) return;
      parser.feed(decoder.decode(value, { stream: true }));
      const ready = come;
      come = [];
      yield* ready;
    }
  } finally {
    left.removeEventListener('abort', leave);
    leave();
  }
}
