import type { Context } from 'hono';
import { bindingsOf } from './body/body.js';

/** Where the text of a stream of events comes from. */
export interface EventSource {
  /** Resolves with the next piece of text, and with null at the end. */
  next(): Promise<string | null>;
  /** Told when nobody reads any more. */
  close(): void;
}

/** How long a reader may be without a word, in milliseconds: what stands between is told that the connection lives. */
const silenceMs = 15_000;
/** What a reader is sent that has long had nothing: a comment. */
export const nothingNew = ': nothing new\n\n';

/** Lets a source wait for something to tell. */
export class Silence {
  #end: (() => void) | undefined;

  /** Resolves when there may be something to tell. @returns whether there was nothing for as long as may be */
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

/** A body of server-sent events for a call, which asks its source for as much as its reader takes and not more. */
export function eventStream(c: Context, source: EventSource): ReadableStream<Uint8Array> {
  const { outgoing } = bindingsOf(c);
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
