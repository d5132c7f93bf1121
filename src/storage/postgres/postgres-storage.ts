import { randomInt } from 'node:crypto';
import { DomainError, worldExists } from '../../domain/errors.js';
import type { WorldLog } from '../../world/commit.js';
import type { StoredEvidence } from '../../world/stored-evidence.js';
import type { IdentityRecord } from '../../world/rows.js';
import type { WorldRows } from '../../world/state.js';
import type { AuditStore } from '../audit-store.js';
import {
  OwnedByOtherNode,
  type NewEvidence,
  type OpenedWorld,
  type Storage,
  type StoredOverview,
  type WorldFilter,
  type WorldHead,
} from '../storage.js';
import { StoredWorld } from '../stored-world.js';
import { Database, isOfStatement, sqlState } from './database.js';
import { GroupAppend } from './group-append.js';
import { Lease, leftAtLeastMs } from './lease.js';
import { companyOf, migrate } from './migrations.js';
import { notStored, PostgresLog, type LogHost } from './postgres-log.js';
import { PostgresAudit, type AuditLimits } from './postgres-audit.js';
import { ownerOf, takeWorld } from './taking.js';
import { checkEncoding, unfit } from './unfit-database.js';
import { baseRows, commitsAfter, dropBefore, writeBase, type Lengths } from './world-base.js';

export interface PostgresStorageOptions {
  /** Called with warnings for the operator. */
  readonly warn?: (message: string) => void;
  /** Called with the duration of each append in seconds. */
  readonly appended?: (seconds: number) => void;
}

/** Receives changes in the ownership of worlds, to remove lost worlds from memory. */
export interface OwnershipHost {
  /** Called when a world belongs to another node, or its stored state is unknown: it must be removed from memory. */
  lost(name: string): void;
  /** Called when the lease has expired: this node owns no worlds. */
  lostAll(): void;
}

interface OverviewRow extends Record<string, unknown> {
  readonly identity: string;
  readonly row_count: number;
  readonly last_used_at: Date;
  readonly url: string | null;
  readonly bytes: string | null;
  readonly verdict: StoredOverview['verdict'];
}

/** Returns a pattern of LIKE for a name in which `*` stands for any characters. */
const likePattern = (name: string) =>
  name
    .replaceAll('\0', '')
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%');

/** Number of worlds in one query of a list. */
const listed = 500;

/**
 * Stores worlds in PostgreSQL, each owned by one node at a time. A node acquires a world by raising its epoch. That succeeds only if the
 * world has no owner, or the lease of its owner has expired. After that, the database rejects commits under an earlier epoch, so the node
 * reads the complete world.
 */
export class PostgresStorage implements Storage {
  readonly #database: Database;
  readonly #group: GroupAppend;
  readonly #logHost: LogHost;
  readonly #warn: (message: string) => void;
  #lease!: Lease;
  readonly #logs = new Map<string, PostgresLog>();
  /** Logs that ended because the database failed: their stored state is unknown until the database responds again. */
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

  /** Opens the storage and creates or migrates the tables. @throws Error with reason and fix if the database cannot be used */
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

  /** Returns the audit log of all nodes. */
  audit(limits: AuditLimits): AuditStore {
    return new PostgresAudit(this.#query, limits);
  }

  /** Sets the receiver of ownership changes. */
  tell(host: OwnershipHost): void {
    this.#host = host;
  }

  /** Publishes the URL of this node to the others. */
  announce(url: string): Promise<void> {
    return this.#lease.announce(url);
  }

  /** The database URL without user and password. */
  get shownAs(): string {
    return this.#database.shownAs;
  }

  /** Whether this node still owns its worlds; if not, it must not serve them. */
  get isOwner(): boolean {
    return this.#lease.isGood;
  }

  get isReadOnly(): boolean {
    return this.#lease.isAway || !this.#lease.isGood;
  }

  async *heads(): AsyncGenerator<IdentityRecord> {
    for (let after = ''; ;) {
      const found = await this.overview(after, {}, listed);
      for (const { identity } of found) yield identity;
      if (found.length < listed) return;
      after = found.at(-1)!.identity.name;
    }
  }

  /** Returns up to `count` matching worlds whose names follow `after`, in the order of names. */
  async overview(after: string, { name, verdict, node, unusedSince }: WorldFilter, count: number): Promise<StoredOverview[]> {
    const found = await this.#query<OverviewRow>(
      `SELECT w.identity, w.row_count, w.last_used_at, n.url, e.bytes, COALESCE(e.verdict, 'INCONCLUSIVE') AS verdict
       FROM worlds w
       LEFT JOIN nodes n ON n.id = w.owner AND n.lease_until > clock_timestamp()
       LEFT JOIN world_evidence e ON e.world = w.name
       WHERE w.name > $1 AND ($2::text IS NULL OR w.name LIKE $2) AND ($3::text IS NULL OR n.url = $3)
         AND ($4::text IS NULL OR COALESCE(e.verdict, 'INCONCLUSIVE') = $4) AND ($5::timestamptz IS NULL OR w.last_used_at < $5)
       ORDER BY w.name LIMIT $6`,
      [
        after,
        name === undefined ? null : likePattern(name),
        node?.replaceAll('\0', '') ?? null,
        verdict ?? null,
        unusedSince ?? null,
        count,
      ],
    );
    return found.map(({ identity, row_count: rows, last_used_at: lastUsedAt, url, bytes, verdict: each }) => ({
      identity: JSON.parse(identity) as IdentityRecord,
      rows,
      lastUsedAt: lastUsedAt.toISOString(),
      node: url === '' ? null : url,
      bytes: bytes === null ? null : Number(bytes),
      verdict: each,
    }));
  }

