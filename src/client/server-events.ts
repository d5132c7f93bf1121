import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { authorizationOf } from './authorization.js';
import { send, type CallOptions } from './caller.js';
import type { Connection } from './connection.js';
import { ownCodes, SandboxError } from './error.js';

/** For how long a lost connection is tried again before it is given up, unless told otherwise, and how soon after it was tried last, in milliseconds. */
const patience = { lostMs: 5000, everyMs: 250 };
/** How long a connection may be without a word before it counts as lost, in milliseconds: the server says something every 15 s. */
const silenceMs = 45_000;

/** What to do when a connection is lost. */
export interface LossOptions extends CallOptions {
  /** For how long to try again, in milliseconds; 5,000 unless told otherwise. */
  readonly lostMs?: number | undefined;
  /** Told when the connection is lost and tried again. */
  readonly onLost?: (() => void) | undefined;
  /** Told when it is there again. */
  readonly onFound?: (() => void) | undefined;
}

/** Server-sent events of one address of the control plane. A connection that is lost is taken up again where it broke off. */
export class ServerEvents {
  readonly #connection: Connection;
  readonly #world: string;
  readonly #url: URL;
  readonly #signal: AbortSignal | null;
  readonly #loss: LossOptions;
  readonly #leaving = new AbortController();
  #opened: Promise<AsyncGenerator<EventSourceMessage>> | null = null;
  #wasOpen = false;
  /** When a connection was tried last. */
  #triedMs = -Infinity;
  #lastId: string | null = null;

  /** @param path with its query */
  constructor(connection: Connection, world: string, path: string, loss: LossOptions) {
    this.#connection = connection;
    this.#world = world;
    this.#url = new URL(`${connection.controlUrl}${path}`);
    this.#signal = loss.signal ?? null;
    this.#loss = loss;
  }

  /** Waits until the server says that it is connected. */
  async ready(): Promise<void> {
    await (this.#opened ??= this.#open());
  }

  /** The events, until it is closed. @throws SandboxError when no connection can be made, or none any more; the reason of the signal */
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

  /** Hangs up. */
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
        const isAway = error instanceof SandboxError && (error.code === ownCodes.unreachable || error.status >= 500);
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
    const first = await messages.next(); // It says from where on the events are read, or that some are missing.
    if (first.done) {
      if (left.aborted) return messages;
      throw new SandboxError({ code: ownCodes.unreachable, said: `${this.#url.origin} hung up before it said anything.` });
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
