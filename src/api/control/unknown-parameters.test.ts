import { expect, it } from 'vitest';
import { controlRoutes } from '../../contract/control/routes.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

it.each([
  ['/operations?limt=3', 'limt', 'limit'],
  ['/inbox/orders/messages?cursr=x&limit=3', 'cursr', 'cursor'],
  ['/clock?wrld=default', 'wrld', undefined],
])('%s is rejected for an unknown parameter', async (path, name, nearest) => {
  const { status, body } = await harness.control('GET', path);
  expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
  expect(body.details.errors).toMatchObject([{ code: 'UNKNOWN_FIELD', field: `query:${name}`, params: nearest ? { nearest } : {} }]);
  expect(body.message).toContain(`${name}: unknown parameter`);
});

it.each(controlRoutes.filter(({ method, access }) => method === 'get' && access === undefined))(
  'GET $path rejects undocumented parameters, except `world`',
  async ({ path }) => {
    const at = path
      .slice('/_sandbox'.length)
      .replace('{worldName}', 'default')
      .replaceAll(/\{\w+\}/g, '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417');
    const named = await harness.control('GET', `${at}?world=default&a=b`, undefined, '');
    expect([named.status, named.body.details.errors]).toMatchObject([
      400,
      expect.arrayContaining([expect.objectContaining({ field: 'query:a' })]),
    ]);
  },
);
