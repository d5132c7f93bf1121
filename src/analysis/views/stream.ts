import type { TimelineItem } from '../../contract/control/analysis/stream.js';
import { DomainError } from '../../domain/errors.js';
import type { World } from '../../world/world.js';
import { Feed, type FeedReader, type FeedFilter } from './feed.js';

/** Maximum number of readers of one world's stream, and of all streams. */
const maxReaders = { ofWorld: 64, ofAll: 512 } as const;
/** Time for which the newest items of a world are stored after the last reader has left, in milliseconds. */
const keptMs = 60_000;

/** Sends the items of timelines to readers. Stores items only for worlds that have readers, or had one within the last minute. */
export class Stream {
  readonly #feeds = new Map<World, { readonly feed: Feed; timer?: NodeJS.Timeout }>();
  #readers = 0;

  /** Number of readers in all worlds. */
  get readers(): number {
    return this.#readers;
  }

  /**
   * Adds a reader of the timeline items of a world.
   * @param lastEventId id of the last item that an earlier reader received
   * @throws DomainError RATE_LIMIT_EXCEEDED if there are too many readers
   */
  read(world: World, wanted: FeedFilter, lastEventId: string | undefined): FeedReader {
    let kept = this.#feeds.get(world);
    const own = kept?.feed.readers ?? 0;
    const isFull = own >= maxReaders.ofWorld;
    if (isFull || (this.#readers >= maxReaders.ofAll && !this.#makeRoom(own))) {
      const maximum = isFull ? maxReaders.ofWorld : maxReaders.ofAll;
      const where = isFull ? 'the stream of this world' : 'the streams of this sandbox';
      throw new DomainError('RATE_LIMIT_EXCEEDED', `${maximum} readers are on ${where} already. Close some.`, { maximum });
    }
    if (!kept) this.#feeds.set(world, (kept = { feed: new Feed() }));
    clearTimeout(kept.timer);
    this.#readers += 1;
    return kept.feed.read(wanted, lastEventId, () => this.#readerLeft(world));
  }

  /**
   * Ends the oldest reader of the world with the most readers, if that world has at least two more readers than the world of a new reader.
   */
  #makeRoom(own: number): boolean {
    let most: Feed | undefined;
    for (const { feed } of this.#feeds.values()) if (feed.readers > (most?.readers ?? own + 1)) most = feed;
    most?.endOldest();
    return most !== undefined;
  }

  /** True while a world has readers, or stores items for returning readers. */
  hasReader(world: World): boolean {
    return this.#feeds.has(world);
  }

  /** Sends an item to the readers of a world. */
  add(world: World, item: TimelineItem): void {
    this.#feeds.get(world)?.feed.add(item);
  }

  /** Ends all readers of a world. */
  end(world: World): void {
    const kept = this.#feeds.get(world);
    this.#feeds.delete(world);
    clearTimeout(kept?.timer);
    kept?.feed.close();
  }

  stopped(): void {
    for (const world of this.#feeds.keys()) this.end(world);
  }

  #readerLeft(world: World): void {
    this.#readers -= 1;
    const kept = this.#feeds.get(world);
    if (kept?.feed.readers === 0) kept.timer = setTimeout(() => this.#feeds.delete(world), keptMs).unref();
  }
}