  async find(by: { readonly name: string } | { readonly clientId: string } | { readonly companyId: string }): Promise<WorldHead | null> {
    const [column, value] = 'name' in by ? ['name', by.name] : 'clientId' in by ? ['client_id', by.clientId] : [companyOf, by.companyId];
    if (value.includes('\0')) return null; // PostgreSQL strings cannot contain this character.
    const [row] = await this.#query<{ name: string; client_id: string }>(`SELECT name, client_id FROM worlds WHERE ${column} = $1`, [
      value,
    ]);
    return row ? { name: row.name, clientId: row.client_id } : null;
  }

  /** Returns up to `most` worlds with due timers and no owner, the longest due first. */
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

  /** Returns those of the URLs whose nodes have renewed their lease in time. */
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
    const { ttlMs = null } = stored.identity ?? {}; // The timer wakes the world when it expires, in case this node stops before.
    const epoch = randomInt(2 ** 47); // Random, so that it differs from epochs of an earlier world with this name.
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
      throw worldExists(name);
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
      throw new OwnedByOtherNode(url);
    }
    const sequence = Number(taken.sequence);
    const baseSequence = Number(taken.base_sequence);
    const lengths: Lengths = { base: 0, commits: 0 };
    const stored = new StoredWorld();
    try {
      for await (const [table, row] of baseRows(this.#query, name, taken.base, lengths)) stored.put(table, row);
      for await (const changes of commitsAfter(this.#query, name, baseSequence, sequence, lengths)) stored.apply(changes);
    } finally {
      this.#checkHeldBy(nodeId); // If the owner changed, that node may have changed the world during the reads.
    }
    const evidence = await this.#evidenceOf(name, taken.epoch);
    this.#checkHeldBy(nodeId);
    const log = this.#logOf({ name, epoch: Number(taken.epoch), sequence, stored, lengths });
    return { log, sequence, rows: stored, evidence };
  }

  /** Returns the evidence that the previous owner of a world stored. @param epoch the present one */
  async #evidenceOf(name: string, epoch: string): Promise<StoredEvidence | null> {
    const [row] = await this.#query<{ text: string; whole: boolean }>(
      'SELECT evidence AS text, is_final AND epoch = $2::bigint - 1 AS whole FROM world_evidence WHERE world = $1',
      [name, epoch],
    );
    return row ? { text: row.text, isWhole: row.whole } : null;
  }

  /**
   * Stores the evidence of worlds of this node in one statement. Skips a world that this node no longer owns.
   * @param isFinal true if this node releases the worlds, so that nothing is missing
   */
  async storeEvidence(evidence: readonly NewEvidence[], isFinal: boolean): Promise<void> {
    const owned = evidence.flatMap((each) => {
      const epoch = this.#logs.get(each.name)?.epoch;
      return epoch === undefined ? [] : [{ ...each, epoch }];
    });
    if (owned.length === 0) return;
    await this.#query(
      `INSERT INTO world_evidence AS kept (world, epoch, is_final, evidence, bytes, verdict)
       SELECT w.name, w.epoch, $4, e.text, e.bytes, e.verdict
       FROM unnest($1::text[], $2::bigint[], $3::text[], $5::bigint[], $6::text[]) AS e (name, epoch, text, bytes, verdict) JOIN worlds w ON w.name = e.name AND w.epoch = e.epoch
       ON CONFLICT (world) DO UPDATE SET epoch = excluded.epoch, is_final = excluded.is_final, evidence = excluded.evidence, bytes = excluded.bytes, verdict = excluded.verdict
       WHERE kept.epoch < excluded.epoch OR (kept.epoch = excluded.epoch AND NOT kept.is_final)`,
      [
        owned.map(({ name }) => name),
        owned.map(({ epoch }) => epoch),
        owned.map(({ text }) => text),
        isFinal,
        owned.map(({ bytes }) => bytes),
        owned.map(({ verdict }) => verdict),
      ],
    );
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
      .catch((error: unknown) => this.#warn(`The worlds of this node stay locked until its lease expires: ${(error as Error).message}.`));
    await this.#database.close();
  }

  /** @throws DomainError SERVICE_UNAVAILABLE if the lease has expired since `nodeId` was read */
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
      this.#warn(`${this.shownAs}: commits were not stored: ${(cause as Error).message}.`);
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
    // The next owner, which may be this node, then need not wait for the lease to expire.
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
      throw this.#translated(error);
    }
  };

  /** Returns the error for callers: unchanged if the statement caused it, otherwise SERVICE_UNAVAILABLE. */
  #translated(error: unknown): unknown {
    if (isOfStatement(error)) return error;
    this.#warn(`${this.#database.shownAs}: ${(error as Error).message}.`);
    this.#lease.noticeAbsence();
    return notStored();
  }
}

/** Returns the error for a world that no node owns. */
function notTaken(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'No node owns this world at the moment. Retry in a second.');
}
