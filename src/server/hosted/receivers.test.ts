import { expect, it } from 'vitest';
import { useCluster } from '../../testing/cluster.js';
import { clientAt, control, makeWorld } from '../../testing/nodes.js';
import { describeWithPostgres } from '../../testing/postgres.js';
import { call } from '../../testing/process.js';

describeWithPostgres('receivers of shared worlds', () => {
  const cluster = useCluster();

  const arrived = async (url: string, world: string, inbox: string) =>
    (await control(url, 'GET', `/inbox/${inbox}/messages`, { world })).body.data as { body: string; headers: Record<string, string> }[];

  it('get webhooks only of their own world', async () => {
    const [one, two] = [await cluster.node(), await cluster.node()];
    await makeWorld(one.url, 'victim');
    const { api } = await clientAt(two.url, await makeWorld(two.url, 'sending'));
    const subscribe = (world: string) =>
      api('POST', '/api/subscriptions', { url: `${two.url}/_sandbox/inbox/in?world=${world}`, includeAll: true });
    const [refused, unknown] = [await subscribe('victim'), await subscribe('nobody')];
    expect([refused.status, refused.body.details.errors[0].code]).toEqual([400, 'URL_NOT_ALLOWED']);
    // The response does not say whether a world exists.
    expect(JSON.stringify(unknown.body.details).replaceAll('nobody', 'victim')).toBe(JSON.stringify(refused.body.details));
    expect((await subscribe('sending')).status).toBe(201);
    const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
    const [sourceAccountId, targetAccountId] = accounts.data.map(({ id }: { id: string }) => id);
    const amount = { value: '1.00', asset: 'BRL' };
    expect((await api('POST', '/api/operations/transfer', { sourceAccountId, targetAccountId, amount })).status).toBe(201);
    await expect.poll(async () => (await arrived(one.url, 'sending', 'in')).length).toBeGreaterThan(0);
    expect(await arrived(one.url, 'victim', 'in')).toEqual([]);
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
