import type { Finding } from '../../contract/control/mirror/findings.js';
import { DomainError } from '../../domain/errors.js';
import type { Commit } from '../../world/commit.js';
import type { AttemptRecord, Observer, Replacement, RequestRecord } from '../../world/observer.js';
import type { World } from '../../world/world.js';
import { Feed, type FeedReader, type Wanted } from './feed.js';
import { attemptItem, commitItems, findingItem, requestItem, worldItem, type NewItem } from './items.js';

/** How many may read the stream of a world at a time, and those of all worlds together. */
const maxReaders = { ofWorld: 64, ofAll: 512 } as const;
/** How many characters of a summary are shown. */
const maxSummary = 200;
/** How long the newest items of a world are kept without a reader, in milliseconds. */
const keptMs = 60_000;

/** Tells what happens in worlds to those who read along. Where nobody does, nothing is kept and next to nothing done. */
export class Stream implements Observer {
  readonly #realNow: () => number;
  readonly #redacted: (world: World, text: string, limit: number) => string;
  readonly #feeds = new Map<World, { readonly feed: Feed; timer?: NodeJS.Timeout }>();
  #readers = 0;

  /**
   * @param realNow real time, in milliseconds since 1970
   * @param redacted removes the secrets of a world from a text, of which it shows at most `limit` characters
   */
  constructor(realNow: () => number, redacted: (world: World, text: string, limit: number) => string) {
    this.#realNow = realNow;
    this.#redacted = redacted;
  }

  /** How many read along, in all worlds. */
  get readers(): number {
    return this.#readers;
  }

  /**
   * Begins to read what happens in a world.
   * @param lastEventId where an earlier reader broke off
   * @throws DomainError RATE_LIMIT_EXCEEDED when too many read already
   */
  read(world: World, wanted: Wanted, lastEventId: string | undefined): FeedReader {
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

  /** Ends a reader of the world that has most, if that has at least two more than the world of a new reader. */
  #makeRoom(own: number): boolean {
    let most: Feed | undefined;
    for (const { feed } of this.#feeds.values()) if (feed.readers > (most?.readers ?? own + 1)) most = feed;
    most?.endOldest();
    return most !== undefined;
  }

  responded(world: World | null, request: RequestRecord): void {
    if (world) this.#add(world, () => [requestItem(world, request)]);
  }

  attempt(world: World, attempt: AttemptRecord): void {
    this.#add(world, () => [attemptItem(world, attempt)]);
  }

  committed(world: World, commit: Commit): void {
    if ('changes' in commit) this.#add(world, () => commitItems(world, commit));
  }

  /** Tells of something that a client should not do, and did. */
  found(world: World, finding: Finding): void {
    this.#add(world, () => [findingItem(world, finding)]);
  }

  replaced(world: World, how: Replacement): void {
    this.#add(world, () => [worldItem(world, how)]);
  }

  deleted(world: World): void {
    this.#add(world, () => [worldItem(world, 'DELETED')]);
    this.#end(world);
  }

  left(world: World): void {
    this.#end(world);
  }

  stopped(): void {
    for (const world of this.#feeds.keys()) this.#end(world);
  }

  #add(world: World, items: () => Iterable<NewItem>): void {
    const kept = this.#feeds.get(world);
    if (!kept) return;
    const realAt = new Date(this.#realNow()).toISOString();
    for (const { at, ...rest } of items()) kept.feed.add({ at, realAt, ...rest, summary: this.#summary(world, rest.summary) });
  }

  #summary(world: World, text: string): string {
    const isLong = text.length > maxSummary;
    const shown = this.#redacted(world, text, isLong ? maxSummary - 1 : maxSummary);
    return isLong ? `${shown}…` : shown;
  }

  #end(world: World): void {
    const kept = this.#feeds.get(world);
    this.#feeds.delete(world);
    clearTimeout(kept?.timer);
    kept?.feed.close();
  }

  #readerLeft(world: World): void {
    this.#readers -= 1;
    const kept = this.#feeds.get(world);
    if (kept?.feed.readers === 0) kept.timer = setTimeout(() => this.#feeds.delete(world), keptMs).unref();
  }
}
