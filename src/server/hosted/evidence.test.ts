import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { EvidenceHandover } from '../../analysis/evidence-handover.js';
import { useCluster } from '../../testing/cluster.js';
import { clientAt, control, makeWorld, nodeSettings } from '../../testing/nodes.js';
import { connect, startReceiver } from '../../testing/process.js';
import { makeMistakes, reportOf } from '../../testing/node-evidence.js';
import { describeWithPostgres } from '../../testing/postgres.js';
import { startServer } from '../server.js';

describeWithPostgres('the evidence about a client', () => {
  const cluster = useCluster();
  const { node, stop } = cluster;
  const query = (text: string) => cluster.server.query(text, cluster.database);

  it('moves completely to the next node when its node stops, and gives the same report', async () => {
    const [one, two] = [await node(), await node()];
    const client = await makeMistakes(one.url, 'acme');
    const before = await reportOf(one.url, 'acme');
    expect(before).toMatchObject({
      worlds: [{ name: 'acme', wholeSince: null, client: { name: 'payouts' } }],
      interventions: { announced: 1 },
    });
    expect(before.findings.map(({ rule }) => rule)).toContain('money.json-number');
    await stop(one);
    expect(await reportOf(two.url, 'acme')).toEqual(before);
    const { text } = await control(two.url, 'GET', '/findings', { world: 'acme' });
    expect(text).not.toContain(client.credentials.clientSecret);
  });

  it('includes what is not proven, until the client reads it at the next node', async () => {
    const [one, two, three] = [await node(), await node(), await node()];
    const world = await makeWorld(one.url, 'acme');
    const { api, quote } = await clientAt(one.url, world);
    await api('POST', '/api/subscriptions', { url: `${one.url}/_sandbox/inbox/mine`, includeAll: true });
    const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
    const body = { sourceAccountId: quote.accountId, targetAccountId: accounts.data[1].id, amount: { value: '25.00', asset: 'BRL' } };
    const hooks = await startReceiver();
    await api('POST', '/api/subscriptions', { url: hooks.url, includeAll: true });
    const key = randomUUID();
    const made = [await api('POST', '/api/operations/transfer', body, key), await api('POST', '/api/operations/transfer', body)];
    await api('POST', '/api/operations/transfer', body, key);
    await control(one.url, 'POST', '/clock/advance', { world: 'acme', body: { by: 'PT1M' } });
    const unproven = async (url: string) => {
      const { notProven } = await reportOf(url, 'acme');
      const isTested = ({ kind }: (typeof notProven)[number]) => kind !== 'FAULTS_NOT_TESTED';
      return notProven.filter(isTested).map(({ kind, count, money = [] }) => [kind, count, money.map(({ value }) => value).join()]);
    };
    const before = [
      ['EQUAL_PAYMENTS', 1, '25.00'],
      ['OUTCOMES_NOT_READ', 2, '50.00'],
      ['KEYS_REPEATED', 1, '25.00'],
      ['SIGNATURES_NOT_TESTED', 1, ''],
    ];
    await expect.poll(() => unproven(one.url)).toEqual(before);
    await stop(one);
    expect(await unproven(two.url)).toEqual(before);
    const next = await connect(two.url, world.credentials);
    expect((await next('GET', `/api/operations/${made[0]!.body.id}`)).status).toBe(200);
    await control(two.url, 'POST', '/faults', { world: 'acme', body: { on: 'DELIVERY', times: 2, effect: { corruptSignature: true } } });
    await control(two.url, 'POST', '/events', { world: 'acme', body: { eventType: 'OPERATION_FAILED' } });
    const after = [before[0], ['OUTCOMES_NOT_READ', 1, '25.00'], before[2]];
    await expect.poll(() => unproven(two.url)).toEqual(after);
    await stop(two);
    expect(await unproven(three.url)).toEqual(after);
    await control(three.url, 'POST', '/reset', { world: 'acme' });
    expect((await unproven(three.url)).filter(([, , money]) => money !== '')).toEqual([]);
    await hooks.close();
  });

  it('moves completely to the next node when an idle world is released, also a second time, and includes later requests', async () => {
    const { url, sandbox } = await node('--world-idle=1s');
    const client = await makeMistakes(url, 'acme');
    const before = await reportOf(url, 'acme');
    for (let times = 0; times < 2; times += 1) {
      await expect.poll(() => sandbox.worlds.size).toBe(0);
      await expect.poll(async () => (await reportOf(url, 'acme')).worlds).toEqual(before.worlds);
    }
    await client.repeat(url);
    const after = await reportOf(url, 'acme');
    expect(after.worlds[0]!.calls).toBe(before.worlds[0]!.calls + 2);
    const countOf = ({ findings }: typeof after) => findings.find(({ rule }) => rule === 'money.json-number')!.count;
    expect(countOf(after)).toBe(countOf(before) + 1);
  });

  it('moves to the next node as last stored after a partition, and the report shows the time since which it is complete', async () => {
    const [one, two] = [await node(), await node()];
    await makeMistakes(one.url, 'acme');
    await one.sandbox.storeEvidence();
    const before = await reportOf(one.url, 'acme');
    const began = Date.now();
    await query(`UPDATE nodes SET lease_until = now() - interval '1 second' WHERE url = '${one.url}'`);
    const after = await reportOf(two.url, 'acme');
    expect({ ...after, worlds: [{ ...after.worlds[0]!, wholeSince: null }] }).toEqual(before);
    expect(Date.parse(after.worlds[0]!.wholeSince!)).toBeGreaterThanOrEqual(began);
    // What the first node stores now, without the world, does not count.
    await one.sandbox.storeEvidence([...one.sandbox.worlds.values()], true);
    await Promise.all([one, two].map(stop));
    const three = await node();
    expect((await reportOf(three.url, 'acme')).worlds[0]!.wholeSince).toBe(after.worlds[0]!.wholeSince);
  });

  it('that cannot be stored when its node stops is logged with the name of the world', async () => {
    const lines: string[] = [];
    const only = await startServer(nodeSettings(cluster.database), { log: pino({}, { write: (line) => void lines.push(line) }) });
    await makeMistakes(only.url, 'acme');
    await query(`CREATE FUNCTION fail() RETURNS trigger AS $$ BEGIN RAISE 'full'; END $$ LANGUAGE plpgsql`);
    await query('CREATE TRIGGER fail BEFORE INSERT ON world_evidence FOR EACH ROW EXECUTE FUNCTION fail()');
    await only.close();
    const logged = lines.filter((line) => line.includes('storing of the evidence'));
    expect(logged).toEqual([expect.stringMatching(/could not be stored.*storing of the evidence of world acme"/)]);
  });

  it('that could not be stored is stored with the next changes', async () => {
    const one = await node();
    await makeMistakes(one.url, 'acme');
    await query(`CREATE FUNCTION fail() RETURNS trigger AS $$ BEGIN RAISE 'full'; END $$ LANGUAGE plpgsql`);
    await query('CREATE TRIGGER fail BEFORE INSERT ON world_evidence FOR EACH ROW EXECUTE FUNCTION fail()');
    await one.sandbox.storeEvidence();
    await query('DROP TRIGGER fail ON world_evidence');
    expect(await query('SELECT world FROM world_evidence')).toEqual([]);
    await one.sandbox.storeEvidence();
    expect(await query('SELECT world FROM world_evidence')).toEqual([{ world: 'acme' }]);
  });

  it('is stored for the other worlds if the evidence of one world cannot be reduced enough', async () => {
    const one = await node();
    for (const name of ['large', 'small']) await makeMistakes(one.url, name);
    vi.spyOn(EvidenceHandover.prototype, 'stored').mockRejectedValueOnce(new Error('The evidence of world large is too large.'));
    await one.sandbox.storeEvidence();
    expect(await query('SELECT world FROM world_evidence')).toEqual([{ world: 'small' }]);
  });

  it('is limited, and damaged evidence is ignored', async () => {
    const [one, two] = [await node(), await node()];
    await makeMistakes(one.url, 'acme');
    await stop(one);
    await query(`UPDATE world_evidence SET evidence = 'AAAA'`);
    const { worlds, findings } = await reportOf(two.url, 'acme');
    expect([worlds[0]!.calls, findings, worlds[0]!.wholeSince]).toEqual([0, [], expect.any(String)]);
    await control(two.url, 'DELETE', '/worlds/acme');
    expect(await query('SELECT 1 FROM world_evidence')).toEqual([]);
  });
});
