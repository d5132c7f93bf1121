import { DomainError } from '../../domain/errors.js';
import type { WorldLog } from '../../world/commit.js';
import type { Change, WorldRows } from '../../world/state.js';
import type { StoredWorld } from '../stored-world.js';
import type { Database } from './database.js';
import type { GroupAppend } from './group-append.js';
import { dropBefore, writeBase, type Lengths } from './world-base.js';

/** So many characters of commits are always fine: a checkpoint is no sooner worth its while. */
const minCommitLength = 64 * 1024;

/** What a log needs of its storage. */
export interface LogHost {
  readonly database: Database;
  readonly group: GroupAppend;
  /** Told that the log has ended before its time: by the reason, or null when the world is no longer this node's. */
  lost(log: PostgresLog, cause: unknown): void;
  /** Told that the log has ended because it was asked to. */
  ended(log: PostgresLog): void;
  /** Told of what an operator should know. */
  warn(message: string): void;
}

/** How a world was taken. */
export interface Taken {
  readonly name: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly stored: StoredWorld;
  readonly lengths: Lengths;
}

/** The refusal of a change that could not be kept, which may be made again. */
export function notKept(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'The change could not be stored. Try again with the same idempotency key.');
}

/** The log of a world that this node owns. The first commit that is not kept ends it: whatever comes of it then, the world has to be taken anew. */
export class PostgresLog implements WorldLog {
  readonly name: string;
  readonly epoch: number;
  readonly #host: LogHost;
  readonly #stored: StoredWorld;
  readonly #lengths: Lengths;
  /** The number of the last commit that was asked for. */
  #sequence: number;
  #isOver = false;
  /** Resolves when what was asked for last is kept; rejects when it is not. */
  #kept: Promise<void> = Promise.resolve();
  /** What puts all rows anew, while it is under way: no commit overtakes it. */
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
    // A world that is to end by itself has to be woken for that, should this node be gone by then.
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

  /** Checkpoints the world, if that saves anything, and leaves it to whoever takes it next. */
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

  /** Ends the log: nothing is kept by it any more. */
  end(): void {
    this.#isOver = true;
    this.#host.ended(this);
  }

  #take(sequence: number, keep: () => Promise<void>): Promise<void> {
    if (this.#isOver) return Promise.reject(notKept());
    if (sequence !== this.#sequence + 1)
      return Promise.reject(new Error(`Commit ${sequence} of world ${this.name} follows commit ${this.#sequence}.`));
    this.#sequence = sequence;
    const kept = keep();
    kept.catch(() => undefined); // Whoever waits for the commit is told; nobody has to.
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
          reject(notKept());
        },
      });
    });
  }

  /** Does what needs more than one statement, when all before it is kept. */
  async #after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    await before;
    await this.#checkpoint;
    try {
      if (this.#isOver) throw new Fenced();
      await work();
    } catch (error) {
      this.#fail(error instanceof Fenced ? null : error);
      throw notKept();
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
        if (!this.#isOver) this.#host.warn(`The checkpoint of world ${this.name} failed: ${(error as Error).message}. Its commits go on.`);
      })
      .finally(() => (this.#checkpoint = null));
  }

  /** Puts the rows as they are after the last commit asked for in the place of the base and the commits. */
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

/** The world is another node's, or gone. */
class Fenced extends Error {}
