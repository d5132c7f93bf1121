import type { Context } from 'hono';
import { bindingsOf } from './body/body.js';

/** The source of an event stream. */
export interface EventSource {
  /** Resolves to the next text; null at the end of the stream. */
  next(): Promise<string | null>;
  /** Called when the stream has ended or the client has disconnected. */
  close(): void;
}

/** Interval of keep-alive comments in milliseconds, so that proxies keep the connection open. */
const silenceMs = 15_000;
/** The keep-alive comment. */
export const keepAlive = ': nothing new\n\n';

/** Lets a source wait for new events. */
export class EventWait {
  #end: (() => void) | undefined;

  /** Waits for {@link end}. @returns true if the keep-alive interval passed first */
  last(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), silenceMs).unref();
      this.#end = () => {
        clearTimeout(timer);
        this.#end = undefined;
        resolve(false);
      };
    });
  }

  /** Ends the wait. */
  end(): void {
    this.#end?.();
  }
}

/** Returns a body of server-sent events, which reads from the source only as fast as the client reads. */
export function eventStream(c: Context, source: EventSource): ReadableStream<Uint8Array> {
  const { outgoing } = bindingsOf(c);
  outgoing?.once('close', () => source.close()); // A HEAD request neither reads nor cancels the body.
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const text = await source.next();
        if (text !== null) return controller.enqueue(encoder.encode(text));
        source.close();
        controller.close();
      },
      cancel: () => source.close(),
    },
    { highWaterMark: 0 },
  );
}
