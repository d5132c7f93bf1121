import type { ClientBase, Pool, PoolClient } from 'pg';

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement. `$1` is the first value. */
export type Query = <R extends Row>(text: string, values?: readonly unknown[]) => Promise<R[]>;

/** Timeouts of a connection and of a statement, in milliseconds: shorter than a lease. */
const patience = { connectionTimeoutMillis: 2000, query_timeout: 4000 } as const;
/**
 * Timeout of a statement in the database, in milliseconds: shorter than the timeout of the client. A statement that waits for a lock does
 * not notice a lost connection, and would block a server connection until it gets the lock.
 */
const statementMs = 3500;
/** Default maximum number of connections of a node, in addition to one for its lease. */
const usualConnections = 7;
/** Codes of PostgreSQL for conflicting statements, which had no effect and can be repeated. */
const collisions: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Returns the PostgreSQL code of an error; undefined for a connection error, after which the result is unknown. */
export function sqlState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as object) ? code : undefined;
}

/**
 * Whether an error means that a statement is invalid or conflicts with stored data. Other errors are about the database and may be
 * temporary, for example a missing table or permission.
 */
export const isOfStatement = (error: unknown): boolean => /^(0A|2[123]|42(?!501|P01))/.test(sqlState(error) ?? '');

export class Database {
  readonly #pool: Pool;
  /** URL without user and password. */
  readonly shownAs: string;

  private constructor(pool: Pool, shownAs: string) {
    this.#pool = pool;
    this.shownAs = shownAs;
  }

  /** Prepares connections to the database. @throws Error if the URL is invalid */
  static async at(url: string, maxConnections = usualConnections): Promise<Database> {
    const { host, pathname } = new URL(url);
    const { Pool: Connections } = await import('./driver.js');
    const pool = new Connections({
      connectionString: url,
      max: maxConnections,
      keepAlive: true,
      ...patience,
      onConnect: boundStatements,
    });
    pool.on('error', () => undefined); // Ignored for an idle connection: the next statement opens a new one.
    return new Database(pool, `postgres://${host}${pathname}`);
  }

  /** Runs a single statement; repeats it after a conflict. */
  readonly query: Query = async <R extends Row>(text: string, values: readonly unknown[] = []) => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return (await this.#pool.query<R>(text, [...values])).rows;
      } catch (error) {
        if (attempts === 10 || !collisions.has(sqlState(error) ?? '')) throw error;
      }
    }
  };

  /** Runs the statements of `work` in one transaction. */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const note = () => undefined; // The awaited statement fails if the connection is lost.
    client.on('error', note);
    let failure: Error | undefined;
    try {
      await client.query('BEGIN');
      const value = await work(queryOf(client));
      await client.query('COMMIT');
      return value;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.off('error', note);
      client.release(failure); // Closing a connection rolls back its transaction.
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Sets the statement timeout of a new connection. Not a connection parameter, because poolers reject unknown parameters. */
const boundStatements = (client: ClientBase): unknown => client.query(`SET statement_timeout = ${statementMs}`);

const queryOf =
  (client: PoolClient): Query =>
  async <R extends Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query<R>(text, [...values])).rows;
