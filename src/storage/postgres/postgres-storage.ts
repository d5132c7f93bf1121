import { randomInt } from 'node:crypto';
import { DomainError } from '../../domain/errors.js';
import type { WorldLog } from '../../world/commit.js';
import type { IdentityRecord } from '../../world/rows.js';
import type { WorldRows } from '../../world/state.js';
import { OwnedElsewhere, type OpenedWorld, type Storage, type WorldHead } from '../storage.js';
import { StoredWorld } from '../stored-world.js';
import { Database, isOfStatement, sqlState } from './database.js';
import { GroupAppend } from './group-append.js';
import { Lease, leftAtLeastMs } from './lease.js';
import { companyOf, migrate } from './migrations.js';
import { notKept, PostgresLog, type LogHost } from './postgres-log.js';
import { ownerOf, takeWorld } from './taking.js';
import { checkEncoding, unfit } from './unfit-database.js';
import { baseRows, commitsAfter, dropBefore, writeBase, type Lengths } from './world-base.js';

export interface PostgresStorageOptions {
  /** Told of what an operator should know. */
  readonly warn?: (message: string) => void;
  /** Told how long each append took, in seconds. */
  readonly appended?: (seconds: number) => void;
}

/** What becomes of the worlds that a node owns, for whoever holds them in memory. */
export interface OwnershipHost {
  /** A world is no longer this node's, or what its log holds is no longer known: it has to leave memory. */
  lost(name: string): void;
  /** The lease has ended: nothing is this node's any more. */
  lostAll(): void;
}

/** How many worlds are listed at a time. */
const listed = 500;

/**
 * Keeps worlds in PostgreSQL, each owned by one node at a time.
 *
 * A world is taken by raising its epoch, in a statement that succeeds only when nobody owns it: its owner has let go of it, or the
 * owner's lease has run out. Nobody's commits go in under an earlier epoch, so what was read after the taking is all there is.
 */
export class PostgresStorage implements Storage {
  readonly #database: Database;
  readonly #group: GroupAppend;
  readonly #logHost: LogHost;
  readonly #warn: (message: string) => void;
  #lease!: Lease;
  readonly #logs = new Map<string, PostgresLog>();
  /** Logs that ended because the database was away: what they hold is not known before it is back. */
  readonly #doubtful = new Set<PostgresLog>();
  #closed: Promise<void> | null = null;
  #host: OwnershipHost = { lost: () => undefined, lostAll: () => undefined };

