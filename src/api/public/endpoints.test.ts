import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestResponse } from '../../testing/calls.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';
import { companyRequest, createAccount, uboRequest } from '../../testing/onboarding.js';

const harness = useHarness();
const itemsOf = ({ status, body }: TestResponse) => {
  expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
  return body.details.errors.map((each: { field: string; code: string }) => `${each.field} ${each.code}`);
};

/** The endpoints of the specification, except the token request. */
const endpoints: readonly [method: string, path: string][] = [
  ['POST', '/api/accounts'],
  ['GET', '/api/accounts'],
  ['GET', '/api/accounts/{accountId}/fundingInstructions'],
  ['POST', '/api/accounts/{accountId}/ubos'],
  ['GET', '/api/accounts/{accountId}/ubos/{uboId}'],
  ['PATCH', '/api/accounts/{accountId}/ubos/{uboId}'],
  ['POST', '/api/documents'],
  ['POST', '/api/beneficiaries'],
  ['GET', '/api/beneficiaries/{beneficiaryId}'],
  ['POST', '/api/quotes'],
  ['POST', '/api/operations/withdrawal'],
  ['POST', '/api/operations/transfer'],
  ['POST', '/api/operations/swap'],
  ['POST', '/api/operations/deposit'],
  ['GET', '/api/operations/{operationId}'],
  ['POST', '/api/subscriptions'],
  ['GET', '/api/subscriptions'],
  ['GET', '/api/subscriptions/{subscriptionId}'],
  ['GET', '/api/subscriptions/{subscriptionId}/executionLogs'],
  ['GET', '/api/subscriptions/{subscriptionId}/executionLogs/{executionLogId}'],
  ['POST', '/api/subscriptions/{subscriptionId}/executionLogs/{executionLogId}/resend'],
  ['GET', '/api/reports'],
];
const writes = endpoints.filter(([method]) => method !== 'GET');
const withIds = endpoints.filter(([, path]) => path.includes('{'));

/** Ids of existing resources in the default world, by path parameter. */
const known: Record<string, string> = {};
/** Valid request bodies. */
const bodies: Record<string, unknown> = {};
const world = 'default';

beforeAll(async () => {
  const { id: accountId } = await createAccount(harness, world, companyRequest());
  const ubo = await harness.api('POST', `/api/accounts/${accountId}/ubos`, { body: uboRequest() });
  const beneficiary = await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() });
  const subscribed = { url: 'http://localhost:9000/', includeAll: true };
  const { body: subscription } = await harness.api('POST', '/api/subscriptions', { body: subscribed });
  const { id: operationId } = await withdraw(harness);
  await harness.quiet();
  const logs = await harness.api('GET', `/api/subscriptions/${subscription.id}/executionLogs`);
  Object.assign(known, {
    accountId,
    uboId: ubo.body.id,
    beneficiaryId: beneficiary.body.id,
    operationId,
    subscriptionId: subscription.id,
    executionLogId: logs.body.data[0].id,
  });
  bodies['POST /api/accounts/{accountId}/ubos'] = uboRequest();
  bodies['PATCH /api/accounts/{accountId}/ubos/{uboId}'] = { name: 'Somebody Else' };
});

const at = (path: string, ids: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? known[name]!);
const bodyOf = (method: string, path: string) => {
  const body = bodies[`${method} ${path}`];
  return body === undefined ? {} : { body };
};

