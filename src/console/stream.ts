import type { StreamItem } from '../contract/control/analysis/stream.js';
import { ask } from './api.js';

export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

/** The callbacks of a reader of the stream. */
export interface StreamReader {
  item(item: StreamItem): void;
  /** Some items will never come which were to come: before the first of all something is always missing. */
  gap(): void;
  state(connection: Connection): void;
  /** Called before each connection. The stream waits for it. */
  opening(): Promise<void>;
}

/** The id of the last event that was read, which outlasts a connection. */
export interface StreamPlace {
  last: string;
}

/** The id of no event: what is behind it is everything that is still kept. */
export const fromTheBeginning = '0';

interface ServerSentEvent {
  id: string | null;
  event: string;
  data: string;
}

/** The events of a text of server-sent events as it comes. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => void reader.cancel(), silenceMs);
    const { value, done } = await reader.read();
    clearTimeout(timer);
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

/** How long nothing may come before the connection counts as lost, in milliseconds: the server sends a comment after 15 seconds. */
const silenceMs = 25_000;

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Reads the stream of the world that is open until it is told to stop, and goes on after every cut where it was cut. */
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
