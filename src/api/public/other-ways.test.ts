import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { otherWays } from './other-ways.js';

const harness = useHarness();
const calls = otherWays.flatMap((way) =>
  way.methods.filter((method) => method !== 'HEAD').map((method) => [method, way.path, way.instead] as const),
);

// §D1-other-ways
it.each(calls)('%s %s is rejected, and the error names the equivalent request', async (method, template, instead) => {
  const ids: Record<string, string> = {};
  const path = template.replaceAll(/\{\w+\}/g, (name) => (ids[name] ??= randomUUID()));
  const { status, body } = await harness.api(method, path, method === 'GET' ? {} : { body: {} });
  const expected = Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(name, id), instead);
  expect([404, 405]).toContain(status);
  expect(body.code).toBe(status === 404 ? 'ROUTE_NOT_FOUND' : 'METHOD_NOT_ALLOWED');
  expect(body.message.endsWith(` ${expected}`)).toBe(true);
  expect(body.details).toMatchObject({ method, path, instead: expected });
});

it('errors suggest only requests that exist', () => {
  const served = harness.routes.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  for (const { instead } of otherWays)
    for (const [, method, path] of instead.matchAll(/\b(GET|POST|PATCH|DELETE) (\/[\w/{}]*\w\}?)/g))
      expect(served, instead).toContain(`${method} ${path!.replaceAll(/\{\w+\}/g, '{}')}`);
});

// §D1-wrong-method
it.each(['withdrawal', 'transfer', 'swap', 'deposit'])('GET and HEAD /api/operations/%s return 405, not an operation', async (kind) => {
  for (const method of ['GET', 'HEAD', 'PATCH']) {
    const answer = await harness.api(method, `/api/operations/${kind}`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  }
  expect((await harness.api('GET', `/api/operations/${kind}`)).body.code).toBe('METHOD_NOT_ALLOWED');
});

// §D1-other-ways
it.each([
  ['GET', '/accounts', 'GET /api/accounts'],
  ['GET', '/api/v1/accounts', 'GET /api/accounts'],
  ['POST', '/v2/quotes', 'POST /api/quotes'],
  ['POST', '/operations/withdrawl', 'POST /api/operations/withdrawal'],
  ['GET', '/clock', undefined],
  ['GET', '/api/acounts', 'GET /api/accounts'],
])('the error for %s %s has the suggestion %s', async (method, path, similar) => {
  const { status, body } = await harness.api(method, path);
  expect([status, body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  expect(body.details.similar).toBe(similar);
});
