import type { AuditEntry } from '../../contract/control/audit.js';
import type { AuditFilter, AuditStore, NumberedEntry } from '../audit-store.js';
import type { Query } from './database.js';

/** Limits of the stored audit log. */
export interface AuditLimits {
  /** Maximum age, in days. */
  readonly days: number;
  /** Maximum number of entries. */
  readonly entries: number;
}

/** Maximum number of entries of one partner, and of all rejected callers, so that neither displaces the entries of others. */
const maxOfOne = 20_000;

/** Characters that PostgreSQL does not store. */
const clean = (text: string | null) => text?.replaceAll('\0', '') ?? null;

/** The audit log of all nodes, in PostgreSQL. */
export class PostgresAudit implements AuditStore {
  readonly #query: Query;
  readonly #limits: AuditLimits;

  constructor(query: Query, limits: AuditLimits) {
    this.#query = query;
    this.#limits = limits;
  }

  async add(entries: readonly AuditEntry[]): Promise<void> {
    await this.#query(
      `INSERT INTO audit (at, caller, credential, world, operation, status, entry)
       SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[])`,
      [
        entries.map(({ at }) => at),
        entries.map(({ caller }) => caller),
        entries.map(({ credential }) => clean(credential)),
        entries.map(({ world }) => clean(world)),
        entries.map(({ operationId }) => operationId),
        entries.map(({ status }) => status),
        entries.map((each) => JSON.stringify(each)),
      ],
    );
  }

  async list(filter: AuditFilter, count: number, before?: number): Promise<NumberedEntry[]> {
    const { worldName, credential, caller, operationId, minStatus, since, until } = filter;
    const found = await this.#query<{ id: string; entry: string }>(
      `SELECT id, entry FROM audit
       WHERE ($1::bigint IS NULL OR id < $1) AND ($2::text IS NULL OR world = $2) AND ($3::text IS NULL OR credential = $3)
         AND ($4::text IS NULL OR caller = $4) AND ($5::text IS NULL OR operation = $5) AND ($6::integer IS NULL OR status >= $6)
         AND ($7::timestamptz IS NULL OR at >= $7) AND ($8::timestamptz IS NULL OR at < $8)
       ORDER BY id DESC LIMIT $9`,
      [before, clean(worldName ?? null), clean(credential ?? null), caller, clean(operationId ?? null), minStatus, since, until, count].map(
        (each) => each ?? null,
      ),
    );
    return found.map(({ id, entry }) => ({ number: Number(id), entry: JSON.parse(entry) as AuditEntry }));
  }

  async prune(): Promise<void> {
    const { days, entries } = this.#limits;
    await this.#query(`DELETE FROM audit WHERE at < now() - $1 * interval '1 day'`, [days]);
    await this.#query(
      `DELETE FROM audit a USING (
         SELECT id, row_number() OVER (PARTITION BY caller, CASE caller WHEN 'PARTNER' THEN credential END ORDER BY id DESC) AS place
         FROM audit WHERE caller <> 'OPERATOR'
       ) p WHERE a.id = p.id AND p.place > $1`,
      [maxOfOne],
    );
    await this.#query('DELETE FROM audit WHERE id <= (SELECT id FROM audit ORDER BY id DESC OFFSET $1 LIMIT 1)', [entries]);
  }
}
