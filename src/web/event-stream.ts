import type { Context } from 'hono';
import type { Bindings } from './body/body.js';

/** Where the text of a stream of events comes from. */
export interface EventSource {
  /** Resolves with the next piece of text, and with null at the end. */
  next(): Promise<string | null>;
  /** Told when nobody reads any more. */
  close(): void;
}

/** A body of server-sent events for a call, which asks its source for as much as its reader takes and not more. */
export function eventStream(c: Context, source: EventSource): ReadableStream<Uint8Array> {
  const { outgoing } = (c.env ?? {}) as Bindings;
  outgoing?.once('close', () => source.close()); // A call by HEAD takes no body, nor does it cancel it.
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
