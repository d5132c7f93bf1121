import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useCluster } from '../../testing/cluster.js';
import { asOperator, clientAt, control, makeWorld } from '../../testing/nodes.js';
import { describeWithPostgres } from '../../testing/postgres.js';
import { call, connect, startReceiver } from '../../testing/process.js';
import { root } from '../../testing/root.js';
import type { RunningServer } from '../server.js';

describeWithPostgres('nodes sharing a database', () => {
  const cluster = useCluster();
  const { node, stop, nodes } = cluster;

  const stored = async (name: string) =>
    (
      await cluster.server.query(
        `SELECT owner, epoch, sequence, base_sequence, next_due_at FROM worlds WHERE name = '${name}'`,
        cluster.database,
      )
    )[0]!;

  /** Creates a world at one of two nodes, and a quote in the world through the other node. */
  const quoteThroughOther = async () => {
    const [one, two] = [await node(), await node()];
    const world = await makeWorld(one.url, 'acme');
    const { api, quote } = await clientAt(two.url, world);
    const key = randomUUID();
    return { one, two, world, api, quote, key, made: await api('POST', '/api/quotes', quote, key) };
  };

  it('start without worlds, and create worlds with random credentials', async () => {
    const { url } = await node();
    expect((await control(url, 'GET', '/worlds')).body.data).toEqual([]);
    expect((await control(url, 'GET', '/findings')).body.message).toMatch(/no world with name default\. Name a world in X-Sandbox-World/);
    const { credentials } = await makeWorld(url, 'default', { seed: 'sandbox' });
    expect(credentials.clientId).toMatch(/^client-.{21}$/);
    expect(credentials.clientSecret).toMatch(/^.{40}$/);
    expect(credentials.clientSecret).not.toBe('sandbox-secret');
    expect((await control(url, 'DELETE', '/worlds/default')).status).toBe(204);
  });

  it('handle requests for worlds of other nodes', async () => {
    const { one, two, world, api, quote, key, made } = await quoteThroughOther();
    expect(made.status).toBe(201);
    const again = await (await connect(one.url, world.credentials))('POST', '/api/quotes', quote, key);
    expect([again.text, again.headers.get('x-idempotent-replay')]).toEqual([made.text, 'true']);
    for (const { url } of nodes) {
      expect((await control(url, 'GET', '/worlds')).body.data).toMatchObject([{ name: 'acme', credentials: world.credentials }]);
      expect((await control(url, 'GET', '/quotes?sortOrder=DESCENDING&limit=1', { world: 'acme' })).body.data).toMatchObject([
        { id: made.body.id },
      ]);
      expect((await control(url, 'GET', '/worlds/acme')).body).toMatchObject({ name: 'acme' });
      expect((await control(url, 'POST', '/worlds', { body: { name: 'acme' } })).status).toBe(409);
    }
    expect([one.sandbox.worlds.size, two.sandbox.worlds.size]).toEqual([1, 0]);
    expect((await control(two.url, 'DELETE', '/worlds/acme')).status).toBe(204);
    expect((await api('GET', '/api/accounts')).status).toBe(401);
    expect((await connectStatus(two.url, world.credentials)).status).toBe(401);
  });

  const connectStatus = (url: string, credentials: object) => call(url, 'POST', '/api/oauth/client/token', { body: credentials });

  it('reject invalid requests with the errors of a single node, whether or not they own the world', async () => {
    const [one, two] = [await node(), await node()];
    const world = await makeWorld(one.url, 'acme');
    const large = JSON.stringify({ clientId: 'x'.repeat(1_100_000) });
    for (const { url } of [one, two]) {
      const refused = [
        await connectStatus(url, { ...world.credentials, clientSecret: 'wrong' }),
        await connectStatus(url, { clientId: 'nobody', clientSecret: 'x' }),
        await connectStatus(url, { clientId: 1 }),
        await connectStatus(url, { clientId: '\0', clientSecret: 'x' }),
        await call(url, 'POST', '/api/oauth/client/token', { body: large }),
        await call(url, 'GET', '/api/accounts'),
        await call(url, 'GET', '/api/accounts', { headers: { authorization: 'Bearer x.y.z' } }),
        await call(url, 'GET', '/_sandbox/worlds/acme'),
        await control(url, 'GET', '/worlds/nobody'),
        await control(url, 'GET', '/quotes?world=%00'),
        await control(url, 'GET', '/quotes', { world: 'nobody' }),
        await control(url, 'GET', '/quotes?world=other', { world: 'acme' }),
        await call(url, 'GET', '/_sandbox/quotes', { headers: { ...asOperator, 'x-sandbox-hop': 'guessed', 'x-sandbox-world': 'nobody' } }),
      ];
      expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
        '401 INVALID_CREDENTIALS',
        '401 INVALID_CREDENTIALS',
        '400 INVALID_DATA',
        '400 INVALID_DATA',
        '413 PAYLOAD_TOO_LARGE',
        '401 INVALID_ACCESS_TOKEN',
        '401 INVALID_ACCESS_TOKEN',
        '401 CONTROL_TOKEN_REQUIRED',
        '404 RESOURCE_NOT_FOUND',
        '404 RESOURCE_NOT_FOUND',
        '404 RESOURCE_NOT_FOUND',
        '400 INVALID_DATA',
        '404 RESOURCE_NOT_FOUND',
      ]);
      expect((await call(url, 'GET', '/_sandbox/health/ready')).status).toBe(200);
    }
  });

  /** Sends a request over a socket. @returns the status and text of the response, and the error if the connection was aborted */
  const broken = (url: string, path: string, authorization: string) =>
    new Promise<{ status: number; text: string; error: string | null }>((resolve) => {
      let [status, text] = [0, ''];
      const end = (error: NodeJS.ErrnoException | null) => resolve({ status, text, error: error && (error.code ?? error.message) });
      request(url + path, { headers: { authorization }, agent: false }, (answer) => {
        status = answer.statusCode!;
        answer
          .on('data', (chunk: Buffer) => (text += chunk.toString()))
          .on('end', () => end(null))
          .on('error', end);
      })
        .on('error', end)
        .end();
    });

  it('apply the wire effects of a fault on the node to which the client is connected', async () => {
    const [one, two] = [await node(), await node()];
    const world = await makeWorld(one.url, 'acme');
    const { body } = await connectStatus(two.url, world.credentials);
    const authorization = `Bearer ${body.accessToken}`;
    const whole = (await call(two.url, 'GET', '/api/accounts', { headers: { authorization } })).text;
    const injected = async (effect: object) => {
      const fault = { on: 'REQUEST', phase: 'after_commit', when: { operationId: 'listAccounts' }, times: 1, effect };
      const armed = await control(two.url, 'POST', '/faults', { world: 'acme', body: fault });
      expect([armed.status, armed.text]).toEqual([201, expect.anything()]);
      return broken(two.url, '/api/accounts', authorization);
    };
    expect(await injected({ connectionReset: true })).toMatchObject({ status: 0, error: 'ECONNRESET' });
    const cut = await injected({ truncate: true });
    expect(cut).toMatchObject({ status: 200, error: 'ECONNRESET' });
    expect(whole.startsWith(cut.text) && cut.text.length < whole.length).toBe(true);
    const slow = performance.now();
    expect(await injected({ slowBody: '200ms' })).toMatchObject({ status: 200, text: whole, error: null });
    expect(performance.now() - slow).toBeGreaterThan(150);
    const { body: record } = await control(two.url, 'GET', '/requests?filters=operationId[eq]=listAccounts&sortOrder=ASCENDING', {
      world: 'acme',
    });
    expect(record.data.map(({ response }: { response: { outcome: string } }) => response.outcome)).toEqual([
      'DELIVERED',
      'LOST',
      'LOST',
      'DELIVERED',
    ]);
  });

  it('let a partner access its own world, but no other world', async () => {
    const [one, two] = [await node(), await node()];
    const [acme, other] = [await makeWorld(one.url, 'acme'), await makeWorld(two.url, 'other')];
    const basic = ({ clientId, clientSecret }: typeof acme.credentials) => `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    const as = (authorization: string) => (url: string, method: string, path: string, world?: string, body?: unknown) =>
      call(url, method, `/_sandbox${path}`, {
        headers: { authorization, ...(world === undefined ? {} : { 'x-sandbox-world': world }) },
        ...(body === undefined ? {} : { body }),
      });
    const partner = as(basic(acme.credentials));
    for (const { url } of [one, two]) {
      expect((await partner(url, 'GET', '/worlds')).body.data).toMatchObject([{ name: 'acme', credentials: acme.credentials }]);
      expect((await partner(url, 'GET', '/worlds/acme')).body).toMatchObject({ name: 'acme' });
      expect((await partner(url, 'GET', '/operations')).status).toBe(200);
      expect((await partner(url, 'GET', '/inbox/orders/messages')).body).toMatchObject({ data: [] });
      const unknown = await partner(url, 'POST', `/listeners/mine/attempts/${randomUUID()}/response`, undefined, { status: 200 });
      expect(unknown.body).toMatchObject({ code: 'RESOURCE_NOT_FOUND', details: { parameters: { listener: 'mine' } } });
      expect((await partner(url, 'PUT', '/clock', 'acme', { mode: 'FROZEN' })).status).toBe(200);
      expect((await partner(url, 'POST', '/reset', 'acme')).status).toBe(200);
      expect((await partner(url, 'GET', '/report')).body.worlds).toMatchObject([{ name: 'acme' }]);
      const refused = [
        await partner(url, 'GET', '/worlds/other'),
        await partner(url, 'GET', '/worlds/nobody'),
        await partner(url, 'GET', '/operations', 'other'),
        await partner(url, 'GET', '/operations?world=other'),
        await partner(url, 'PUT', '/worlds/other', undefined, {}),
        await partner(url, 'POST', '/worlds', undefined, { name: 'mine' }),
        await partner(url, 'PUT', '/worlds/acme', undefined, {}),
        await partner(url, 'DELETE', '/worlds/acme'),
        await partner(url, 'GET', '/requests?unattributed=true'),
        await as(basic({ ...acme.credentials, clientSecret: other.credentials.clientSecret }))(url, 'GET', '/operations'),
        await as(basic({ clientId: 'client-nobody', clientSecret: 'x' }))(url, 'GET', '/operations'),
      ];
      expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
        ...Array<string>(5).fill('404 RESOURCE_NOT_FOUND'),
        ...Array<string>(4).fill('403 NOT_PERMITTED'),
        ...Array<string>(2).fill('401 INVALID_CREDENTIALS'),
      ]);
      expect(refused.flatMap(({ headers }) => headers.get('www-authenticate') ?? []).filter((each) => /basic/i.test(each))).toEqual([]);
      const texts = refused.map(({ text }) => text.replaceAll(/"name":"other"|with name other/g, '')).join();
      expect(texts).not.toContain('other');
    }
    expect((await connectStatus(two.url, acme.credentials)).status).toBe(200);
    const record = await partner(two.url, 'GET', '/requests');
    expect(record.body.data.length).toBeGreaterThan(0);
    for (const { id } of record.body.data) {
      const { text } = await partner(two.url, 'GET', `/requests/${id}`);
      expect(text).not.toMatch(/x-sandbox-hop|x-sandbox-plane/);
    }
  });

  it('report owned worlds and forwarded requests to Prometheus', async () => {
    const [one, two] = [await node(), await node()];
    await clientAt(two.url, await makeWorld(one.url, 'acme'));
    await control(one.url, 'POST', '/reset', { world: 'acme' });
    const metricsOf = async ({ url }: RunningServer) =>
      Object.fromEntries((await (await fetch(`${url}/metrics`)).text()).split('\n').map((line) => line.split(' ') as [string, string]));
    await control(one.url, 'PUT', '/clock', { world: 'acme', body: { mode: 'FROZEN' } });
    expect(await metricsOf(one)).toMatchObject({
      sandbox_worlds_owned: '1',
      sandbox_forwarded_requests_total: '0',
      sandbox_storage_read_only: '0',
    });
    expect(await metricsOf(two)).toMatchObject({
      sandbox_worlds_owned: '0',
      sandbox_forwarded_requests_total: '2',
      sandbox_worlds_taken_total: '0',
    });
    expect(Number((await metricsOf(one))['sandbox_append_duration_seconds_count'])).toBeGreaterThan(0);
    const shown = await (await fetch(`${one.url}/metrics`)).text();
    const drawn = readFileSync(join(root, 'docs/recipes/grafana.json'), 'utf8').match(/\bsandbox_\w+/g)!;
    expect(drawn.filter((each) => !new RegExp(`^# TYPE ${each.replace(/_bucket$/, '')} `, 'm').test(shown))).toEqual([]);
    await stop(one);
    await control(two.url, 'GET', '/clock', { world: 'acme' });
    expect(await metricsOf(two)).toMatchObject({
      sandbox_worlds_owned: '1',
      sandbox_worlds_taken_total: '1',
      sandbox_worlds_lost_total: '0',
    });
  });

  it('acquire the world of a stopped node at the next request', async () => {
    const { one, two, api, quote, key, made } = await quoteThroughOther();
    await stop(one);
    const again = await api('POST', '/api/quotes', quote, key);
    expect([again.status, again.text, again.headers.get('x-idempotent-replay')]).toEqual([201, made.text, 'true']);
    expect(two.sandbox.worlds.size).toBe(1);
  });

  it('show a new client secret in the list at once, and accept it on the next owner', async () => {
    const [one, two] = [await node(), await node()];
    const { credentials } = await makeWorld(one.url, 'acme');
    const { body: rotated } = await control(two.url, 'POST', '/worlds/acme/credentials', { body: {} });
    const { clientId, clientSecret } = rotated;
    for (const { url } of nodes) {
      expect((await control(url, 'GET', '/worlds')).body.data).toMatchObject([{ credentials: { clientId, clientSecret } }]);
    }
    await stop(one);
    const statuses = [credentials, { clientId, clientSecret }].map(async (each) => (await connectStatus(two.url, each)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200]);
  });

  it.each(['keep', 'replace'])('create a world once for PUT with ifExists=%s at both at the same time', async (ifExists) => {
    const [one, two] = [await node(), await node()];
    const put = async ({ url }: RunningServer): Promise<number> => {
      const { status } = await control(url, 'PUT', `/worlds/acme?ifExists=${ifExists}`, { body: {} });
      return status === 503 ? put({ url } as RunningServer) : status; // Retry-After: the other node creates the world.
    };
    expect((await Promise.all([one, two].map(put))).toSorted((a, b) => a - b)).toEqual([200, 201]);
    expect((await control(one.url, 'PUT', '/worlds/acme', { body: {} })).status).toBe(409);
  });

  it('share an audit log, which shows the address of the client on any node', async () => {
    const [one, two] = [await node(), await node()];
    await makeWorld(one.url, 'acme');
    await control(two.url, 'PUT', '/settings', { world: 'acme', body: {} });
    const entries = async () => (await control(two.url, 'GET', '/audit?worldName=acme')).body.data;
    await expect.poll(async () => (await entries()).length).toBe(2);
    expect(await entries()).toMatchObject([
      { operationId: 'putSettings', caller: 'OPERATOR', from: expect.stringContaining('127.0.0.1') },
      { operationId: 'createWorld', world: 'acme' },
    ]);
  });

  it('list worlds with the node, the use and the verdict of each, and find them by these', async () => {
    const [one, two] = [await node('--node-url=http://127.0.0.1:1'), await node('--node-url=http://127.0.0.1:2')];
    for (const name of ['a%', 'a_b', 'acme', 'b'].map((each) => each.replace(/[%_]/, '-'))) await makeWorld(one.url, name);
    const { api, quote } = await clientAt(one.url, await makeWorld(one.url, 'used'));
    await one.sandbox.storeEvidence();
    const list = async (query: string) => {
      const { body } = await control(two.url, 'GET', `/worlds?limit=100&${query}`);
      return (body.data as { name: string; node: string | null; verdict: string; bytes: number | null }[]).map((each) => each);
    };
    expect(await list('name=use*')).toMatchObject([
      { name: 'used', node: 'http://127.0.0.1:1', verdict: 'PASSED', bytes: expect.any(Number), lastUsedAt: expect.any(String) },
    ]);
    expect((await list('verdict=PASSED')).map(({ name }) => name)).toEqual(['used']);
    expect((await list('name=a_*')).map(({ name }) => name)).toEqual([]);
    expect((await list('node=http://127.0.0.1:2')).map(({ name }) => name)).toEqual([]);
    expect(await list(`unusedSince=${new Date(0).toISOString()}`)).toEqual([]);
    // The verdict has changed since it was stored.
    await api('POST', '/api/quotes', { ...quote, sourceAmount: 10 });
    expect((await control(one.url, 'GET', '/worlds?limit=100&verdict=PASSED')).body.data).toEqual([]);
    await stop(one);
    expect((await list('name=acme'))[0]).toMatchObject({ node: null, verdict: 'INCONCLUSIVE', bytes: expect.any(Number) });
  });

  it('delete a world after its time to live, which a request through another node extends', async () => {
    const [one, two] = [await node(), await node()];
    await makeWorld(one.url, 'brief', { ttl: '1s' });
    expect((await control(two.url, 'GET', '/clock', { world: 'brief' })).status).toBe(200);
    await expect.poll(async () => (await control(two.url, 'GET', '/worlds')).body.data).toEqual([]);
    expect(one.sandbox.worlds.size).toBe(0);
  });

  it('release an idle world, and acquire it when a timer is due', async () => {
    const hooks = await startReceiver();
    const { url, sandbox } = await node('--world-idle=1s');
    const world = await makeWorld(url, 'acme', { clock: { mode: 'FROZEN' } });
    const { api } = await clientAt(url, world);
    await api('POST', '/api/subscriptions', { url: hooks.url, includeAll: true });
    const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
    const { body: quote } = await api('POST', '/api/quotes', {
      accountId: accounts.data[0].id,
      sourceAsset: 'BRL',
      targetAsset: 'BRL',
      sourceAmount: '10.00',
    });
    const { body: beneficiaries } = await control(url, 'GET', '/beneficiaries?sortOrder=ASCENDING', { world: 'acme' });
    const [approved] = beneficiaries.data;
    const instruction = { type: 'REFERENCE', id: approved.paymentInstructions[0].id };
    const made = await api('POST', '/api/operations/withdrawal', {
      accountId: accounts.data[0].id,
      quoteId: quote.id,
      beneficiary: { type: 'REFERENCE', id: approved.id, paymentInstruction: instruction },
    });
    expect(made.status, made.text).toBe(201);
    await expect.poll(() => sandbox.worlds.size).toBe(0);
    // The node releases the world before the database shows it as released.
    await expect.poll(() => stored('acme')).toMatchObject({ owner: null, next_due_at: null });
    const asleep = await stored('acme');
    expect(asleep['base_sequence']).toBe(asleep['sequence']);

    // Recorded requests are only in memory, and lost by the release, so verification cannot prove that there was no request.
    const verified = await control(url, 'POST', '/requests/verify', {
      world: 'acme',
      body: { match: { operationId: 'createWithdrawal' }, count: 0 },
    });
    expect(verified.body).toMatchObject({ code: 'VERIFICATION_FAILED', details: { reason: 'INCONCLUSIVE', record: { complete: false } } });

    await control(url, 'PUT', '/clock', { world: 'acme', body: { mode: 'RUNNING' } });
    await expect.poll(() => hooks.received.map(({ headers }) => headers['x-event-type'])).toContain('OPERATION_COMPLETED');
    await hooks.close();
  });

  it('acquire the world of a stopped node when a timer of the world is due', async () => {
    const hooks = await startReceiver();
    const one = await node();
    const world = await makeWorld(one.url, 'acme');
    const { api, quote } = await clientAt(one.url, world);
    await api('POST', '/api/subscriptions', { url: hooks.url, includeAll: true });
    await api('POST', '/api/quotes', quote);
    await stop(one);
    await cluster.server.query(`UPDATE worlds SET next_due_at = now() - interval '1 second'`, cluster.database);
    const two = await node();
    await expect.poll(() => two.sandbox.worlds.size).toBe(1);
    await hooks.close();
  });

  it('serve reads and reject writes while the database is down, and lose no stored change', { timeout: 60_000 }, async () => {
    const [one, two] = [await node(), await node()];
    const world = await makeWorld(one.url, 'acme');
    const { api, quote } = await clientAt(two.url, world);
    const key = randomUUID();
    expect((await api('POST', '/api/quotes', quote, key)).status).toBe(201);
    await cluster.server.crash();
    const refused = await api('POST', '/api/quotes', quote);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    const unfound = await connectStatus(two.url, { clientId: 'client-unknown', clientSecret: 'x' });
    expect([unfound.status, unfound.headers.get('x-service-version')]).toEqual([503, '1']);
    expect((await api('GET', '/api/accounts')).status).toBe(200);
    await expect.poll(async () => (await call(one.url, 'GET', '/_sandbox/health/ready')).status).toBe(503);
    expect((await call(one.url, 'GET', '/_sandbox/health/live')).status).toBe(200);
    await cluster.server.launch();
    await expect.poll(async () => (await api('POST', '/api/quotes', quote)).status, { timeout: 15_000 }).toBe(201);
    expect((await api('POST', '/api/quotes', quote, key)).headers.get('x-idempotent-replay')).toBe('true');
    await expect.poll(async () => (await call(one.url, 'GET', '/_sandbox/health/ready')).status).toBe(200);
  });

  it('reject a request, even a read, for a world that they no longer own, and then forward requests', async () => {
    const [one, two] = [await node(), await node()];
    const world = await makeWorld(one.url, 'acme');
    const { api, quote } = await clientAt(one.url, world);
    expect((await api('POST', '/api/quotes', quote)).status).toBe(201);
    const other = await connect(two.url, world.credentials);
    let newestId: unknown;
    // A node on a busy machine may renew its lease before the other node finds that it has ended.
    await expect
      .poll(async () => {
        await cluster.server.query(`UPDATE nodes SET lease_until = now() - interval '1 second' WHERE url = '${one.url}'`, cluster.database);
        newestId = (await other('POST', '/api/quotes', quote)).body.id;
        return two.sandbox.worlds.size;
      })
      .toBe(1);
    // The first node notices the loss at its next commit, or when it renews its lease. It forwards later requests to the second node.
    const late = await api('POST', '/api/quotes', quote);
    expect([201, 503]).toContain(late.status);
    if (late.status === 201) newestId = late.body.id;
    const newest = () => control(two.url, 'GET', '/quotes?sortOrder=DESCENDING&limit=1', { world: 'acme' });
    await expect.poll(async () => (await newest()).body.data?.[0]?.id).toBe(newestId);
    expect((await api('POST', '/api/quotes', quote)).status).toBe(201);
    expect([one.sandbox.worlds.size, two.sandbox.worlds.size]).toEqual([0, 1]);
  });
});