  private constructor(database: Database, { warn = () => undefined, appended }: PostgresStorageOptions) {
    this.#database = database;
    this.#warn = warn;
    this.#group = new GroupAppend(database, () => this.#lease.nodeId, appended);
    this.#logHost = {
      database,
      group: this.#group,
      lost: (log, cause) => this.#logLost(log, cause),
      ended: (log) => this.#logEnded(log),
      warn,
    };
  }

  /** Opens the storage of a database, whose tables are made or brought up to date. @throws Error when it cannot be used, with the reason and what to do */
  static async open(databaseUrl: string, options: PostgresStorageOptions = {}): Promise<PostgresStorage> {
    const database = await Database.at(databaseUrl);
    try {
      await checkEncoding(database);
      await migrate(database);
      const storage = new PostgresStorage(database, options);
      storage.#lease = await Lease.take(databaseUrl, {
        ended: () => storage.#leaseEnded(),
        back: () => storage.#databaseBack(),
        warn: storage.#warn,
      });
      return storage;
    } catch (error) {
      await database.close();
      throw unfit(database.shownAs, error as Error);
    }
  }

  /** Tells `host` from now on what becomes of the worlds that this node owns. */
  tell(host: OwnershipHost): void {
    this.#host = host;
  }

  /** Tells the other nodes where this one is reached. */
  announce(url: string): Promise<void> {
    return this.#lease.announce(url);
  }

  /** The database without its password, for people. */
  get shownAs(): string {
    return this.#database.shownAs;
  }

  /** Whether what this node owns is still its own; else nothing of it may be told. */
  get isOwner(): boolean {
    return this.#lease.isGood;
  }

  get isReadOnly(): boolean {
    return this.#lease.isAway || !this.#lease.isGood;
  }

  async *heads(from = ''): AsyncGenerator<IdentityRecord & { readonly rowCount: number }> {
    for (let after = from; ;) {
      const found = await this.#query<{ name: string; identity: string; row_count: number }>(
        'SELECT name, identity, row_count FROM worlds WHERE name > $1 ORDER BY name LIMIT $2',
        [after, listed],
      );
      for (const { identity, row_count: rowCount } of found) yield { ...(JSON.parse(identity) as IdentityRecord), rowCount };
      if (found.length < listed) return;
      after = found.at(-1)!.name;
    }
  }

  async find(by: { readonly name: string } | { readonly clientId: string } | { readonly companyId: string }): Promise<WorldHead | null> {
    const [column, value] = 'name' in by ? ['name', by.name] : 'clientId' in by ? ['client_id', by.clientId] : [companyOf, by.companyId];
    if (value.includes('\0')) return null; // No text in a database has one.
    const [row] = await this.#query<{ name: string; client_id: string }>(`SELECT name, client_id FROM worlds WHERE ${column} = $1`, [
      value,
    ]);
    return row ? { name: row.name, clientId: row.client_id } : null;
  }

  /** Some of the worlds in which something is due and that no node owns, the longest due first. */
  async due(most: number): Promise<string[]> {
    const found = await this.#query<{ name: string }>(
      `SELECT w.name FROM worlds w
       WHERE w.next_due_at <= now()
         AND (w.owner IS NULL OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = w.owner AND n.lease_until > clock_timestamp()))
       ORDER BY w.next_due_at LIMIT $1`,
      [most],
    );
    return found.map(({ name }) => name);
  }

  /** Those of some nodes, by where they are reached, that have renewed their lease when it was time. */
  async awake(urls: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.#query<{ url: string }>(
      `SELECT url FROM nodes WHERE url = ANY($1) AND lease_until > clock_timestamp() + $2 * interval '1 millisecond'`,
      [urls, leftAtLeastMs],
    );
    return new Set(found.map(({ url }) => url));
  }

  async create({ name, clientId }: WorldHead, rows: WorldRows): Promise<WorldLog> {
    const stored = StoredWorld.of(rows);
    const { nodeId } = this.#lease;
    const { ttlMs = null } = stored.identity ?? {}; // It has to be woken for its end, should this node be gone by then.
    const epoch = randomInt(2 ** 47); // So that no world of the same name that was there before has had it.
    const base = await writeBase(this.#query, name, rows);
    await this.#query(
      `WITH moved AS (
         INSERT INTO worlds (name, client_id, owner, epoch, sequence, base, base_sequence, identity, row_count, next_due_at)
         VALUES ($1, $4, $5, $6, 0, $2, 0, $7, $8, now() + $9::float8 * interval '1 millisecond') RETURNING name
       )${dropBefore}`,
      [name, base.id, Number.MAX_SAFE_INTEGER, clientId, nodeId, epoch, JSON.stringify(stored.identity), base.rowCount, ttlMs],
    ).catch(async (error: unknown) => {
      if (sqlState(error) !== '23505') throw error;
      await this.#query('DELETE FROM world_rows WHERE world = $1 AND base = $2', [name, base.id]);
      throw new DomainError('RESOURCE_ALREADY_EXISTS', `There is a world named ${name} already.`, { resource: 'World', name });
    });
    this.#checkHeldBy(nodeId);
    return this.#logOf({ name, epoch, sequence: 0, stored, lengths: { base: base.length, commits: 0 } });
  }

  async open(name: string): Promise<OpenedWorld | null> {
    if (name.includes('\0')) return null;
    if (!this.#lease.isGood) throw notTaken();
    const { nodeId } = this.#lease;
    const taken = await takeWorld(this.#query, name, nodeId);
    if (!taken) {
      const url = await ownerOf(this.#query, name);
      if (url === undefined) return null;
      if (url === null) throw notTaken();
      throw new OwnedElsewhere(url);
    }
    const sequence = Number(taken.sequence);
    const baseSequence = Number(taken.base_sequence);
    const lengths: Lengths = { base: 0, commits: 0 };
    const stored = new StoredWorld();
    try {
      for await (const [table, row] of baseRows(this.#query, name, taken.base, lengths)) stored.put(table, row);
      for await (const changes of commitsAfter(this.#query, name, baseSequence, sequence, lengths)) stored.apply(changes);
    } finally {
      this.#checkHeldBy(nodeId); // Else somebody may have taken it meanwhile, and what was read be neither the one nor the other.
    }
    const log = this.#logOf({ name, epoch: Number(taken.epoch), sequence, stored, lengths });
    return { log, sequence, rows: stored };
  }

  async secret(name: string, make: () => Promise<string>): Promise<string> {
    const [kept] = await this.#query<{ value: string }>('SELECT value FROM secrets WHERE name = $1', [name]);
    if (kept) return kept.value;
    await this.#query('INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, await make()]);
    const [first] = await this.#query<{ value: string }>('SELECT value FROM secrets WHERE name = $1', [name]);
    return first!.value;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.#group.settled();
    for (const log of this.#logs.values()) log.end();
    await this.#lease
      .release()
      .catch((error: unknown) => this.#warn(`The worlds of this node are free in a while: ${(error as Error).message}.`));
    await this.#database.close();
  }

  /** @throws DomainError SERVICE_UNAVAILABLE when the lease has ended under which a world was taken */
  #checkHeldBy(nodeId: string): void {
    if (nodeId !== this.#lease.nodeId || !this.#lease.isGood) throw notTaken();
  }

  #logOf(taken: ConstructorParameters<typeof PostgresLog>[1]): PostgresLog {
    this.#logs.get(taken.name)?.end();
    const log = new PostgresLog(this.#logHost, taken);
    this.#logs.set(taken.name, log);
    return log;
  }

  #logEnded(log: PostgresLog): void {
    if (this.#logs.get(log.name) === log) this.#logs.delete(log.name);
  }

  #logLost(log: PostgresLog, cause: unknown): void {
    if (this.#logs.get(log.name) !== log) return;
    if (cause !== null) {
      this.#doubtful.add(log);
      this.#warn(`${this.shownAs}: commits were not kept: ${(cause as Error).message}.`);
      this.#lease.noticeAbsence();
      return;
    }
    this.#forget(log);
    this.#host.lost(log.name);
  }

  #databaseBack(): void {
    for (const log of this.#doubtful) {
      if (this.#logs.get(log.name) !== log) continue;
      this.#forget(log);
      this.#host.lost(log.name);
    }
    this.#doubtful.clear();
  }

  #leaseEnded(): void {
    for (const log of this.#logs.values()) log.end();
    this.#doubtful.clear();
    this.#host.lostAll();
  }

  #forget(log: PostgresLog): void {
    this.#logs.delete(log.name);
    // Whoever takes it next, this node too, need not wait for the lease to end.
    this.#query('UPDATE worlds SET owner = NULL WHERE name = $1 AND epoch = $2 AND owner = $3', [
      log.name,
      log.epoch,
      this.#lease.nodeId,
    ]).catch(() => undefined);
  }

  readonly #query: Database['query'] = async (text, values) => {
    try {
      return await this.#database.query(text, values);
    } catch (error) {
      throw this.#told(error);
    }
  };

  /** What callers are told of a statement that failed. */
  #told(error: unknown): unknown {
    if (isOfStatement(error)) return error;
    this.#warn(`${this.#database.shownAs}: ${(error as Error).message}.`);
    this.#lease.noticeAbsence();
    return notKept();
  }
}

/** The refusal of a call to a world that no node has at the moment. */
function notTaken(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'No node has the world at the moment. Try again in a second.');
}
