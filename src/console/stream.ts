import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { StreamItem } from '../contract/control/analysis/stream.js';
import { ask } from './api.js';

export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

/** The callbacks of a reader of the stream. */
export interface StreamReader {
  item(item: StreamItem): void;
  /** Called when items are missing from the stream, except before the first item. */
  gap(): void;
  state(connection: Connection): void;
  /** Called before each connection, which waits for the promise. */
  opening(): Promise<void>;
}

/** The id of the last event that was read, kept across connections. */
export interface StreamPlace {
  last: string;
}

/** The id before all events: the server then sends all stored events. */
export const fromTheBeginning = '0';

/** Milliseconds of silence after which the connection counts as lost. The server sends at least a comment every 15 seconds. */
const silenceMs = 25_000;

/** Calls `onEvent` for each server-sent event of a response body, until the body ends or is silent for too long. */
async function readEvents(body: ReadableStream<Uint8Array>, onEvent: (event: EventSourceMessage) => void): Promise<void> {
  const parser = createParser({ onEvent });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const timer = setTimeout(() => void reader.cancel(), silenceMs);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer)); // A timer left after an abort would fail.
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Reads the stream of the open world until `signal` aborts. After a lost connection, continues after the last event that was read. */
export async function readStream(place: StreamPlace, reader: StreamReader, signal: AbortSignal): Promise<void> {
  let tries = 0;
  while (!signal.aborted) {
    try {
      await reader.opening();
      const response = await ask('/stream', { Accept: 'text/event-stream', 'Last-Event-ID': place.last }, { signal });
      tries = 0;
      reader.state('live');
      await readEvents(response.body!, ({ id, event, data }) => {
        if (event === 'gap' && place.last !== fromTheBeginning) reader.gap();
        else if (event === undefined) reader.item(JSON.parse(data) as StreamItem);
        place.last = id ?? place.last;
      });
      if (!signal.aborted) reader.state('lost');
    } catch (error) {
      if (signal.aborted) return;
      reader.state(error instanceof TypeError ? 'lost' : 'refused');
    }
    tries += 1;
    await pause(Math.min(250 * 2 ** tries, 5000), signal);
  }
}
