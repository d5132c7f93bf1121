import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { controlRoutes } from '../../contract/control/routes.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

interface WithExample {
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly examples: { readonly success: { readonly value: unknown } } } };
  };
}
const contract = JSON.parse(readFileSync('openapi/control.json', 'utf8')) as { paths: Record<string, { put: WithExample }> };

/** The paths that have both, except the state, whose GET is the document that its PUT restores. */
const paths = controlRoutes
  .filter(({ method, path }) => method === 'put' && controlRoutes.some((each) => each.method === 'get' && each.path === path))
  .map(({ path }) => path)
  .filter((path) => path !== '/_sandbox/state');

it('has some paths', () => {
  expect(paths).toContain('/_sandbox/settings');
  expect(paths.length).toBeGreaterThan(4);
});

/** Requests that prepare the GET of a path. */
const made: Readonly<Record<string, unknown>> = {
  '/_sandbox/inbox/{inboxName}/responses': [{ status: 503, times: 2 }],
  '/_sandbox/settings': {
    spread: '0.01',
    rates: { 'BRL/USD': '0.2' },
    fees: [],
    delays: { OPERATION: '1s' },
    retry: { retries: 1, interval: '2s' },
  },
  '/_sandbox/clock': { mode: 'FROZEN' },
  '/_sandbox/exploration': contract.paths['/_sandbox/exploration']!.put.requestBody.content['application/json'].examples.success.value,
};

it.each(paths)('PUT %s accepts the response of the GET, and changes nothing', async (template) => {
  const world = await harness.world(`pair-${paths.indexOf(template)}`);
  const path = template.replace('/_sandbox', '').replace('{worldName}', world).replace('{inboxName}', 'in');
  const put = path === `/worlds/${world}` ? `${path}?ifExists=replace` : path; // Without `ifExists`, no existing world is changed.
  if (made[template]) expect((await harness.control('PUT', path, made[template], world)).status).toBe(200);
  const before = await harness.control('GET', path, undefined, world);
  expect(before.status).toBe(200);
  expect(await harness.control('PUT', put, before.body, world)).toMatchObject({ status: 200 });
  expect((await harness.control('GET', path, undefined, world)).body).toEqual(before.body);
});

it('PUT keeps an inline scenario whose name comes back', async () => {
  const world = await harness.world('kept');
  await harness.control('PUT', '/scenario', { inline: { rules: [] } }, world);
  const { body } = await harness.control('GET', '/scenario', undefined, world);
  expect(await harness.control('PUT', '/scenario', body, world)).toMatchObject({ status: 200, body });
});

it('PUT accepts the time that a running clock has shown, and no earlier one', async () => {
  const world = await harness.world('passed');
  const { body } = await harness.control('GET', '/clock', undefined, world);
  expect((await harness.control('PUT', '/clock', body, world)).status).toBe(200);
  const now = new Date(Date.parse(body.now) - 86_400_000).toISOString();
  expect((await harness.control('PUT', '/clock', { ...body, now }, world)).status).toBe(422);
});

it('PUT rejects other unknown fields', async () => {
  const { status, body } = await harness.control('PUT', '/settings', { usdValues: {}, usdValue: {} }, await harness.world('strict'));
  expect([status, body.details.errors.map(({ field }: { field: string }) => field)]).toEqual([400, ['body:usdValue']]);
});
