import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventSchemas } from '../../contract/public/events.js';
import { publicRoutes } from '../../contract/public/routes.js';
import type { Version } from '../../contract/versions/version.js';
import { version1 } from '../../contract/versions/v1/version.js';
import { isGenuine } from '../../domain/webhooks/signature.js';
import { startServer } from '../../server/server.js';
import { readSettings } from '../../server/options.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';
import type { AttemptRecord, RequestRecord } from '../../exchange/exchange.js';

type Fields = Record<string, unknown>;

/**
 * An older API version, only for these tests. Its quotes have another path, name the account `account`, and have numbers as amounts.
 * Its errors have no details, its lists have a `pageSize`, its webhooks have an `at`, and there are no reports.
 */
const old: Version = {
  name: '0',
  routes: publicRoutes
    .filter(({ operationId }) => operationId !== 'getReport')
    .map((route) => (route.operationId === 'createQuote' ? { ...route, path: '/api/prices' } : route)),
  events: eventSchemas,
  queryIn: (operationId, query) =>
    operationId === 'listAccounts' ? query.map(([name, value]) => [name === 'pageSize' ? 'limit' : name, value]) : query,
  requestIn: (operationId, body) => {
    if (operationId !== 'createQuote') return body;
    const { account, sourceAmount, ...others } = body as Fields;
    return { ...others, accountId: account, sourceAmount: typeof sourceAmount === 'number' ? sourceAmount.toFixed(2) : sourceAmount };
  },
  responseOut: (operationId, body) => {
    if ('code' in (body as Fields)) return { error: (body as Fields)['code'] };
    if (operationId !== 'createQuote') return body;
    const { expiresAt, sourceAmount, ...others } = body as Fields & { expiresAt: string; sourceAmount: { value: string } };
    return { ...others, validUntil: Date.parse(expiresAt), sourceAmount: Number(sourceAmount.value) };
  },
  eventOut: (_eventType, body) => {
    const { atTime, ...others } = body as Fields;
    return { ...others, at: atTime };
  },
};
const observed: RequestRecord[] = [];
const attempted: AttemptRecord[] = [];
const harness = useHarness({
  versions: [version1, old],
  observers: [{ responded: (_world, seen) => void observed.push(seen), attempt: (_world, seen) => void attempted.push(seen) }],
});

