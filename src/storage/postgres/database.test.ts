import { expect, it } from 'vitest';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { Database, isOfStatement } from './database.js';

/** Creates an error like the library for a PostgreSQL error. */
const failure = (code: string) => Object.assign(new Error('failure'), { code, severity: 'ERROR' });

it.each([
  ['a syntax error', failure('42601'), true],
  ['an invalid value', failure('22P02'), true],
  ['a duplicate key', failure('23505'), true],
  ['a connection that the server ends', failure('57P01'), false],
  ['a server that recovers', failure('57P03'), false],
  ['a statement that is cancelled', failure('57014'), false],
  ['a standby', failure('25006'), false],
  ['a full disk', failure('53100'), false],
  ['an unreadable disk', failure('58030'), false],
  ['a revoked permission', failure('42501'), false],
  ['a missing table', failure('42P01'), false],
  ['a rejected password', failure('28P01'), false],
  ['an internal error of the server', failure('XX000'), false],
  ['a connection that breaks', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), false],
  ['a timeout of a statement', new Error('Query read timeout'), false],
])('isOfStatement returns whether the statement caused the error: %s', (_what, error, isItsOwn) => {
  expect(isOfStatement(error)).toBe(isItsOwn);
});

describeWithPostgres('a statement that waits for a lock', () => {
  const postgres = usePostgres();

  it('is cancelled on the server after its timeout, which frees its connection', async () => {
    const url = await postgres.server.database();
    const database = await Database.at(url);
    const holder = await postgres.server.connect(url);
    await holder.query('CREATE TABLE held (id integer)');
    await holder.query('BEGIN; LOCK TABLE held IN ACCESS EXCLUSIVE MODE');
    await expect(database.query('SELECT * FROM held')).rejects.toThrow('statement timeout');
    const waiting = await holder.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`);
    expect(waiting.rows).toEqual([]);
    await holder.query('COMMIT');
    expect(await database.query('SELECT * FROM held')).toEqual([]);
    await holder.end();
    await database.close();
  });
});
