import { expect, it } from 'vitest';
import { useCluster } from '../../testing/cluster.js';
import { clientAt, control, makeWorld } from '../../testing/nodes.js';
import { describeWithPostgres } from '../../testing/postgres.js';
import { call } from '../../testing/process.js';

describeWithPostgres('receivers of shared worlds', () => {
  const cluster = useCluster();

  const arrived = async (url: string, world: string, inbox: string) =>
    (await control(url, 'GET', `/inbox/${inbox}/messages`, { world })).body.data as { body: string; headers: Record<string, string> }[];

  it('get the webhooks of a world that another node owns', async () => {
    const [one, two] = [await cluster.node(), await cluster.node()];
    await makeWorld(one.url, 'receiving');
    const { api, quote } = await clientAt(two.url, await makeWorld(two.url, 'sending'));
    expect([one.sandbox.worlds.has('receiving'), two.sandbox.worlds.has('receiving')]).toEqual([true, false]);
    const subscribe = async (world: string) => {
      const url = `${two.url}/_sandbox/inbox/in?world=${world}`;
      return (await api('POST', '/api/subscriptions', { url, includeAll: true })).body.id as string;
    };
    const [subscribed, astray] = [await subscribe('receiving'), await subscribe('nobody')];
    const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
    const [sourceAccountId, targetAccountId] = accounts.data.map(({ id }: { id: string }) => id);
    expect(quote.accountId).toBe(sourceAccountId);
    const made = await api('POST', '/api/operations/transfer', {
      sourceAccountId,
      targetAccountId,
      amount: { value: '1.00', asset: 'BRL' },
    });
    expect(made.status).toBe(201);
    await expect.poll(async () => (await arrived(two.url, 'receiving', 'in')).length).toBeGreaterThan(0);
    const [message] = await arrived(one.url, 'receiving', 'in');
    expect(JSON.parse(message!.body)).toMatchObject({ id: made.body.id });
    const statusesOf = async (subscription: string) => {
      const { body } = await control(two.url, 'GET', `/deliveries?filters=subscriptionId[eq]=${subscription}`, { world: 'sending' });
      const first = await control(two.url, 'GET', `/deliveries/${body.data[0].id}`, { world: 'sending' });
      return first.body.log.map(({ httpStatus }: { httpStatus: number }) => httpStatus);
    };
    await expect.poll(() => statusesOf(subscribed)).toEqual([200]);
    await expect.poll(() => statusesOf(astray)).toContain(404);

    // A node that has a webhook for the receiver can now acquire the world of the receiver.
    await cluster.stop(one);
    const amount = { value: '2.00', asset: 'BRL' };
    const { body: last } = await api('POST', '/api/operations/transfer', { sourceAccountId, targetAccountId, amount });
    await expect.poll(async () => (await arrived(two.url, 'receiving', 'in')).length).toBeGreaterThan(1);
    const bodies = (await arrived(two.url, 'receiving', 'in')).map((each) => JSON.parse(each.body));
    expect(bodies.map(({ id }) => id)).toContain(last.id);
    expect(two.sandbox.worlds.has('receiving')).toBe(true);
  });

  it('find the world of a message by its company id, and reveal no other world', async () => {
    const [one, two] = [await cluster.node(), await cluster.node()];
    await makeWorld(one.url, 'acme');
    const post = (url: string, companyId: string, query = '') =>
      call(url, 'POST', `/_sandbox/inbox/in${query}`, { body: { companyId }, headers: { 'x-company-id': companyId } });
    const { companyId } = one.sandbox.world('acme').identity;
    for (const { url } of [one, two]) expect((await post(url, companyId)).status).toBe(200);
    for (const kind of ['inbox', 'listeners']) {
      const { status, body } = await call(two.url, 'POST', `/_sandbox/${kind}/in`, { body: {} });
      expect([status, body.code, body.details]).toEqual([
        404,
        'RESOURCE_NOT_FOUND',
        { resource: 'World', parameters: {}, help: '/docs/guides/errors#RESOURCE_NOT_FOUND' },
      ]);
      expect(body.message).toContain(`?world=<name> to the URL /_sandbox/${kind}/…`);
      expect(body.message).toContain('X-Company-Id');
    }
    expect(two.sandbox.worlds.size).toBe(0);
    expect(await arrived(two.url, 'acme', 'in')).toHaveLength(2);
    for (const { url } of [one, two])
      for (const refused of [await post(url, 'somebody'), await post(url, 'somebody', '?world=acne')]) {
        expect(refused.status).toBe(404);
        expect(refused.text).not.toContain('acme');
      }
    await control(two.url, 'DELETE', '/worlds/acme');
    expect((await post(two.url, companyId)).status).toBe(404);
  });

  it('show a partner its messages on any node, without a world name in the request', async () => {
    const [one, two] = [await cluster.node(), await cluster.node()];
    const { credentials } = await makeWorld(one.url, 'acme');
    const headers = { authorization: `Basic ${btoa(`${credentials.clientId}:${credentials.clientSecret}`)}` };
    await call(two.url, 'POST', '/_sandbox/inbox/in?world=acme', { body: { a: 1 } });
    const list = await call(two.url, 'GET', '/_sandbox/inbox/in/messages', { headers });
    expect([list.status, list.body.data?.length]).toEqual([200, 1]);
    expect((await call(two.url, 'PUT', '/_sandbox/inbox/in/responses', { headers, body: [] })).status).toBe(200);
  });
});
