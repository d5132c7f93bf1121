/** A server-sent event. */
export interface ReadEvent {
  readonly id: string;
  /** Default: `message`. */
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read data of many shapes
  readonly data: any;
}

/** Reads a stream of events, one at a time. */
export class EventReader {
  readonly status: number;
  readonly headers: Headers;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = '';
  /** The comments between the events. */
  readonly comments: string[] = [];

  constructor({ status, headers, body }: Response) {
    this.status = status;
    this.headers = headers;
    this.#reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Returns the next event; undefined at the end of the stream. */
  async next(): Promise<ReadEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const lines = this.#text.slice(0, end).split('\n');
        this.#text = this.#text.slice(end + 2);
        const value = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = value('data');
        if (data !== undefined) return { id: value('id') ?? '', event: value('event') ?? 'message', data: JSON.parse(data) };
        this.comments.push(...lines.filter((line) => line.startsWith(':')));
        continue;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += value;
    }
  }

  /** Returns the next `count` events. @throws Error if the stream ends earlier */
  async take(count: number): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (!event) throw new Error(`The stream ended after ${events.length} of ${count} events.`);
      events.push(event);
    }
    return events;
  }

  /** Returns the events up to and including the first that matches. */
  async until(fits: (event: ReadEvent) => boolean): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    for (;;) {
      const [event] = await this.take(1);
      events.push(event!);
      if (fits(event!)) return events;
    }
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}
