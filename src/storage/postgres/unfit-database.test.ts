import { expect, it } from 'vitest';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { PostgresStorage } from './postgres-storage.js';
import { unfit } from './unfit-database.js';

describeWithPostgres('a database with unusual settings', () => {
  const postgres = usePostgres();

  /**
   * Opens a database as a user who may not create tables.
   * @param grants grants further rights to `writer`, which is replaced by the user
   */
  async function openAsWriter(url: string, grants: string): Promise<void> {
    const own = Object.assign(new URL(url), { username: `writer_${process.pid}`, password: 'hidden' });
    await postgres.server.query(`CREATE ROLE ${own.username} LOGIN PASSWORD 'hidden'`);
    try {
      await postgres.server.query(`REVOKE CREATE ON SCHEMA public FROM PUBLIC; ${grants.replace('writer', own.username)}`, url);
      await (await PostgresStorage.open(own.href)).close();
    } finally {
      await postgres.server.query(`DROP OWNED BY ${own.username}`, url);
      await postgres.server.query(`DROP ROLE ${own.username}`);
    }
  }

  it('opens for a user who may write to its tables but not create any', async () => {
    const url = await postgres.server.database();
    await (await PostgresStorage.open(url)).close();
    await openAsWriter(url, 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO writer');
    await expect(openAsWriter(url, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO writer')).rejects.toThrow(
      /cannot be used: permission denied for table \w+\. The database user needs CREATE .*, and always SELECT, INSERT, UPDATE and DELETE/,
    );
  });

  it('is rejected for a user who may not create the missing tables', async () => {
    await expect(openAsWriter(await postgres.server.database(), '')).rejects.toThrow(
      /cannot be used: permission denied for schema public\. The database user needs CREATE on the schema at the first start/,
    );
  });

  it.each([
    [
      'is read-only',
      'ALTER DATABASE name SET default_transaction_read_only = on',
      'in a read-only transaction. Use the URL of the primary',
    ],
    [
      'has tables of another program',
      'CREATE TABLE worlds (id integer)',
      '"worlds" already exists. Use a separate database for the sandbox.',
    ],
  ])('is rejected with the fix when it %s', async (_what, statement, message) => {
    const url = await postgres.server.database();
    await postgres.server.query(statement.replace('name', new URL(url).pathname.slice(1)), url);
    await expect(PostgresStorage.open(url)).rejects.toThrow(message);
  });

  it.each(['LATIN1', 'SQL_ASCII'])('with encoding %s is rejected only if the encoding lacks some characters', async (encoding) => {
    const url = new URL(await postgres.server.database());
    url.pathname += encoding.toLowerCase();
    await postgres.server.query(`CREATE DATABASE ${url.pathname.slice(1)} ENCODING '${encoding}' TEMPLATE template0 LOCALE 'C'`);
    const opening = PostgresStorage.open(url.href).then((storage) => storage.close());
    if (encoding === 'SQL_ASCII') await opening;
    else await expect(opening).rejects.toThrow(`cannot be used: its encoding is LATIN1. Create one with ENCODING 'UTF8'.`);
  });
});

it.each([
  ['self-signed certificate in certificate chain', 'sslrootcert'],
  ['unable to get local issuer certificate', 'sslrootcert'],
  ['no pg_hba.conf entry for host "10.0.0.7", user "u", database "d", no encryption', 'sslmode=verify-full'],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'the URL has none'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'Start the database, correct the URL'],
])('the error names the fix for %s', (why, advice) => {
  const { message } = unfit('postgres://db/worlds', new Error(why));
  expect([message.startsWith(`The database postgres://db/worlds cannot be used: ${why}. `), message.includes(advice)]).toEqual([
    true,
    true,
  ]);
});
