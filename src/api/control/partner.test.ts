import { beforeAll, describe, expect, it } from 'vitest';
import { controlRoutes } from '../../contract/control/routes.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness({ isHosted: true, controlToken: 'operator-token' });
const guarded = controlRoutes.filter(({ access }) => access === undefined);
const others = ['other', 'nobody'];
let partner: Record<string, string>;

beforeAll(async () => {
  for (const name of ['own', 'other']) await harness.sandbox.createWorld({ name });
  const { clientId, clientSecret } = harness.sandbox.world('own').identity;
  partner = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
});

/** Replaces the parameters of a path: the world by `name`, all others by an id. */
const pathWith = (path: string, name: string) =>
  path
    .slice('/_sandbox'.length)
    .replace('{worldName}', name)
    .replaceAll(/\{\w+\}/g, '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417');

/** Calls a route as a partner. @param world '' to name no world */
const call = (method: string, path: string, world: string) => harness.control(method.toUpperCase(), path, undefined, world, partner);

describe('the credentials of a world', () => {
  it.each(guarded)('do not permit $operationId for a foreign world, which appears not to exist', async ({ method, path, world }) => {
    for (const name of others) {
      const answers = [
        await call(method, pathWith(path, 'own'), name),
        await call(method, `${pathWith(path, 'own')}?world=${name}`, ''),
        await call(method, `${pathWith(path, 'own')}?world=own&world=${name}`, ''),
        ...(world === 'path' ? [await call(method, pathWith(path, name), '')] : []),
      ];
      const details = { resource: 'World', parameters: { name }, help: '/docs/guides/errors#RESOURCE_NOT_FOUND' };
      for (const { status, body } of answers) expect([status, body.code, body.details]).toEqual([404, 'RESOURCE_NOT_FOUND', details]);
    }
  });

  const beyond = new Set(['createWorld', 'putWorld', 'deleteWorld', 'saveScenario', 'listAudit']);
  it.each(guarded.filter(({ world }) => world !== undefined))(
    'permit $operationId for the own world, unless it changes the list of worlds or scenarios, or reads the audit log',
    async (route) => {
      const { status, body } = await call(route.method, pathWith(route.path, 'own'), '');
      if (beyond.has(route.operationId)) expect([status, body.code]).toEqual([403, 'NOT_PERMITTED']);
      else expect([401, 403]).not.toContain(status);
    },
  );

  it('give no access to unattributed requests, not even by id', async () => {
    const { headers } = await harness.api('GET', '/api/accounts', { headers: { authorization: 'Bearer of nobody' } });
    const path = `/requests/${headers.get('x-request-id')}`;
    const { status, body } = await harness.control('GET', path, undefined, '', partner);
    expect([status, body.code, body.details.resource]).toEqual([404, 'RESOURCE_NOT_FOUND', 'Request']);
    const operator = await harness.control('GET', path, undefined, 'own', { authorization: 'Bearer operator-token' });
    expect([operator.status, operator.body.world]).toEqual([200, null]);
  });

  it('permit a report, limited to the own world', async () => {
    const astray = await harness.api('GET', '/api/accounts', { headers: { authorization: 'Bearer of nobody' } });
    expect(astray.status).toBe(401);
    for (const [method, path] of [
      ['GET', '/report'],
      ['POST', '/report'],
      ['GET', '/report?world=own'],
    ] as const) {
      const body =
        method === 'POST'
          ? {
              profile: 'own',
              summary: 'Lists accounts.',
              contract: '1',
              require: [{ id: 'A-01', title: 'Accounts are listed', covered: { operation: 'listAccounts', code: 'ok' } }],
            }
          : undefined;
      const { status, body: report } = await harness.control(method, path, body, '', partner);
      expect(status, JSON.stringify(report)).toBe(200);
      expect([report.worlds.map(({ name }: { name: string }) => name), report.unattributed]).toEqual([['own'], 0]);
    }
  });
});