describe('an API version', () => {
  const oldHeaders = { 'x-service-version': '0' };
  const call = (body: unknown, headers: Record<string, string>, key: string = randomUUID(), world = 'default') =>
    harness.api('POST', headers === oldHeaders ? '/api/prices' : '/api/quotes', { key, body, headers }, world);

  // §9-changes
  it('can rename fields and change types in requests and responses', async () => {
    const { accountId } = fixtureIds(harness);
    const answer = await call({ account: accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 12.5 }, oldHeaders);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-service-version')).toBe('0');
    expect(answer.body).toMatchObject({ sourceAmount: 12.5, targetAmount: { value: '12.50' }, validUntil: harness.realMs + 30_000 });
    expect(answer.body).not.toHaveProperty('expiresAt');
  });

  // §9-changes
  it('converts errors too: of validation, of a business rule, and of a replay', async () => {
    const asked = { account: randomUUID(), sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 1 };
    expect((await call({}, oldHeaders)).body).toEqual({ error: 'INVALID_DATA' });
    expect((await call(asked, oldHeaders)).body).toEqual({ error: 'RESOURCE_NOT_FOUND' });
    const replayed = randomUUID();
    await call(asked, oldHeaders, replayed);
    const again = await call(asked, oldHeaders, replayed);
    expect([again.body, again.headers.get('x-idempotent-replay')]).toEqual([{ error: 'RESOURCE_NOT_FOUND' }, 'true']);
  });

  it('replays responses in its own format', async () => {
    const { accountId } = fixtureIds(harness);
    const key = randomUUID();
    const body = { account: accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 3 };
    const first = await call(body, oldHeaders, key);
    expect((await call(body, oldHeaders, key)).body).toEqual(first.body);
  });

  // §D3-fingerprint
  it('is part of the fingerprint that an idempotency key stores', async () => {
    const { accountId } = fixtureIds(harness);
    const key = randomUUID();
    const body = { account: accountId, accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '3.00' };
    expect((await call(body, {}, key)).status).toBe(201);
    expect((await call(body, oldHeaders, key)).body).toEqual({ error: 'IDEMPOTENCY_CONFLICT' });
    expect((await call(body, { 'x-service-version': 'unknown' }, key)).headers.get('x-idempotent-replay')).toBe('true');
  });

  // §9-header §9-default §D4-header
  it.each([
    ['missing', undefined, '1'],
    ['blank', ' ', '1'],
    ['unknown', '99', '1'],
    ['the default', '1', '1'],
    ['an older version', '0', '0'],
  ])('is selected by an X-Service-Version header that is %s', async (_name, header, served) => {
    const answer = await harness.api('GET', '/api/accounts', header === undefined ? {} : { headers: { 'x-service-version': header } });
    expect([answer.status, answer.headers.get('x-service-version')]).toEqual([200, served]);
  });

  // §9-changes
  it('can rename query parameters', async () => {
    const listed = async (query: string, headers: Record<string, string>) =>
      (await harness.api('GET', `/api/accounts?${query}`, { headers })).body.data.length;
    expect(await listed('', {})).toBeGreaterThan(1);
    expect(await listed('pageSize=1', oldHeaders)).toBe(1);
    expect(await listed('pageSize=1', {})).toBeGreaterThan(1);
    const { status } = await harness.api('GET', '/api/accounts?pageSize=x', { headers: oldHeaders });
    expect(status).toBe(400);
  });

  // §9-changes
  it('can have its own paths and operations', async () => {
    const statusOf = async (method: string, path: string, headers: Record<string, string>) =>
      (await harness.api(method, path, { headers, ...(method === 'POST' ? { body: {} } : {}) })).status;
    expect(await statusOf('POST', '/api/prices', oldHeaders)).toBe(400);
    expect(await statusOf('POST', '/api/prices', {})).toBe(404);
    expect(await statusOf('POST', '/api/quotes', oldHeaders)).toBe(404);
    expect(await statusOf('GET', '/api/reports', oldHeaders)).toBe(404);
    expect(await statusOf('GET', '/api/reports', {})).toBe(400);
  });

  it('has its own OpenAPI document', async () => {
    const of = async (headers: Record<string, string>) => (await harness.api('GET', '/openapi.json', { headers })).body;
    const [newest, older] = [await of({}), await of(oldHeaders)];
    expect([newest.info.version, older.info.version]).toEqual(['1', '0']);
    expect([Object.keys(newest.paths), Object.keys(older.paths)]).toEqual([
      expect.arrayContaining(['/api/quotes', '/api/reports']),
      expect.not.arrayContaining(['/api/quotes', '/api/reports']),
    ]);
    expect(older.paths).toHaveProperty(['/api/prices', 'post', 'operationId'], 'createQuote');
  });

  it('formats and signs the webhooks of subscriptions that it created', async () => {
    const world = await harness.world('version-webhooks');
    const subscribe = (path: string, headers: Record<string, string>) =>
      harness.api('POST', '/api/subscriptions', { body: { url: `https://hooks.example.com/${path}`, includeAll: true }, headers }, world);
    const { body: made } = await subscribe('old', oldHeaders);
    expect(made).not.toHaveProperty('version');
    await subscribe('new', {});
    await withdraw(harness, world);
    await harness.quiet(world);
    const bodyAt = (path: string) => harness.attempts.find(({ url }) => url.endsWith(`/${path}`))!;
    const [older, newer] = [bodyAt('old'), bodyAt('new')];
    expect(Object.keys(JSON.parse(older.body) as Fields)).toEqual(expect.arrayContaining(['at']));
    expect(Object.keys(JSON.parse(newer.body) as Fields)).toEqual(expect.arrayContaining(['atTime']));
    const { identity } = harness.sandbox.world(world);
    const timestamp = Number(older.headers['webhook-timestamp']);
    expect(isGenuine(older.headers, Buffer.from(older.body), identity, timestamp)).toBe(true);
    const seen = attempted.find(({ url }) => url.endsWith('/old'))!;
    expect([Object.keys(JSON.parse(seen.body) as Fields), seen.sent]).toEqual([expect.arrayContaining(['atTime']), older.body]);
  });

  it('is hidden from observers, which see requests and responses in the newest version', async () => {
    const world = await harness.world('version-observers');
    const { accountId } = fixtureIds(harness, world);
    const asked = { account: accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 2 };
    const { body: answered } = await call(asked, oldHeaders, randomUUID(), world);
    const seen = observed.findLast(({ operationId }) => operationId === 'createQuote')!;
    expect(seen.body?.value).toMatchObject({ accountId, sourceAmount: '2.00' });
    expect(JSON.parse(seen.body!.text)).toEqual(asked);
    expect(seen.response.value).toMatchObject({ expiresAt: expect.any(String), sourceAmount: { value: '2.00' } });
    expect(JSON.parse(seen.response.body!)).toEqual(answered);
    expect(seen.unknown).toEqual([]);
    await harness.api('GET', '/api/accounts?pageSize=1', { headers: oldHeaders }, world);
    const list = observed.findLast(({ operationId }) => operationId === 'listAccounts')!;
    expect([list.query, list.unknown, list.target]).toEqual([[['limit', '1']], [], '/api/accounts?pageSize=1']);
    expect((await harness.control('GET', '/findings', undefined, world)).body.data).toEqual([]);
  });
});

describe('the default API version', () => {
  const older = useHarness({ versions: [version1, old], defaultVersion: '0' });
  // §9-default
  it('is set by the operator', async () => {
    expect((await older.api('GET', '/api/accounts')).headers.get('x-service-version')).toBe('0');
    expect((await older.api('GET', '/api/accounts', { headers: { 'x-service-version': '1' } })).headers.get('x-service-version')).toBe('1');
  });

  // §D4-operator
  it('must exist', async () => {
    const settings = readSettings(['--port', '0', '--data', 'memory', '--default-version', '7', '--log-level', 'silent'], {});
    await expect(startServer(settings)).rejects.toThrow('There is no API version "7". Versions: 1.');
  });
});
