import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { authorizationOf } from './authorization.js';
import { send, type CallOptions } from './caller.js';
import type { Connection } from './connection.js';
import { clientErrorCodes, SandboxError } from './error.js';

/** Default time for a reconnect, and minimum interval between two connection attempts, in milliseconds. */
const patience = { lostMs: 5000, everyMs: 250 };
/** Maximum silence of a connection before it counts as lost, in milliseconds. The server sends a message every 15 s. */
const silenceMs = 45_000;

/** Options for lost connections. */
export interface LossOptions extends CallOptions {
  /** Time for a reconnect, after which reading fails, in milliseconds. Default: 5,000 */
  readonly lostMs?: number | undefined;
  /** Called when the connection is lost, before the reconnect. */
  readonly onLost?: (() => void) | undefined;
  /** Called when the connection is restored. */
  readonly onFound?: (() => void) | undefined;
}

/** Server-sent events of one path of the control API. Reconnects automatically and continues after the last event. */
export class ServerEvents {
  readonly #connection: Connection;
  readonly #world: string;
  readonly #url: URL;
  readonly #signal: AbortSignal | null;
  readonly #loss: LossOptions;
  readonly #leaving = new AbortController();
  #opened: Promise<AsyncGenerator<EventSourceMessage>> | null = null;
  #wasOpen = false;
  /** Time of the last connection attempt. */
  #triedMs = -Infinity;
  #lastId: string | null = null;

  /** @param path including its query */
  constructor(connection: Connection, world: string, path: string, loss: LossOptions) {
    this.#connection = connection;
    this.#world = world;
    this.#url = new URL(`${connection.controlUrl}${path}`);
    this.#signal = loss.signal ?? null;
    this.#loss = loss;
  }

  /** Waits until the server confirms the connection. */
  async ready(): Promise<void> {
    await (this.#opened ??= this.#open());
  }

  /** Yields events until `close()`. @throws SandboxError if a connect or reconnect fails; the reason of the signal if it aborts */
  async *messages(): AsyncGenerator<EventSourceMessage, void, undefined> {
    try {
      while (!this.#leaving.signal.aborted) {
        const opened = await (this.#opened ??= this.#open()).catch((error: unknown) => {
          if (this.#leaving.signal.aborted) return [];
          throw error;
        });
        for await (const message of opened) {
          this.#lastId = message.id ?? this.#lastId;
          yield message;
        }
        this.#opened = null;
        if (!this.#leaving.signal.aborted) this.#loss.onLost?.();
      }
    } finally {
      this.close();
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#leaving.abort();
  }

  async #open(): Promise<AsyncGenerator<EventSourceMessage>> {
    const until = performance.now() + (this.#loss.lostMs ?? patience.lostMs);
    for (;;) {
      const early = this.#triedMs + patience.everyMs - performance.now();
      if (early > 0) await new Promise((resolve) => void setTimeout(resolve, early));
      this.#triedMs = performance.now();
      try {
        return await this.#connect();
      } catch (error) {
        const isAway = error instanceof SandboxError && (error.code === clientErrorCodes.unreachable || error.status >= 500);
        if (!this.#wasOpen || !isAway || performance.now() > until) throw error;
      }
    }
  }

  async #connect(): Promise<AsyncGenerator<EventSourceMessage>> {
    const headers = {
      'X-Sandbox-World': this.#world,
      ...authorizationOf(this.#connection.token),
      ...(this.#lastId === null ? {} : { 'Last-Event-ID': this.#lastId }),
    };
    const left = this.#signal ? AbortSignal.any([this.#signal, this.#leaving.signal]) : this.#leaving.signal;
    const response = await send(this.#connection, new Request(this.#url, { headers, signal: left }));
    const messages = messagesOf(response.body!, left, this.#signal);
    const first = await messages.next(); // The first message confirms the start of the events, or reports a gap.
    if (first.done) {
      if (left.aborted) return messages;
      throw new SandboxError({
        code: clientErrorCodes.unreachable,
        serverMessage: `${this.#url.origin} closed the connection before it sent anything.`,
      });
    }
    this.#lastId = first.value.id ?? this.#lastId;
    if (this.#wasOpen) this.#loss.onFound?.();
    this.#wasOpen = true;
    return first.value.event === 'ready' ? messages : beginningWith(first.value, messages);
  }
}

async function* beginningWith(first: EventSourceMessage, rest: AsyncGenerator<EventSourceMessage>): AsyncGenerator<EventSourceMessage> {
  yield first;
  yield* rest;
}

/** Yields the events in a response body until the body ends or breaks off, or `left` aborts. @throws the reason of `own` if it aborts */
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
      const silence = setTimeout(leave, silenceMs);
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      clearTimeout(silence);
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