describe('the payments API', () => {
  // §4-endpoints
  it('serves only the endpoints of the specification, the token request and the public keys', async () => {
    const { body: document } = await harness.api('GET', '/openapi.json');
    const served = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const listed = [
      ...endpoints.map(([method, path]) => `${method} ${path}`),
      'POST /api/oauth/client/token',
      'GET /.well-known/jwks.json',
    ];
    expect(served.toSorted()).toEqual(listed.toSorted());
    const { body: unknown } = await harness.api('GET', '/_sandbox/worlds');
    expect(unknown.code).toBe('ROUTE_NOT_FOUND');
    for (const path of ['/', '/health', '/api', '/api/', '/api/operations', '/api/documents', '/api/quotes/x']) {
      expect([404, 405]).toContain((await harness.api('GET', path)).status);
    }
  });

  // §4-authorization §7-unauthorized §D1-www-authenticate §5-bearer
  it.each(endpoints)('rejects %s %s without a token', async (method, path) => {
    const answer = await harness.api(method, at(path), { headers: { authorization: '' } });
    expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_ACCESS_TOKEN']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  // §4-idempotency-key §D1-missing-header §D1-key-form
  it.each(writes)('rejects %s %s without a UUID as idempotency key', async (method, path) => {
    const missing = await harness.api(method, at(path), { headers: { 'x-idempotency-key': '' }, body: 'not JSON' });
    expect([missing.status, missing.body.code]).toEqual([400, 'MISSING_REQUIRED_HEADER']);
    expect(missing.body.details).toEqual({ header: 'X-Idempotency-Key' });
    const wrong = await harness.api(method, at(path), { headers: { 'x-idempotency-key': '123' }, body: 'not JSON' });
    expect(itemsOf(wrong)).toEqual(['header:X-Idempotency-Key INVALID_UUID']);
  });

  // §0-ids
  it.each(withIds)('names each invalid id in %s %s, and accepts ids in upper case', async (method, path) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const bad = Object.fromEntries(names.map((name) => [name, `not-${name}`]));
    expect(itemsOf(await harness.api(method, at(path, bad), bodyOf(method, path)))).toEqual(
      names.map((name) => `path:${name} INVALID_UUID`),
    );
    const capitals = Object.fromEntries(names.map((name) => [name, known[name]!.toUpperCase()]));
    expect((await harness.api(method, at(path, capitals), bodyOf(method, path))).body?.code).not.toBe('RESOURCE_NOT_FOUND');
  });

  // §7-not-found §D1-resource-details §4.12-resend-unknown
  it.each(withIds)('returns 404 for an unknown id in %s %s', async (method, path) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    for (const missing of names) {
      const id = randomUUID();
      const { status, body } = await harness.api(method, at(path, { [missing]: id }), bodyOf(method, path));
      expect([status, body.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
      const resource = missing.replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(/Id$/, '');
      expect(body.details).toEqual({ resource, parameters: { id } });
    }
  });

  // §5-identity §D1-foreign
  it.each(withIds)('hides the resource of %s %s from other customers', async (method, path) => {
    const stranger = `stranger-${endpoints.findIndex(([each, of]) => each === method && of === path)}`;
    await harness.world(stranger);
    const foreign = await harness.api(method, at(path), bodyOf(method, path), stranger);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    const [first] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    expect(foreign.body.details.parameters).toEqual({ id: known[first!] });
  });

  // §D1-body-ignored
  it('accepts a resend with any body and media type, or none', async () => {
    const path = at('/api/subscriptions/{subscriptionId}/executionLogs/{executionLogId}/resend');
    for (const options of [{}, { body: '{broken' }, { body: 'x', headers: { 'content-type': 'text/plain' } }]) {
      expect((await harness.api('POST', path, options)).body.code).toBe('DELIVERY_NOT_FAILED');
    }
    expect((await harness.api('GET', '/api/accounts', { headers: { 'content-type': 'text/plain' } })).status).toBe(200);
  });

  // §0-field-names §D1-unknown-fields
  it('treats field names as case-sensitive, and ignores unknown fields', async () => {
    const { accountId } = fixtureIds(harness);
    const quote = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' };
    const { accountId: AccountId, ...others } = quote;
    expect(itemsOf(await harness.api('POST', '/api/quotes', { body: { ...others, AccountId, account_id: AccountId } }))).toEqual([
      'body:accountId REQUIRED',
    ]);
    expect((await harness.api('POST', '/api/quotes', { body: { ...quote, SourceAmount: 'x', note: null } })).status).toBe(201);
  });

  // §2.2-read-only
  it('ignores read-only fields in requests', async () => {
    const { accountId } = fixtureIds(harness);
    const id = randomUUID();
    const forged = {
      id,
      customerId: id,
      expiresAt: '2030-01-01T00:00:00Z',
      consumedAt: '2020-01-01T00:00:00Z',
      createdAt: '2020-01-01T00:00:00Z',
    };
    const quote = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00', ...forged };
    const { body: quoted } = await harness.api('POST', '/api/quotes', { body: quote });
    expect([quoted.id, quoted.customerId, quoted.expiresAt].some((each) => Object.values(forged).includes(each))).toBe(false);
    const account = await createAccount(harness, world, {
      ...companyRequest(),
      ...forged,
      tags: [{ key: 'mine', value: 'x' }],
      states: [],
    });
    expect(account.id).not.toBe(id);
    expect(account.createdAt).not.toBe(forged.createdAt);
    expect(account.tags).not.toContainEqual({ key: 'mine', value: 'x' });
    expect(account.states).toHaveLength(1);
  });

  it('names the expected fields in the error for a body that is a list', async () => {
    const { body } = await harness.api('POST', '/api/quotes', { body: [] });
    expect(body.message).toContain(
      'expected an object with accountId, sourceAsset, targetAsset, sourceAmount, targetAmount; got a list of 0',
    );
  });
});

describe('the lists', () => {
  const lists: readonly [path: string, fields: readonly string[]][] = [
    [
      '/api/accounts',
      'id owner.type owner.legalName owner.firstName owner.lastName owner.taxId.value assets.asset assets.status states.status currentState.status tags.key tags.value sourceAccountId createdAt updatedAt'.split(
        ' ',
      ),
    ],
    ['/api/accounts/{accountId}/fundingInstructions', ['asset', 'rail']],
    ['/api/subscriptions', ['id', 'url', 'allowRetry', 'resources.name', 'createdAt', 'updatedAt']],
    [
      '/api/subscriptions/{subscriptionId}/executionLogs',
      ['id', 'messageId', 'eventType', 'status', 'httpStatus', 'retryAttempts', 'createdAt'],
    ],
  ];
  const reported: (typeof lists)[number] = [
    '/api/reports?periodStart=2026-11-01T00:00:00Z&periodEnd=2026-12-01T00:00:00Z',
    ['account.id', 'asset', 'tags.key', 'tags.value', 'intent.type'],
  ];
  const nested = lists.filter(([path]) => path.includes('{'));
  const ask = (path: string, query: string) => harness.api('GET', `${at(path)}${path.includes('?') ? '&' : '?'}${query}`);

  // §4.3-list §4.15-limit §8-page-size
  it.each(lists)('%s has a page size of 1 to 100, by default 10', async (path) => {
    const plain = await ask(path, '');
    expect(Object.keys(plain.body)).toEqual(['data', 'meta']);
    expect(Object.keys(plain.body.meta)).toEqual(['previousCursor', 'nextCursor', 'total']);
    expect((await ask(path, 'limit=10')).body).toEqual(plain.body);
    for (const limit of [1, 100]) expect((await ask(path, `limit=${limit}`)).status).toBe(200);
    for (const limit of [0, 101, -1]) expect(itemsOf(await ask(path, `limit=${limit}`))).toEqual(['query:limit OUT_OF_RANGE']);
    for (const limit of ['ten', '1.5', '']) expect(itemsOf(await ask(path, `limit=${limit}`))).toEqual(['query:limit INVALID_TYPE']);
  });

  // §4.15-direction §4.15-sort-order §D5-no-direction §D13-empty-cursor
  it.each(lists)('%s has the sort order DESCENDING by default, and ignores `direction` without a cursor', async (path) => {
    const plain = await ask(path, '');
    expect((await ask(path, 'sortOrder=DESCENDING')).body).toEqual(plain.body);
    expect((await ask(path, 'sortOrder=ASCENDING&limit=100')).body.data).toEqual((await ask(path, 'limit=100')).body.data.toReversed());
    for (const query of ['direction=NEXT', 'direction=PREVIOUS', 'cursor=', 'cursor=&direction=PREVIOUS'])
      expect((await ask(path, query)).body).toEqual(plain.body);
    expect(itemsOf(await ask(path, 'direction=next&sortOrder=DESC'))).toEqual([
      'query:direction INVALID_ENUM',
      'query:sortOrder INVALID_ENUM',
    ]);
  });

  // §4.15-cursor §D5-bound
  it.each(lists)('%s rejects cursors that it did not return', async (path) => {
    const { nextCursor } = (await harness.api('GET', '/api/accounts?limit=1')).body.meta;
    expect(nextCursor).not.toBeNull();
    for (const cursor of ['x', '~', ...(path === '/api/accounts' ? [] : [nextCursor])])
      expect(itemsOf(await ask(path, `cursor=${cursor}`))).toEqual(['query:cursor INVALID_FORMAT']);
  });

  // §D1-order-of-items
  it.each(lists)('%s reports all errors in its path and query, in contract order', async (path) => {
    const bad = {
      limit: [
        ['0', 'OUT_OF_RANGE'],
        ['ten', 'INVALID_TYPE'],
        ['1&limit=2', 'INVALID_TYPE'],
      ],
      cursor: [
        ['x', 'INVALID_FORMAT'],
        ['%20', 'INVALID_FORMAT'],
      ],
      direction: [
        ['UP', 'INVALID_ENUM'],
        ['', 'INVALID_ENUM'],
      ],
      sortOrder: [['NEWEST', 'INVALID_ENUM']],
    } as const;
    const names = Object.keys(bad) as (keyof typeof bad)[];
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const choice = fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom<readonly [string, string]>(...bad[name])])), {
      requiredKeys: [],
    });
    await fc.assert(
      fc.asyncProperty(choice, fc.boolean(), async (chosen, isLost) => {
        const wrong = names.filter((name) => chosen[name]);
        fc.pre(wrong.length > 0);
        const query = wrong.toReversed().map((name) => `${name}=${chosen[name]![0]}`);
        const answer = await harness.api('GET', `${isLost ? path.replaceAll(/[{}]/g, '-') : at(path)}?${query.join('&')}&filters=nonsense`);
        const expected = wrong.map((name) => `query:${name} ${chosen[name]![1]}`);
        expect(itemsOf(answer)).toEqual([...(isLost ? ids.map((name) => `path:${name} INVALID_UUID`) : []), ...expected]);
      }),
      { numRuns: 60 },
    );
  });

  // §4.15-filters §D5-fields §4.13-filters
  it.each([...lists, reported])('%s can be filtered only by %j', async (path, fields) => {
    const valueOf = (field: string) =>
      field.endsWith('At')
        ? '2026-11-01T00:00:00Z'
        : /^(httpStatus|retryAttempts)$/.test(field)
          ? '0'
          : field === 'allowRetry'
            ? 'true'
            : 'x';
    for (const field of fields) {
      const answer = await ask(path, `filters=${encodeURIComponent(`${field}[eq]=${valueOf(field)}`)}`);
      expect([field, answer.status]).toEqual([field, 200]);
    }
    const others = lists.flatMap(([, each]) => each).concat(reported[1], 'customer.id', 'payload', 'network', 'companyId', '__proto__');
    for (const field of others.filter((each) => !fields.includes(each))) {
      const { status, body } = await ask(path, `filters=${encodeURIComponent(`${field}[eq]=x`)}`);
      expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_FILTER_FORMAT', field]);
    }
  });

  it.each([
    ['stauts', 'one of assets.status, states.status, currentState.status?'],
    ['currentState.stauts', '"currentState.status"?'],
    ['legalname', '"owner.legalName"?'],
  ])('suggest a filter field for the unknown field %s', async (field, meant) => {
    const { body } = await ask('/api/accounts', `filters=${field}[eq]=x`);
    expect(body.message).toMatch(new RegExp(`; did you mean ${meant.replaceAll(/[.?]/g, '\\$&')}$`));
  });

  // §D5-position §D13-filter-position
  it.each([...lists, reported])('%s reports the position of a filter error', async (path, [field]) => {
    const { status, body } = await ask(path, `filters=${encodeURIComponent(`${field}[eq`)}`);
    expect([status, body.code]).toEqual([400, 'INVALID_FILTER_FORMAT']);
    expect(body.details).toEqual({ position: `${field}[eq`.length, expected: expect.any(String) });
  });

  // §D1-order-of-checks
  it.each(nested)('%s validates its query before it looks up the resource in its path', async (path) => {
    const absent = at(path, { accountId: randomUUID(), subscriptionId: randomUUID() });
    expect((await harness.api('GET', `${absent}?filters=nonsense`)).body.code).toBe('INVALID_FILTER_FORMAT');
    expect(itemsOf(await harness.api('GET', `${absent}?cursor=x`))).toEqual(['query:cursor INVALID_FORMAT']);
    expect((await harness.api('GET', absent)).body.code).toBe('RESOURCE_NOT_FOUND');
  });
});
