import { setTimeout as wait } from 'node:timers/promises';
import { sqlState, type Database } from './database.js';
import { UnfitDatabase } from './unfit-database.js';

/** The company id in an identity. Not parsed as JSON, because PostgreSQL rejects strings with characters outside its encoding. */
export const companyOf = `substring(identity from '"companyId":"([^"]*)"')`;

/**
 * Migrations from each version to the next, starting with an empty database. Never change a released migration. Each keeps all tables and
 * columns that the previous version reads and writes, so that nodes of two versions can run together.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE nodes (
    id text PRIMARY KEY,
    url text NOT NULL,
    lease_until timestamptz NOT NULL
  );
  CREATE TABLE worlds (
    name text PRIMARY KEY,
    client_id text NOT NULL UNIQUE,
    owner text,
    epoch bigint NOT NULL,
    sequence bigint NOT NULL,
    base text NOT NULL,
    base_sequence bigint NOT NULL,
    identity text NOT NULL,
    row_count integer NOT NULL,
    next_due_at timestamptz,
    last_used_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now()
  ) WITH (fillfactor = 50);
  CREATE INDEX worlds_due ON worlds (next_due_at) WHERE next_due_at IS NOT NULL;
  CREATE INDEX worlds_owner ON worlds (owner) WHERE owner IS NOT NULL;
  CREATE TABLE world_rows (
    world text NOT NULL,
    base text NOT NULL,
    part integer NOT NULL,
    rows text NOT NULL,
    PRIMARY KEY (world, base, part)
  );
  CREATE TABLE world_commits (
    world text NOT NULL,
    sequence bigint NOT NULL,
    epoch bigint NOT NULL,
    line text NOT NULL,
    PRIMARY KEY (world, sequence)
  );
  CREATE TABLE secrets (
    name text PRIMARY KEY,
    value text NOT NULL
  );`,
  // Read from the identity, which nodes of version 1 write too.
  `CREATE INDEX worlds_company ON worlds ((${companyOf}));`,
  `CREATE TABLE world_evidence (
    world text PRIMARY KEY REFERENCES worlds (name) ON DELETE CASCADE,
    epoch bigint NOT NULL,
    is_final boolean NOT NULL,
    evidence text NOT NULL,
    bytes bigint NOT NULL,
    verdict text NOT NULL
  );`,
  `CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    caller text NOT NULL,
    credential text,
    world text,
    operation text,
    status integer NOT NULL,
    entry text NOT NULL
  );
  CREATE INDEX audit_at ON audit (at);
  CREATE INDEX audit_world ON audit (world, id);
  CREATE INDEX audit_credential ON audit (credential, id);`,
];

/** Codes of PostgreSQL if another session creates the same table at the same time. */
const madeByAnother: ReadonlySet<string> = new Set(['23505', '42P07', '42710']);

/** Migrates the tables to the latest version, one node at a time. @throws Error if the tables are newer than this program */
export async function migrate(database: Database, known: readonly string[] = migrations): Promise<void> {
  await ensureVersionRow(database);
  await database.transaction(async (query) => {
    const [row] = await query<{ version: number }>('SELECT version FROM sandbox_schema FOR UPDATE');
    const version = row!.version;
    if (version > known.length) {
      throw new UnfitDatabase(
        `its tables have version ${version}, but this program knows only versions up to ${known.length}`,
        'Start the version that created them, or a later one',
      );
    }
    for (const step of known.slice(version)) await query(step);
    if (version < known.length) await query('UPDATE sandbox_schema SET version = $1', [known.length]);
  });
}

async function ensureVersionRow({ query }: Database): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      // IF NOT EXISTS requires the CREATE permission even if the table exists.
      const made = await query(`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'sandbox_schema'`);
      if (made.length === 0)
        await query('CREATE TABLE sandbox_schema (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL DEFAULT 0)');
      await query('INSERT INTO sandbox_schema DEFAULT VALUES ON CONFLICT DO NOTHING');
      return;
    } catch (error) {
      if (attempts === 10 || !madeByAnother.has(sqlState(error) ?? '')) throw error;
      await wait(50);
    }
  }
}
