import { DomainError } from '../../domain/errors.js';
import type { WorldLog } from '../../world/commit.js';
import type { Change, WorldRows } from '../../world/state.js';
import type { StoredWorld } from '../stored-world.js';
import type { Database } from './database.js';
import type { GroupAppend } from './group-append.js';
import { dropBefore, writeBase, type Lengths } from './world-base.js';

/** Characters of commits below which a checkpoint is never worth its cost. */
const minCommitLength = 64 * 1024;

/** The parts of the storage that a log uses. */
export interface LogHost {
  readonly database: Database;
  readonly group: GroupAppend;
  /** Called when the log has failed, with the reason; null if this node no longer owns the world. */
  lost(log: PostgresLog, cause: unknown): void;
  /** Called when the log was ended on request. */
  ended(log: PostgresLog): void;
  /** Called with warnings for the operator. */
  warn(message: string): void;
}

/** An acquired world. */
export interface Taken {
  readonly name: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly stored: StoredWorld;
  readonly lengths: Lengths;
}

/** Returns the error for a change that could not be stored and can be repeated. */
export function notStored(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'The change could not be stored. Retry with the same idempotency key.');
}

/** The log of a world that this node owns. The log ends at the first commit that is not stored; the world must then be acquired again. */
export class PostgresLog implements WorldLog {
  readonly name: string;
  readonly epoch: number;
  readonly #host: LogHost;
  readonly #stored: StoredWorld;
  readonly #lengths: Lengths;
  /** Sequence number of the last requested commit. */
  #sequence: number;
  #isOver = false;
  /** Resolves when the last requested commit is stored; rejects if it fails. */
  #kept: Promise<void> = Promise.resolve();
  /** The replacement in progress, if any. Later commits wait for it. */
  #replacing: Promise<void> | null = null;
  #checkpoint: Promise<void> | null = null;

  constructor(host: LogHost, { name, epoch, sequence, stored, lengths }: Taken) {
    this.#host = host;
    this.name = name;
    this.epoch = epoch;
    this.#sequence = sequence;
    this.#stored = stored;
    this.#lengths = lengths;
  }

  get isReadOnly(): boolean {
    return this.#isOver;
  }

  heldBy(rows: () => WorldRows): void {
    this.#stored.heldBy(rows);
  }

