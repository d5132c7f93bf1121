import { nanoid } from 'nanoid';
import { Stopwatch } from '../stopwatch.js';
import { Database } from './database.js';

/** Duration of a lease, renewal interval, retry interval after a failure, and safety margin before the end, in milliseconds. */
const times = { goodMs: 8000, renewMs: 2000, againMs: 500, marginMs: 1000 } as const;
/** Minimum time left on the lease of a node that renews it in time, in milliseconds. Allows 2.5 s for a slow renewal. */
export const leftAtLeastMs = times.goodMs - times.renewMs - 2500;

/** Receives changes of a lease. */
export interface LeaseHost {
  /** Called when the lease has expired: other nodes may now own the worlds of this node. */
  ended(): void;
  /** Called when the database responds after a failure or an expired lease. */
  back(): void;
  /** Called with warnings for the operator. */
  warn(message: string): void;
}

/**
 * The right of this node to own worlds: its row in `nodes`, valid for a limited time by the database clock. The node counts from before its
 * query, so its own deadline is never later than that of the database. After expiry it takes a new lease with another id, and owns no
 * worlds.
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

  /**
   * Takes a lease for this node. Other nodes cannot reach this node before {@link announce}.
   * @throws Error if the database is not reachable
   */
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

  /** The id of this node during this lease. */
  get nodeId(): string {
    return this.#id;
  }

  /** Whether this node still owns its worlds. */
  get isGood(): boolean {
    return this.#since !== null && this.#since.ms < times.goodMs - times.marginMs;
  }

  /** Whether the last query of the database failed. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Publishes the URL of this node to the others. */
  async announce(url: string): Promise<void> {
    this.#url = url;
    await this.#database.query('UPDATE nodes SET url = $2 WHERE id = $1', [this.#id, url]);
  }

  /** Records that a statement failed because of the database. Retries until the database responds. */
  noticeAbsence(): void {
    if (this.#isAway || this.#isOver) return;
    this.#isAway = true;
    this.#renewIn(0);
  }

  /** Ends the lease, which frees the worlds of this node immediately. */
  async release(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#end);
    await this.#renewing;
    const isHeld = this.#since !== null;
    this.#since = null;
    const release =
      'WITH gone AS (DELETE FROM nodes WHERE id = $1 RETURNING id) UPDATE worlds SET owner = NULL FROM gone WHERE owner = gone.id';
    try {
      if (isHeld) await this.#database.query(release, [this.#id]);
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
    // Ends the previous lease of this node, because nothing is stored under its id any more. Also deletes leases that expired long ago,
    // because nothing else deletes those without worlds.
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
    this.#host.warn('The lease of this node has expired. It releases its worlds, and acquires them again when they are requested.');
    this.#host.ended();
  }
}
