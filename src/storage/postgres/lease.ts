import { nanoid } from 'nanoid';
import { Stopwatch } from '../stopwatch.js';
import { Database } from './database.js';

/** How long a lease is good, how often it is renewed, how soon that is tried again after a failure, and how long before its end it is no longer counted on; in milliseconds. */
const times = { goodMs: 8000, renewMs: 2000, againMs: 500, marginMs: 1000 } as const;
/** How much longer the lease of a node is good at the least that renews it when it is time and is answered within a while, in milliseconds. */
export const leftAtLeastMs = times.goodMs - times.renewMs - 2500;

/** Told of what becomes of a lease. */
export interface LeaseHost {
  /** It has ended: whatever this node owned may be another's by now. */
  ended(): void;
  /** The database answers, after it did not or after the lease had ended. */
  back(): void;
  /** Told of what an operator should know. */
  warn(message: string): void;
}

/**
 * What lets this node own worlds: a row of its own that is good for a while by the clock of the database. The node counts from before it
 * asks, so that its lease ends there no sooner than here. One that has ended is never good again; the node then has another, under
 * another id, and nothing of what it owned.
 */
export class Lease {
  readonly #database: Database;
  #url = '';
  readonly #host: LeaseHost;
  #id = '';
  #since: Stopwatch | null = null;
  #timer: NodeJS.Timeout | undefined;
  #end: NodeJS.Timeout | undefined;
  #isAway = false;
  #isOver = false;
  #renewing: Promise<void> | null = null;

  private constructor(database: Database, host: LeaseHost) {
    this.#database = database;
    this.#host = host;
  }

  /** Takes a lease for this node, which nobody can reach before it is announced. @throws Error when the database cannot be reached */
  static async take(databaseUrl: string, host: LeaseHost): Promise<Lease> {
    const database = await Database.at(databaseUrl, 1);
    const lease = new Lease(database, host);
    try {
      await lease.#register();
    } catch (error) {
      await database.close();
      throw error;
    }
    lease.#renewIn(times.renewMs);
    return lease;
  }

  /** The id that this node has while the lease is good. */
  get nodeId(): string {
    return this.#id;
  }

  /** Whether what this node owns is still its own. */
  get isGood(): boolean {
    return this.#since !== null && this.#since.ms < times.goodMs - times.marginMs;
  }

  /** Whether the database did not answer when it was asked last. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Tells the other nodes where this one is reached. */
  async announce(url: string): Promise<void> {
    this.#url = url;
    await this.#database.query('UPDATE nodes SET url = $2 WHERE id = $1', [this.#id, url]);
  }

  /** Takes note that a statement has failed for want of the database: from now on it is asked again and again until it answers. */
  noticeAbsence(): void {
    if (this.#isAway || this.#isOver) return;
    this.#isAway = true;
    this.#renewIn(0);
  }

  /** Ends the lease, so that what the node owned is free at once. */
  async release(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#end);
    await this.#renewing;
    const isHeld = this.#since !== null;
    this.#since = null;
    const letGo =
      'WITH gone AS (DELETE FROM nodes WHERE id = $1 RETURNING id) UPDATE worlds SET owner = NULL FROM gone WHERE owner = gone.id';
    try {
      if (isHeld) await this.#database.query(letGo, [this.#id]);
    } finally {
      await this.#database.close();
    }
  }

  #renewIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#timer = setTimeout(() => void (this.#renewing ??= this.#renew()), ms).unref();
  }

  async #renew(): Promise<void> {
    try {
      if (this.#since && !this.isGood) this.#lapse();
      if (this.#since) await this.#prolong();
      if (!this.#since) await this.#register();
      if (this.#isAway) {
        this.#isAway = false;
        this.#host.back();
      }
      this.#renewIn(times.renewMs);
    } catch (error) {
      if (!this.#isAway) this.#host.warn(`The lease of this node could not be renewed: ${(error as Error).message}.`);
      this.#isAway = true;
      this.#renewIn(times.againMs);
    } finally {
      this.#renewing = null;
    }
  }

  async #register(): Promise<void> {
    const since = new Stopwatch();
    const id = nanoid();
    // What it had under the id before need not wait for the end of that lease: nothing goes in under it any more. Those that ended long
    // ago without a word, and without a world, nobody else would take away.
    await this.#database.query(
      `WITH before AS (DELETE FROM nodes WHERE id = $4 OR lease_until < clock_timestamp() - interval '1 hour')
       INSERT INTO nodes (id, url, lease_until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')`,
      [id, this.#url, times.goodMs, this.#id],
    );
    this.#id = id;
    this.#hold(since);
  }

  async #prolong(): Promise<void> {
    const since = new Stopwatch();
    const prolonged = await this.#database.query(
      `UPDATE nodes SET lease_until = clock_timestamp() + $2 * interval '1 millisecond'
       WHERE id = $1 AND lease_until > clock_timestamp() RETURNING id`,
      [this.#id, times.goodMs],
    );
    if (prolonged.length === 0 || !this.isGood) this.#lapse();
    else this.#hold(since);
  }

  #hold(since: Stopwatch): void {
    this.#since = since;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#lapse(), times.goodMs - times.marginMs - since.ms).unref();
  }

  #lapse(): void {
    if (!this.#since) return;
    this.#since = null;
    clearTimeout(this.#end);
    this.#isAway = true;
    this.#host.warn('The lease of this node has ended: it gives up its worlds, and takes them again as they are called.');
    this.#host.ended();
  }
}
