import { nanoid } from 'nanoid';
import { nothingNew, Silence, type EventSource } from '../../web/event-stream.js';
import type { StreamGap, StreamItem, StreamKind } from '../../contract/control/mirror/stream.js';

/** How many of the newest items a feed keeps for readers that come back or are slow. */
const keptItems = 2000;
/** How many characters a reader may be behind before it is given up catching up, whatever is kept. */
const maxBehind = 1024 * 1024;
/** How many characters a reader is given at a time, about. */
const atOnce = 64 * 1024;

/** An item as it is kept: its text as an event of the stream, and what readers filter by. */
interface Kept {
  readonly kind: StreamKind;
  readonly resourceId: string | null;
  readonly text: string;
  /** How many characters all items up to this one had. */
  readonly end: number;
}

/** What a reader wants to see. */
export interface Wanted {
  readonly kinds?: ReadonlySet<StreamKind> | undefined;
  readonly resourceId?: string | undefined;
}

/** The newest items of a world, numbered, for all readers together: what one of them has not read costs nothing more. */
export class Feed {
  /** Tells its numbers from those of another feed. */
  readonly #boot = nanoid(10);
  /** By number, in a circle. */
  readonly #items: Kept[] = [];
  readonly #readers = new Set<FeedReader>();
  #last = 0;
  #end = 0;
  #isWaking = false;

  /** How many read it. */
  get readers(): number {
    return this.#readers.size;
  }

  /** The number of the newest item. */
  get last(): number {
    return this.#last;
  }

  /** How many characters all items so far had. */
  get end(): number {
    return this.#end;
  }

  /** Adds an item, which is given the next number. */
  add(item: Omit<StreamItem, 'seq'>): void {
    const seq = (this.#last += 1);
    const text = `id: ${this.idOf(seq)}\ndata: ${JSON.stringify({ seq, ...item })}\n\n`;
    this.#end += text.length;
    this.#items[seq % keptItems] = { kind: item.kind, resourceId: item.resourceId, text, end: this.#end };
    if (this.#isWaking || this.#readers.size === 0) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      for (const reader of this.#readers) reader.wake();
    });
  }

  /** @param lastEventId where the reader broke off; undefined for one that wants what comes from now on */
  read(wanted: Wanted, lastEventId: string | undefined, ended: () => void): FeedReader {
    const reader = new FeedReader(this, wanted, this.#placeOf(lastEventId), () => {
      this.#readers.delete(reader);
      ended();
    });
    this.#readers.add(reader);
    return reader;
  }

  /** Ends all readers, once they have read what there is. */
  close(): void {
    for (const reader of this.#readers) reader.end();
  }

  /** Ends the oldest reader. */
  endOldest(): void {
    for (const reader of this.#readers) return reader.close();
  }

  /** The item of a number; undefined when it is not kept any more. */
  item(seq: number): Kept | undefined {
    return seq > this.#last - keptItems && seq <= this.#last ? this.#items[seq % keptItems] : undefined;
  }

  idOf(seq: number): string {
    return `${this.#boot}.${seq}`;
  }

  /** The number behind which a reader goes on; null when it was never here, or so long ago that nobody knows what it has missed. */
  #placeOf(lastEventId: string | undefined): number | null {
    if (lastEventId === undefined || lastEventId === '') return this.#last;
    const [boot, number = ''] = lastEventId.split('.');
    return boot === this.#boot && /^[0-9]{1,15}$/.test(number) ? Math.min(Number(number), this.#last) : null;
  }
}

/** One reader of a feed: a place in it. What it asks for is taken from what the feed keeps; nothing is queued for it. */
export class FeedReader implements EventSource {
  readonly #feed: Feed;
  readonly #wanted: Wanted;
  readonly #ended: () => void;
  /** The number of the last item that was looked at. */
  #seq: number;
  /** How many characters the feed had by then; what it kept from before the reader came does not count as being behind. */
  #end: number;
  #pending: string;
  #isOver = false;
  #isClosed = false;
  readonly #silence = new Silence();

  /** @param place the number of the last item that it has seen; null when something is missing before what is kept */
  constructor(feed: Feed, wanted: Wanted, place: number | null, ended: () => void) {
    this.#feed = feed;
    this.#wanted = wanted;
    this.#ended = ended;
    this.#end = feed.end;
    this.#seq = place ?? Math.max(feed.last - keptItems, 0);
    const ready = `id: ${feed.idOf(this.#seq)}\nevent: ready\ndata: ${JSON.stringify({ seq: this.#seq })}\n\n`;
    this.#pending = place === null ? this.#gap(null, this.#seq) : ready;
  }

  /** Resolves with what there is to tell, a comment when there was nothing for long; null when the feed has ended. */
  async next(): Promise<string | null> {
    for (;;) {
      const text = this.#take();
      if (text !== '') return text;
      if (this.#isOver) return null;
      if (await this.#silence.last()) return nothingNew;
    }
  }

  /** Has it look again. */
  wake(): void {
    this.#silence.end();
  }

  /** Ends the feed for it. */
  end(): void {
    this.#isOver = true;
    this.wake();
  }

  /** Takes note that nobody reads any more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.end();
    this.#ended();
  }

  #take(): string {
    const feed = this.#feed;
    let text = this.#pending;
    this.#pending = '';
    const isFarBehind = feed.end - this.#end > maxBehind;
    if (this.#seq < feed.last && (isFarBehind || feed.item(this.#seq + 1) === undefined)) {
      const from = this.#seq + 1;
      this.#seq = isFarBehind ? feed.last : feed.last - keptItems;
      text += this.#gap(from, this.#seq);
    }
    while (this.#seq < feed.last && text.length < atOnce) {
      const item = feed.item((this.#seq += 1))!;
      this.#end = Math.max(this.#end, item.end);
      if (this.#wants(item)) text += item.text;
    }
    if (this.#seq === feed.last) this.#end = feed.end;
    return text;
  }

  #wants({ kind, resourceId }: Kept): boolean {
    const { kinds, resourceId: wanted } = this.#wanted;
    return (kinds === undefined || kinds.has(kind)) && (wanted === undefined || wanted === resourceId);
  }

  #gap(from: number | null, to: number): string {
    return `id: ${this.#feed.idOf(to)}\nevent: gap\ndata: ${JSON.stringify({ from, to } satisfies StreamGap)}\n\n`;
  }
}
