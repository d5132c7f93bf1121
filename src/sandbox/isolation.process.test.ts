import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pixBeneficiary } from '../testing/withdrawals.js';
import { SandboxProcess, call, connect, startReceiver } from '../testing/process.js';

let server: SandboxProcess;
beforeAll(async () => void (server = await SandboxProcess.start(['--data', 'memory'])));
afterAll(async () => void (await server.end('SIGTERM')));

describe('isolation by credential', () => {
  // §5-identity
  it('separates resources, events and clock of two worlds with 20 parallel clients', async () => {
    const worlds = await Promise.all(
      ['left', 'right'].map(async (name, index) => {
        const clock = { mode: 'FROZEN', now: `2027-01-0${index + 1}T00:00:00Z` };
        const { body } = await call(server.url, 'POST', '/_sandbox/worlds', { body: { name, clock } });
        const ids: string[] = [];
        const customerId = body.customerId as string;
        const credentials = body.credentials as { clientId: string; clientSecret: string };
        return { name, customerId, credentials, ids, hooks: await startReceiver() };
      }),
    );
    await Promise.all(
      worlds.map(async (world) => {
        const api = await connect(server.url, world.credentials);
        expect((await api('POST', '/api/subscriptions', { url: world.hooks.url, includeAll: true })).status).toBe(201);
      }),
    );
    await Promise.all(
      Array.from({ length: 20 }, async (_each, index) => {
        const world = worlds[index % 2]!;
        const api = await connect(server.url, world.credentials);
        for (let round = 0; round < 5; round += 1) {
          const created = await api('POST', '/api/beneficiaries', pixBeneficiary({ firstName: world.name }));
          expect(created.status).toBe(201);
          expect(created.body.customerId).toBe(world.customerId);
          world.ids.push(created.body.id);
        }
      }),
    );
    await call(server.url, 'POST', '/_sandbox/clock/advance', { body: { by: 'PT1M' }, headers: { 'x-sandbox-world': 'left' } });

    const [left, right] = worlds as [(typeof worlds)[0], (typeof worlds)[0]];
    for (const [own, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const api = await connect(server.url, own.credentials);
      const statuses = await Promise.all(other.ids.map(async (id) => (await api('GET', `/api/beneficiaries/${id}`)).status));
      expect(new Set(statuses)).toEqual(new Set([404]));
      const mine = await Promise.all(own.ids.map((id) => api('GET', `/api/beneficiaries/${id}`)));
      expect(new Set(mine.map((each) => each.body.status))).toEqual(new Set([own === left ? 'APPROVED' : 'PENDING_REVIEW']));
      const heard = own.hooks.received.map((each) => JSON.parse(each.body));
      expect(new Set(heard.map((each) => each.customerId))).toEqual(new Set([own.customerId]));
    }
    expect(left.hooks.received).toHaveLength(100);
    await call(server.url, 'POST', '/_sandbox/clock/advance', { body: { by: 'PT0S' }, headers: { 'x-sandbox-world': 'right' } });
    expect(right.hooks.received).toHaveLength(50);
    const clocks = await Promise.all(
      worlds.map(({ name }) => call(server.url, 'GET', '/_sandbox/clock', { headers: { 'x-sandbox-world': name } })),
    );
    expect(clocks.map((each) => each.body.now)).toEqual(['2027-01-01T00:01:00.000Z', '2027-01-02T00:00:00.000Z']);
    await Promise.all(worlds.map(({ hooks }) => hooks.close()));
  });

  it('rejects the token of a deleted world, even after a world with this name is created again', async () => {
    const { body } = await call(server.url, 'POST', '/_sandbox/worlds', { body: { name: 'short-lived' } });
    const api = await connect(server.url, body.credentials);
    expect((await api('GET', '/api/accounts')).status).toBe(200);
    expect((await call(server.url, 'DELETE', '/_sandbox/worlds/short-lived')).status).toBe(204);
    expect((await api('GET', '/api/accounts')).body.code).toBe('INVALID_ACCESS_TOKEN');
    const again = await call(server.url, 'POST', '/_sandbox/worlds', { body: { name: 'short-lived' } });
    expect(again.body).toEqual(body);
    expect((await api('GET', '/api/accounts')).body.code).toBe('INVALID_ACCESS_TOKEN');
  });
});