  append(sequence: number, changes: readonly Change[], nextDueMs: number | null): Promise<void> {
    const { ttlMs } = this.#stored.identity ?? {};
    // The timer also wakes the world at the end of its `ttl`, in case this node stops before.
    const dueMs = ttlMs === undefined ? nextDueMs : Math.min(nextDueMs ?? Infinity, Date.now() + ttlMs);
    const send = () => this.#append(sequence, changes, dueMs);
    return this.#take(sequence, () => {
      this.#stored.apply(changes);
      return this.#replacing ? this.#replacing.then(send) : send();
    });
  }

  replace(sequence: number, rows: WorldRows): Promise<void> {
    return this.#take(sequence, () => {
      this.#stored.replace(rows);
      const before = this.#kept;
      const replaced = this.#after(before, () => this.#replace(sequence, rows));
      const replacing = replaced.finally(() => {
        if (this.#replacing === replacing) this.#replacing = null;
      });
      this.#replacing = replacing;
      return replacing;
    });
  }

  drop(sequence: number): Promise<void> {
    return this.#take(sequence, async () => {
      await this.#after(this.#kept, async () => {
        const gone = await this.#host.database.query(
          `WITH moved AS (
             DELETE FROM worlds WHERE name = $1 AND epoch = $4 RETURNING name
           )${dropBefore}`,
          [this.name, '', Number.MAX_SAFE_INTEGER, this.epoch],
        );
        if (gone.length === 0) throw new Fenced();
      });
      this.end();
    });
  }

  /** Writes a checkpoint if there were commits, and releases the world for the next owner. */
  async release(nextDueMs: number | null): Promise<void> {
    if (this.#isOver) return;
    await this.#kept;
    await this.#checkpoint;
    if (this.#lengths.commits > 0) await this.#saveBase(this.#stored.capture());
    this.end();
    await this.#host.database.query(
      'UPDATE worlds SET owner = NULL, next_due_at = to_timestamp($3::float8 / 1000) WHERE name = $1 AND epoch = $2',
      [this.name, this.epoch, nextDueMs],
    );
  }

  /** Ends the log, which then stores no more commits. */
  end(): void {
    this.#isOver = true;
    this.#host.ended(this);
  }

  #take(sequence: number, keep: () => Promise<void>): Promise<void> {
    if (this.#isOver) return Promise.reject(notStored());
    if (sequence !== this.#sequence + 1)
      return Promise.reject(
        new Error(`Commit ${sequence} of world ${this.name} is out of sequence: expected commit ${this.#sequence + 1}.`),
      );
    this.#sequence = sequence;
    const kept = keep();
    kept.catch(() => undefined); // Callers that await `kept` get the error. Without a caller, its rejection must not count as unhandled.
    return (this.#kept = kept);
  }

  #append(sequence: number, changes: readonly Change[], nextDueMs: number | null): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#host.group.add({
        world: this.name,
        epoch: this.epoch,
        sequence,
        changes,
        nextDueMs,
        isVoid: () => this.#isOver,
        kept: (length) => {
          this.#lengths.commits += length;
          if (this.#lengths.commits > Math.max(this.#lengths.base, minCommitLength)) this.#startCheckpoint();
          resolve();
        },
        failed: (cause) => {
          this.#fail(cause);
          reject(notStored());
        },
      });
    });
  }

  /** Runs work of several statements after all earlier commits are stored. */
  async #after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    await before;
    await this.#checkpoint;
    try {
      if (this.#isOver) throw new Fenced();
      await work();
    } catch (error) {
      this.#fail(error instanceof Fenced ? null : error);
      throw notStored();
    }
  }

  async #replace(sequence: number, rows: WorldRows): Promise<void> {
    const { database } = this.#host;
    const base = await writeBase(database.query, this.name, rows);
    const moved = await database.query(
      `WITH moved AS (
         UPDATE worlds SET sequence = $3, base = $2, base_sequence = $3, identity = $5, row_count = $6, next_due_at = now(), last_used_at = now()
         WHERE name = $1 AND epoch = $4 AND sequence = $3::bigint - 1 RETURNING name
       )${dropBefore}`,
      [this.name, base.id, sequence, this.epoch, JSON.stringify(this.#stored.identity), base.rowCount],
    );
    if (moved.length === 0) throw new Fenced();
    Object.assign(this.#lengths, { base: base.length, commits: 0 });
  }

  #startCheckpoint(): void {
    if (this.#isOver || this.#checkpoint || this.#replacing) return;
    this.#checkpoint = this.#saveBase(this.#stored.capture())
      .catch((error: unknown) => {
        if (!this.#isOver)
          this.#host.warn(`The checkpoint of world ${this.name} failed: ${(error as Error).message}. Its commits continue to be stored.`);
      })
      .finally(() => (this.#checkpoint = null));
  }

  /** Replaces the base rows and the commits by a new base: the rows after the last requested commit. */
  async #saveBase(rows: WorldRows): Promise<void> {
    const { database } = this.#host;
    const sequence = this.#sequence;
    const { commits } = this.#lengths;
    const kept = this.#kept;
    const base = await writeBase(database.query, this.name, rows);
    await kept;
    const moved = await database.query(
      `WITH moved AS (
         UPDATE worlds SET base = $2, base_sequence = $3, row_count = $5
         WHERE name = $1 AND epoch = $4 AND sequence >= $3 RETURNING name
       )${dropBefore}`,
      [this.name, base.id, sequence, this.epoch, base.rowCount],
    );
    if (moved.length === 0) throw new Error('the world is no longer owned by this node');
    this.#lengths.base = base.length;
    this.#lengths.commits -= commits;
  }

  #fail(cause: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#host.lost(this, cause);
  }
}

/** Thrown if the world is deleted or owned by another node. */
class Fenced extends Error {}
