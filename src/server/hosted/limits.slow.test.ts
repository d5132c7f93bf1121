import { expect, it } from 'vitest';
import { useCluster } from '../../testing/cluster.js';
import { inLength } from '../../testing/long-run.js';
import { asOperator, clientAt, control, makeWorld } from '../../testing/nodes.js';
import { describeWithPostgres } from '../../testing/postgres.js';
import { call, connect } from '../../testing/process.js';

describeWithPostgres('world limits on nodes sharing a database', () => {
  const cluster = useCluster();

  it('cap the work and the rows of each world', async () => {
    const { url } = await cluster.node('--world-work-ms=5', '--world-rows=1000');
    const [full, other] = [await makeWorld(url, 'full'), await makeWorld(url, 'other')];
    const posts = await Promise.all(Array.from({ length: 60 }, () => control(url, 'GET', '/clock', { world: 'full' })));
    const refused = posts.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused)
      expect([body.details, headers.get('retry-after')]).toEqual([{ setting: 'SANDBOX_WORLD_WORK_MS', maximum: 5 }, '1']);
    expect((await call(url, 'POST', '/api/oauth/client/token', { body: other.credentials })).status).toBe(200);

    await cluster.stop(cluster.nodes[0]!);
    const { url: second } = await cluster.node('--world-rows=1000', '--world-work-ms=1000');
    const { api } = await clientAt(second, full);
    const post = () => call(second, 'POST', '/_sandbox/inbox/in?world=full', { body: {} });
    const crowd = () => Promise.all(Array.from({ length: 100 }, post));
    let last = await post();
    for (let count = 0; last.status !== 429 && count < 12; count += 1) last = (await crowd()).at(-1)!;
    expect(last.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { setting: 'SANDBOX_WORLD_ROWS', maximum: 1000 } });
    expect(last.headers.get('retry-after')).toBe('1');
    expect((await api('GET', '/api/accounts')).status).toBe(200);
    expect((await connect(second, other.credentials).then((client) => client('GET', '/api/accounts'))).status).toBe(200);
    expect((await control(second, 'POST', '/reset', { world: 'full' })).status).toBe(200);
    expect((await post()).status).toBe(200);
  });

  it('do not count requests of other clients against a partner', async () => {
    const { url } = await cluster.node('--world-work-ms=100');
    const acme = await makeWorld(url, 'acme');
    const { api } = await clientAt(url, acme);
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${acme.credentials.clientId}:${secret}`).toString('base64')}`,
    });
    const strange = [
      () => call(url, 'POST', '/_sandbox/inbox/in?world=acme', { body: { text: 'x'.repeat(1000) } }),
      () => call(url, 'GET', '/_sandbox/clock', { headers: basic('wrong') }),
      () => call(url, 'POST', '/api/oauth/client/token', { body: { ...acme.credentials, clientSecret: 'wrong' } }),
    ];
    const statuses = await Promise.all(Array.from({ length: 600 }, async (_each, index) => (await strange[index % 3]!()).status));
    expect(statuses).toContain(429);
    expect((await api('GET', '/api/accounts')).status).toBe(200);
    expect((await call(url, 'GET', '/_sandbox/clock', { headers: basic(acme.credentials.clientSecret) })).status).toBe(200);
    expect((await call(url, 'POST', '/api/oauth/client/token', { body: acme.credentials })).status).toBe(200);
  });

  // It measures durations, so only long runs include it.
  it.each(inLength([], [300]))('keep responses to a partner fast while another partner sends %i requests', async (requests) => {
    const { url } = await cluster.node();
    const [greedy, other] = [await clientAt(url, await makeWorld(url, 'greedy')), await clientAt(url, await makeWorld(url, 'other'))];
    const waits = async () => {
      const times: number[] = [];
      for (let count = 0; count < 10; count += 1) {
        const startedMs = performance.now();
        expect((await other.api('GET', '/api/accounts')).status).toBe(200);
        expect((await other.api('POST', '/api/quotes', other.quote)).status).toBe(201);
        times.push(performance.now() - startedMs);
      }
      return times.toSorted((a, b) => a - b)[5]!;
    };
    const idleMs = await waits();
    const asGreedy = (method: string, path: string, body?: unknown) => control(url, method, path, { world: 'greedy', body });
    const event = { eventType: 'OPERATION_COMPLETED', payload: { note: 'n'.repeat(60_000) } };
    const calls = [
      () => asGreedy('GET', '/coverage'),
      () => greedy.api('GET', '/api/accounts?limit=100'),
      () => greedy.api('POST', '/api/quotes', greedy.quote),
      () => asGreedy('POST', '/events', event),
      () => asGreedy('POST', '/snapshots', { name: `s${Math.floor(performance.now())}` }),
      () => asGreedy('POST', '/requests/verify', { match: { kind: 'REQUEST', operationIdd: 'x' } }),
    ];
    const sent = Array.from({ length: requests }, (_each, index) => calls[index % calls.length]!());
    expect(await waits()).toBeLessThan(idleMs + 100);
    for (const { status } of await Promise.all(sent)) expect(status).not.toBe(500);
  });

  it('leave room for requests next to many open streams', async () => {
    const [one, two] = [await cluster.node(), await cluster.node()];
    const worlds = await Promise.all(['greedy', 'thirsty', 'idle'].map((name) => makeWorld(one.url, name)));
    const gone = new AbortController();
    const stream = ({ name }: { name: string }) =>
      fetch(`${two.url}/_sandbox/stream`, { headers: { ...asOperator, 'x-sandbox-world': name }, signal: gone.signal });
    const streams = await Promise.all(worlds.flatMap((world) => Array.from({ length: 64 }, () => stream(world))));
    expect(streams.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await control(two.url, 'GET', '/clock', { world: 'idle' })).status).toBe(200);
    gone.abort();
  });

  it('cap the subscriptions of each world on all routes, and still allow deleting existing ones', async () => {
    const url = (await cluster.node('--world-subscriptions=3')).url;
    const [full, other] = [await makeWorld(url, 'full'), await makeWorld(url, 'other')];
    const { api } = await clientAt(url, full);
    const subscribe = () => api('POST', '/api/subscriptions', { url: 'https://example.com/hooks', includeAll: true });
    const before = (await control(url, 'GET', '/subscriptions', { world: 'full' })).body.data.length as number;
    for (let count = before; count < 3; count += 1) expect((await subscribe()).status).toBe(201);
    const { body: state } = await control(url, 'GET', '/state', { world: 'full' });
    const refused = { code: 'RATE_LIMIT_EXCEEDED', details: { setting: 'SANDBOX_WORLD_SUBSCRIPTIONS', maximum: 3 } };
    expect((await subscribe()).body).toMatchObject(refused);
    expect((await (await clientAt(url, other)).api('GET', '/api/accounts')).status).toBe(200);

    await cluster.stop(cluster.nodes[0]!);
    const { url: strict } = await cluster.node('--world-subscriptions=2');
    const again = await clientAt(strict, full);
    expect((await control(strict, 'PUT', '/state', { world: 'full', body: state })).body).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { setting: 'SANDBOX_WORLD_SUBSCRIPTIONS', maximum: 2 },
    });
    expect((await again.api('POST', '/api/quotes', again.quote)).status).toBe(201);
    const { body: list } = await control(strict, 'GET', '/subscriptions', { world: 'full' });
    for (const { id } of list.data.slice(0, 2))
      expect((await control(strict, 'DELETE', `/subscriptions/${id}`, { world: 'full' })).status).toBe(204);
    const more = () => again.api('POST', '/api/subscriptions', { url: 'https://example.com/hooks', includeAll: true });
    expect([(await more()).status, (await more()).status]).toEqual([201, 429]);
  });

  it('cap waiting requests across all nodes', async () => {
    const [one, two] = [await cluster.node('--world-waits=3'), await cluster.node('--world-waits=3')];
    await makeWorld(one.url, 'full');
    await makeWorld(one.url, 'other');
    const wait = (world: string) => control(two.url, 'GET', '/inbox/in/await?timeoutMs=30000', { world });
    const waiting = Array.from({ length: 4 }, () => wait('full'));
    const first = await Promise.race(waiting);
    expect([first.status, first.headers.get('retry-after'), first.body.code, first.body.details]).toEqual([
      429,
      '1',
      'RATE_LIMIT_EXCEEDED',
      { setting: 'SANDBOX_WORLD_WAITS', maximum: 3, help: '/docs/guides/errors#RATE_LIMIT_EXCEEDED' },
    ]);
    const elsewhere = wait('other');
    for (const world of ['full', 'other']) await call(two.url, 'POST', `/_sandbox/inbox/in?world=${world}`, { body: {} });
    const statuses = (await Promise.all([...waiting, elsewhere])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429]);
  });

  it('cap the recorded requests of each world', async () => {
    const { url } = await cluster.node('--world-record-mib=1');
    const { api } = await clientAt(url, await makeWorld(url, 'full'));
    await clientAt(url, await makeWorld(url, 'other'));
    const kept = async (world: string) => (await control(url, 'GET', '/requests?limit=1', { world })).body.meta.total as number;
    const before = await kept('other');
    const large = { noted: 'x'.repeat(60_000) };
    for (let count = 0; count < 30; count += 1) await api('POST', '/api/quotes', large);
    expect(await kept('full')).toBeLessThan(25);
    expect(await kept('other')).toBe(before);
  });
});
