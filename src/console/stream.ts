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

interface ServerSentEvent {
  id: string | null;
  event: string;
  data: string;
}

/** Yields the server-sent events of a response body as they arrive. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => void reader.cancel(), silenceMs);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer)); // A timer left after an abort would fail.
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event: ServerSentEvent = { id: null, event: 'message', data: '' };
      for (const line of block.split('\n')) {
        const [name, text = ''] = line.split(/: (.*)/s);
        if (name === 'id' || name === 'event' || name === 'data') event[name] = text;
      }
      if (event.data !== '') yield event;
    }
  }
}

/** Milliseconds of silence after which the connection counts as lost. The server sends at least a comment every 15 seconds. */
const silenceMs = 25_000;

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
      for await (const { id, event, data } of eventsOf(response.body!)) {
        if (event === 'gap' && place.last !== fromTheBeginning) reader.gap();
        else if (event === 'message') reader.item(JSON.parse(data) as StreamItem);
        place.last = id ?? place.last;
      }
      if (!signal.aborted) reader.state('lost');
    } catch (error) {
      if (signal.aborted) return;
      reader.state(error instanceof TypeError ? 'lost' : 'refused');
    }
    tries += 1;
    await pause(Math.min(250 * 2 ** tries, 5000), signal);
  }
}
