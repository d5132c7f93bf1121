import type { ClientBase, Pool, PoolClient } from 'pg';

/** A row of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement, `$1` standing for the first of the values. */
export type Query = <R extends Row>(text: string, values?: readonly unknown[]) => Promise<R[]>;

/** How long a connection and a statement may take, in milliseconds: less than a lease lasts. */
const patience = { connectionTimeoutMillis: 2000, query_timeout: 4000 } as const;
/**
 * How long a statement may take by the clock of the database, in milliseconds: less than anybody waits for it. One that waits for a lock
 * does not notice that its connection is gone, and each of them would hold a connection of the server until it has the lock.
 */
const statementMs = 3500;
/** How many connections a node has at most, but for that of its lease. */
const usualConnections = 7;
/** What PostgreSQL says of statements that were in each other's way: nothing of them happened, and they can be sent again. */
const collisions: ReadonlySet<string> = new Set(['40001', '40P01']);

/** The code of an error that PostgreSQL has told of; undefined for one of the connection, after which nobody knows what happened. */
export function sqlState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as object) ? code : undefined;
}

/**
 * Whether an error says that a statement is wrong, or at odds with what there is. Any other is for want of the database, and passes with
 * time: so does a table that somebody has taken away, or the right to it.
 */
export const isOfStatement = (error: unknown): boolean => /^(0A|2[123]|42(?!501|P01))/.test(sqlState(error) ?? '');

/** Connections to one PostgreSQL database. */
export class Database {
  readonly #pool: Pool;
  /** The database as people may read it: without a password. */
  readonly shownAs: string;

  private constructor(pool: Pool, shownAs: string) {
    this.#pool = pool;
    this.shownAs = shownAs;
  }

  /** Makes ready to connect to the database of a URL, over so many connections at most. @throws Error when the URL is none */
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
    pool.on('error', () => undefined); // Of a connection that nobody uses; the next statement makes a new one.
    return new Database(pool, `postgres://${host}${pathname}`);
  }

  /** Runs a statement by itself; one that collided with another is run again. */
  readonly query: Query = async <R extends Row>(text: string, values: readonly unknown[] = []) => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return (await this.#pool.query<R>(text, [...values])).rows;
      } catch (error) {
        if (attempts === 10 || !collisions.has(sqlState(error) ?? '')) throw error;
      }
    }
  };

  /** Runs statements that happen together or not at all, each after `work` has asked for it. */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const note = () => undefined; // Whoever waits for a statement is told of a connection that is lost.
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
      client.release(failure); // A connection that is thrown away takes back what was begun on it.
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Told of a new connection, which is used when this is done. It is not said with the connection itself: poolers refuse what they do not know. */
const boundStatements = (client: ClientBase): unknown => client.query(`SET statement_timeout = ${statementMs}`);

const queryOf =
  (client: PoolClient): Query =>
  async <R extends Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query<R>(text, [...values])).rows;
