import type { ListenedAttempt } from '../../contract/control/listeners.js';
import type { BodyReservation } from '../../api/plane/body/body-budget.js';
import { keepAlive, EventWait, type EventSource } from '../../api/plane/event-stream.js';

/** Number of body bytes in one part of an event; a multiple of 3, so that the base64 texts of the parts can be joined. */
const pieceBytes = 48 * 1024;

/** A webhook for a listener. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface ReaderOptions {
  readonly session: string;
  /** Returns the webhook with an id; undefined if it no longer waits for a response. */
  messageOf(id: string): Message | undefined;
  /** Counts the bytes of the webhook that is being written against a budget. */
  readonly reservation: BodyReservation | undefined;
  /** Called when the client has disconnected. */
  closed(): void;
}

/**
 * The connection of a listener. Its queue contains only ids of webhooks. The text of a webhook is created in parts while the client reads.
 * Webhooks that no longer wait for a response are skipped.
 */
export class ListenerReader implements EventSource {
  readonly #options: ReaderOptions;
  readonly #unread = new Set<string>();
  readonly #wait = new EventWait();
  /** The rest of the event that is being written. */
  #pieces: Iterator<string>;
  #isOver = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#pieces = [`event: ready\ndata: ${JSON.stringify({ session: options.session })}\n\n`].values();
  }

  /** Number of webhooks that the client has not started to read. */
  get unread(): number {
    return this.#unread.size;
  }

  add(id: string): void {
    this.#unread.add(id);
    this.#wait.end();
  }

  remove(id: string): void {
    this.#unread.delete(id);
  }

  /** Ends the stream after the current event. @param reason sent to the client in a last event, `end` */
  end(reason?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unread.clear();
    if (reason !== undefined) this.#pieces = joined(this.#pieces, `event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#wait.end();
  }

  async next(): Promise<string | null> {
    for (;;) {
      const { value, done } = this.#pieces.next();
      if (!done) return value;
      this.#options.reservation?.set(0);
      if (this.#begin()) continue;
      if (this.#isOver) return null;
      if (await this.#wait.last()) return keepAlive;
    }
  }

  close(): void {
    this.#options.reservation?.set(0);
    this.#options.closed();
    this.end();
  }

  /** Starts to write the next webhook, or the last event on an error. @returns whether there are parts to write */
  #begin(): boolean {
    for (const id of this.#unread) {
      this.#unread.delete(id);
      const message = this.#options.messageOf(id);
      if (!message) continue;
      try {
        this.#options.reservation?.set(message.body.length);
      } catch (error) {
        this.end((error as Error).message);
        this.#options.closed();
        return true;
      }
      this.#pieces = piecesOf(id, message);
      return true;
    }
    return false;
  }
}

function* joined(pieces: Iterator<string>, last: string): Generator<string> {
  for (let piece = pieces.next(); !piece.done; piece = pieces.next()) yield piece.value;
  yield last;
}

/** Yields the event of a webhook in parts. */
function* piecesOf(id: string, { headers, body }: Message): Generator<string> {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const data: ListenedAttempt = {
    attempt: id,
    messageId: named['x-message-id'] ?? null,
    eventType: named['x-event-type'] ?? null,
    headers: { ...headers },
    body: '',
  };
  const json = JSON.stringify(data); // Ends with the empty body: `""}`.
  let text = `id: ${id}\ndata: ${json.slice(0, -2)}`;
  for (let at = 0; at < body.length; at += pieceBytes) {
    text += body.toString('base64', at, at + pieceBytes);
    if (at + pieceBytes < body.length) {
      yield text;
      text = '';
    }
  }
  yield `${text}"}\n\n`;
}
