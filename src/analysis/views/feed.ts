import { nanoid } from 'nanoid';
import { registerKept } from '../../domain/kept-memory.js';
import { keepAlive, EventWait, type EventSource } from '../../api/plane/event-stream.js';
import type { StreamGap, StreamItem, StreamKind } from '../../contract/control/analysis/stream.js';

/** Number of newest items that a feed stores for slow or returning readers. */
const keptItems = 2000;
/** Maximum number of their characters. */
const keptCharacters = 4 * 1024 * 1024;
/** Maximum number of characters that a reader may be behind. Beyond it, the reader gets a `gap` event. */
const maxBehind = 1024 * 1024;
/** Approximate maximum number of characters in one read. */
const atOnce = 64 * 1024;

/** A stored item: the event of the stream, and the fields for filters. */
interface StreamEntry {
  readonly kind: StreamKind;
  readonly resourceId: string | null;
  readonly text: string;
  /** Total characters of all items up to this one. */
  readonly end: number;
}

/** The filter of a reader. */
export interface FeedFilter {
  readonly kinds?: ReadonlySet<StreamKind> | undefined;
  readonly resourceId?: string | undefined;
}

/** The newest items of a world, numbered and shared by all readers. A slow reader needs no additional memory. */
export class Feed {
  /** Prefix of item ids, which distinguishes them from those of other feeds. */
  readonly #boot = nanoid(10);
  /** Ring buffer of the newest items, by item number. */
  readonly #items: (StreamEntry | undefined)[] = [];
  readonly #readers = new Set<FeedReader>();
  #last = 0;
  /** The number of the oldest stored item. */
  #oldest = 1;
  #end = 0;
  #isWaking = false;

  constructor() {
    registerKept('feeds', this, (feed) => 2 * feed.#characters);
  }

  /** Number of readers. */
  get readers(): number {
    return this.#readers.size;
  }

  /** The number of the newest item. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest stored item; that of the next item if there is none. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Total characters of all items so far. */
  get end(): number {
    return this.#end;
  }

  /** Adds an item with the next number. */
  add(item: Omit<StreamItem, 'seq'>): void {
    const seq = (this.#last += 1);
    const text = `id: ${this.idOf(seq)}\ndata: ${JSON.stringify({ seq, ...item })}\n\n`;
    if (seq - this.#oldest >= keptItems) this.#evict();
    this.#end += text.length;
    this.#items[seq % keptItems] = { kind: item.kind, resourceId: item.resourceId, text, end: this.#end };
    while (this.#oldest < seq && this.#characters > keptCharacters) this.#evict();
    if (this.#isWaking || this.#readers.size === 0) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      for (const reader of this.#readers) reader.wake();
    });
  }

  /** @param lastEventId id of the last item that the reader has; undefined to start with new items */
  read(wanted: FeedFilter, lastEventId: string | undefined, ended: () => void): FeedReader {
    const reader = new FeedReader(this, wanted, this.#placeOf(lastEventId), () => {
      this.#readers.delete(reader);
      ended();
    });
    this.#readers.add(reader);
    return reader;
  }

  /** Ends all readers after they have read the stored items. */
  close(): void {
    for (const reader of this.#readers) reader.end();
  }

  /** Ends the oldest reader. */
  endOldest(): void {
    for (const reader of this.#readers) return reader.close();
  }

  /** Returns the item with a number; undefined if it was evicted. */
  item(seq: number): StreamEntry | undefined {
    return seq >= this.#oldest && seq <= this.#last ? this.#items[seq % keptItems] : undefined;
  }

  #evict(): void {
    this.#items[this.#oldest % keptItems] = undefined;
    this.#oldest += 1;
  }

  /** Characters of the stored items. */
  get #characters(): number {
    const oldest = this.#items[this.#oldest % keptItems];
    return oldest === undefined ? 0 : this.#end - oldest.end + oldest.text.length;
  }

  idOf(seq: number): string {
    return `${this.#boot}.${seq}`;
  }

  /** Returns the number of the last item that a reader has; null if the id is not from this feed. */
  #placeOf(lastEventId: string | undefined): number | null {
    if (lastEventId === undefined || lastEventId === '') return this.#last;
    const [boot, number = ''] = lastEventId.split('.');
    return boot === this.#boot && /^[0-9]{1,15}$/.test(number) ? Math.min(Number(number), this.#last) : null;
  }
}

/** A reader of a feed. A reader stores only its position, and takes items from the feed. */
export class FeedReader implements EventSource {
  readonly #feed: Feed;
  readonly #wanted: FeedFilter;
  readonly #ended: () => void;
  /** The number of the last item that was read. */
  #seq: number;
  /** Total characters of the feed at that item. Items from before the start of the reader do not count. */
  #end: number;
  #pending: string;
  #isOver = false;
  #isClosed = false;
  readonly #wait = new EventWait();

  /** @param place number of the last item that the reader has; null if the feed does not know that item */
  constructor(feed: Feed, wanted: FeedFilter, place: number | null, ended: () => void) {
    this.#feed = feed;
    this.#wanted = wanted;
    this.#ended = ended;
    this.#end = feed.end;
    this.#seq = place ?? feed.oldest - 1;
    const ready = `id: ${feed.idOf(this.#seq)}\nevent: ready\ndata: ${JSON.stringify({ seq: this.#seq })}\n\n`;
    this.#pending = place === null ? this.#gap(null, this.#seq) : ready;
  }

  /** Resolves with the text of new items, or a comment after a long pause; null when the feed has ended. */
  async next(): Promise<string | null> {
    for (;;) {
      const text = this.#take();
      if (text !== '') return text;
      if (this.#isOver) return null;
      if (await this.#wait.last()) return keepAlive;
    }
  }

  /** Makes the reader check for new items. */
  wake(): void {
    this.#wait.end();
  }

  /** Ends the reader. */
  end(): void {
    this.#isOver = true;
    this.wake();
  }

  /** Called when the client no longer reads. */
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
      this.#seq = isFarBehind ? feed.last : feed.oldest - 1;
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

  #wants({ kind, resourceId }: StreamEntry): boolean {
    const { kinds, resourceId: wanted } = this.#wanted;
    return (kinds === undefined || kinds.has(kind)) && (wanted === undefined || wanted === resourceId);
  }

  #gap(from: number | null, to: number): string {
    return `id: ${this.#feed.idOf(to)}\nevent: gap\ndata: ${JSON.stringify({ from, to } satisfies StreamGap)}\n\n`;
  }
}
