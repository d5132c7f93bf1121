import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { useCluster } from '../../testing/cluster.js';
import { clientAt, control, makeWorld, nodeSettings } from '../../testing/nodes.js';
import { describeWithPostgres } from '../../testing/postgres.js';
import { startServer, type RunningServer } from '../server.js';

describeWithPostgres('the warnings of a node', () => {
  const cluster = useCluster();
  const running: RunningServer[] = [];
  let lines: { level: number; msg: string; err?: unknown }[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close();
    lines = [];
  });

  /** Starts a node whose log lines are stored in `lines`. */
  async function loggedNode(...flags: string[]): Promise<RunningServer> {
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) });
    const started = await startServer(nodeSettings(cluster.database, ...flags), { log });
    running.push(started);
    return started;
  }

  const full = `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''No space left on device'' USING ERRCODE = ''53100''; END';
    CREATE TRIGGER fail BEFORE INSERT ON world_commits FOR EACH ROW EXECUTE FUNCTION fail()`;

  it.each([
    ['with a full disk', full, 'DROP TRIGGER fail ON world_commits', 'No space left on device'],
    [
      'with a missing table',
      'ALTER TABLE world_commits RENAME TO other',
      'ALTER TABLE other RENAME TO world_commits',
      'relation "world_commits" does not exist',
    ],
  ])('are at most two for a database %s, while writes return 503 until the database is repaired', async (_what, harm, repair, reason) => {
    const { url } = await loggedNode();
    const { api, quote } = await clientAt(url, await makeWorld(url, 'acme'));
    await cluster.server.query(harm, cluster.database);
    for (let calls = 1; calls <= 5; calls += 1) {
      const { status, headers, body } = await api('POST', '/api/quotes', quote);
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'SERVICE_UNAVAILABLE']);
    }
    await cluster.server.query(repair, cluster.database);
    await expect.poll(async () => (await api('POST', '/api/quotes', quote)).status).toBe(201);
    const logged = lines.map(({ msg, err }) => ({ msg, err }));
    const { host, pathname } = new URL(cluster.database);
    const of = (what: string) => ({ msg: `postgres://${host}${pathname}: ${what}${reason}.`, err: undefined });
    expect(logged).toContainEqual(of('commits were not stored: '));
    expect(logged.filter(({ msg }) => msg !== of('commits were not stored: ').msg && msg !== of('').msg)).toEqual([]);
    expect(logged.length).toBeLessThanOrEqual(2);
  });

  it('name the URL of a node that cannot be reached', async () => {
    const one = await cluster.node('--node-url=http://127.0.0.1:1');
    await makeWorld(one.url, 'acme');
    const two = await loggedNode();
    for (let calls = 1; calls <= 3; calls += 1) expect((await control(two.url, 'GET', '/clock', { world: 'acme' })).status).toBe(503);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'Could not forward a request to node http://127.0.0.1:1 (ECONNREFUSED). If this continues, check SANDBOX_NODE_URL on that node.',
    ]);
  });
});
