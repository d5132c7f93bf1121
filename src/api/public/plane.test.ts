import { createConnection } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../server/server.js';
import { readSettings } from '../../server/options.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary } from '../../testing/withdrawals.js';

const harness = useHarness();
const path = '/api/quotes';
const nothing = '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417';
const quoteOf = (accountId: string) => ({ accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' });
const fieldsOf = (body: { details: { errors: { code: string; field: string }[] } }) =>
  body.details.errors.map(({ code, field }) => `${code} ${field}`);

describe('the public API', () => {
  // §D1-shape §7-body §D1-unknown-route §D1-wrong-method §D1-missing-header §D1-key-form §D1-media-type §D1-too-large
  it.each([
    ['an unknown route', 'GET', '/api/nothing', {}, 404, 'ROUTE_NOT_FOUND'],
    ['a route with a slash too many', 'GET', '/api/accounts/', {}, 404, 'ROUTE_NOT_FOUND'],
    ['a wrong method', 'PUT', path, {}, 405, 'METHOD_NOT_ALLOWED'],
    ['an unknown method', 'BREW', path, {}, 405, 'METHOD_NOT_ALLOWED'],
    ['OPTIONS', 'OPTIONS', '/api/accounts', {}, 405, 'METHOD_NOT_ALLOWED'],
    ['a missing token', 'GET', '/api/accounts', { headers: { authorization: '' } }, 401, 'INVALID_ACCESS_TOKEN'],
    [
      'an authorization scheme other than Bearer',
      'GET',
      '/api/accounts',
      { headers: { authorization: 'Basic c2FuZGJveDp4' } },
      401,
      'INVALID_ACCESS_TOKEN',
    ],
    ['a missing idempotency key', 'POST', path, { headers: { 'x-idempotency-key': '' }, body: {} }, 400, 'MISSING_REQUIRED_HEADER'],
    ['a blank idempotency key', 'POST', path, { headers: { 'x-idempotency-key': ' ' }, body: {} }, 400, 'MISSING_REQUIRED_HEADER'],
    ['an idempotency key that is not a UUID', 'POST', path, { headers: { 'x-idempotency-key': 'abc' }, body: {} }, 400, 'INVALID_DATA'],
    ['two idempotency keys', 'POST', path, { headers: { 'x-idempotency-key': `${nothing}, ${nothing}` }, body: {} }, 400, 'INVALID_DATA'],
    ['a wrong media type', 'POST', path, { headers: { 'content-type': 'text/plain' }, body: '{}' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no media type', 'POST', path, { headers: { 'content-type': '' }, body: '{}' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a form as the body',
      'POST',
      path,
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a body of more than 1 MiB', 'POST', path, { body: `"${'x'.repeat(1_048_576)}"` }, 413, 'PAYLOAD_TOO_LARGE'],
  ] as const)('rejects %s', async (_name, method, at, options, status, code) => {
    const answer = await harness.api(method, at, options);
    expect(answer).toMatchObject({ status, body: { code, message: expect.any(String), details: expect.any(Object) } });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(answer.headers.get('x-service-version')).toBe('1');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('www-authenticate')).toEqual(status === 401 ? expect.stringMatching(/^Bearer/) : null);
  });

  // §D1-wrong-method
  it('names the allowed methods of a path in the header Allow', async () => {
    expect((await harness.api('DELETE', '/api/accounts')).headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
    expect((await harness.api('OPTIONS', '/openapi.json')).headers.get('allow')).toBe('GET, HEAD');
  });

  // §D1-unknown-route
  it.each([
    ['POST', '/api/operations/withdraw', 'POST /api/operations/withdrawal'],
    ['POST', '/api/operations/Swap', 'POST /api/operations/swap'],
    ['GET', '/api/acounts/', 'GET /api/accounts'],
    ['GET', '//api/accounts', 'GET /api/accounts'],
    ['HEAD', '/api/account', 'HEAD /api/accounts'],
    ['PATCH', `/api/accounts/${nothing}/ubo/${nothing}`, 'PATCH /api/accounts/{accountId}/ubos/{uboId}'],
  ])('suggests a similar path for %s %s', async (method, at, similar) => {
    const answer = await harness.api(method, at, { body: method === 'GET' || method === 'HEAD' ? undefined : {} });
    expect(answer.status).toBe(404);
    if (method !== 'HEAD') expect(answer.body).toMatchObject({ code: 'ROUTE_NOT_FOUND', details: { method, path: at, similar } });
  });

  it.each([
    ['POST', `/api/operations/${nothing}`, 405],
    ['POST', '/api/operations/payout', 405],
    ['DELETE', '/api/operations/withdrawal', 405],
    ['GET', `/api/${'x'.repeat(10_000)}`, 404],
    ['GET', '/api/nothing', 404],
  ])('suggests no similar path for %s %s', async (method, at, status) => {
    const answer = await harness.api(method, at);
    expect(answer.status).toBe(status);
    expect(answer.body.details).not.toHaveProperty('similar');
  });

  it('accepts a media type in any letter case, with a charset', async () => {
    const { accountId } = fixtureIds(harness);
    const answer = await harness.api('POST', path, {
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
      body: JSON.stringify(quoteOf(accountId)),
    });
    expect(answer.status).toBe(201);
  });

  // §D13-head
  it('responds to HEAD like GET, without a body', async () => {
    const [head, get] = [await harness.api('HEAD', '/api/accounts'), await harness.api('GET', '/api/accounts')];
    expect([head.status, head.body]).toEqual([get.status, null]);
    expect(head.headers.get('content-type')).toBe('application/json');
    expect((await harness.api('HEAD', '/api/nothing')).status).toBe(404);
  });

  it('returns the version and a new request id with every response, also with documents', async () => {
    const ids = new Set<string | null>();
    for (const at of ['/openapi.json', '/.well-known/jwks.json', '/api/accounts', '/api/nothing']) {
      const { headers } = await harness.api('GET', at);
      expect(headers.get('x-service-version'), at).toBe('1');
      ids.add(headers.get('x-request-id'));
    }
    expect(ids.size).toBe(4);
    expect(ids).not.toContain(null);
  });
});

describe('a JSON body', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const wide = (keys: number) => `{${Array.from({ length: keys }, (_, index) => `"k${index}":0`).join(',')}}`;
  // §D1-malformed-json
  it.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['cut off', '{"a":'],
    ['followed by a second value', '{} {}'],
    ['with a comment', '{/*x*/}'],
    ['with single quotes', "{'a':1}"],
    ['NaN', 'NaN'],
    ['with a byte order mark', '\uFEFF{}'],
    ['65 levels deep', deep(65)],
    ['65 levels deep in objects', '{"a":'.repeat(64) + '[]' + '}'.repeat(64)],
    ['an object with 10,000 values, which counts as another value', wide(10_000)],
    ['an array with 10,000 values, which counts as another value', `[${'0,'.repeat(9_999)}0]`],
    ['an array of 300,000 empty objects', `[${'{},'.repeat(300_000)}[]]`],
    ['with a key __proto__', '{"__proto__":{"polluted":true}}'],
    ['with a nested key constructor', '{"a":[{"constructor":1}]}'],
  ])('is rejected if it is %s', async (_name, body) => {
    const answer = await harness.api('POST', path, { body });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer.body)).toEqual(['MALFORMED_JSON body']);
  });

  // §D13-64-levels
  it('can have 64 levels or 10,000 values', async () => {
    expect(fieldsOf((await harness.api('POST', path, { body: deep(64) })).body)).toEqual(['INVALID_TYPE body']);
    expect(fieldsOf((await harness.api('POST', path, { body: wide(9_999) })).body)).toContain('REQUIRED body:accountId');
  });

  it.each(['null', 'true', '1', '"text"', '[]'])('is rejected for its wrong type if it is %s', async (body) => {
    expect(fieldsOf((await harness.api('POST', path, { body })).body)).toEqual(['INVALID_TYPE body']);
  });
});

describe('the order of checks', () => {
  const bad = { headers: { authorization: '', 'x-idempotency-key': '', 'content-type': 'text/plain' }, body: '{' };
  // §D1-order-of-checks
  it('is route, token, headers, media type, size, shape, existence', async () => {
    const code = async (method: string, at: string, options: Parameters<typeof harness.api>[2]) =>
      (await harness.api(method, at, options)).body.code;
    expect(await code('POST', '/api/nothing', bad)).toBe('ROUTE_NOT_FOUND');
    expect(await code('POST', path, bad)).toBe('INVALID_ACCESS_TOKEN');
    expect(await code('POST', path, { headers: { 'x-idempotency-key': '', 'content-type': 'text/plain' }, body: '{' })).toBe(
      'MISSING_REQUIRED_HEADER',
    );
    expect(await code('POST', path, { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(2_000_000) })).toBe(
      'UNSUPPORTED_MEDIA_TYPE',
    );
    expect(await code('POST', path, { body: `{"a":"${'x'.repeat(2_000_000)}` })).toBe('PAYLOAD_TOO_LARGE');
    expect(await code('POST', path, { body: { ...quoteOf(nothing), sourceAmount: 1 } })).toBe('INVALID_DATA');
    expect(await code('POST', path, { body: quoteOf(nothing) })).toBe('RESOURCE_NOT_FOUND');
  });

  // §D1-order-of-checks
  it('puts the shape of the body before the idempotency key, and the key before the existence of resources', async () => {
    const { accountId } = fixtureIds(harness);
    const key = '11111111-2222-4333-8444-555555555555';
    expect((await harness.api('POST', path, { key, body: quoteOf(accountId) })).status).toBe(201);
    expect((await harness.api('POST', path, { key, body: quoteOf(nothing) })).body.code).toBe('IDEMPOTENCY_CONFLICT');
    expect((await harness.api('POST', path, { key, body: {} })).body.code).toBe('INVALID_DATA');
  });
});

describe('the errors of one request', () => {
  // §D1-order-of-items
  it('are reported together in contract order, across nested objects, arrays and unions', async () => {
    const body = {
      owner: { address: { postalCode: '', country: 'XX', city: 'X' }, taxId: { type: 'CNPJ', value: '1' }, type: 'COMPANY' },
      assets: [{ isVirtual: 'no', code: 'BRL' }, { code: 'DOGE' }, { code: 'BRL' }],
    };
    const answer = await harness.api('POST', '/api/accounts', { body });
    expect(fieldsOf(answer.body)).toEqual([
      'INVALID_TYPE body:assets[0].isVirtual',
      'INVALID_ENUM body:assets[1].code',
      'DUPLICATE_ENTRY body:assets[2].code',
      'REQUIRED body:owner.legalName',
      'VALIDATE_TAX_ID body:owner.taxId.value',
      'REQUIRED body:owner.industry',
      'REQUIRED body:owner.address.addressLine1',
      'REQUIRED body:owner.address.state',
      'INVALID_ENUM body:owner.address.country',
      'INVALID_FORMAT body:owner.address.postalCode',
    ]);
  });

  it('include only the discriminator of an unknown variant, and errors outside the variant', async () => {
    const body = { ...pixBeneficiary(), holder: { type: 'ROBOT' }, relationshipType: 'COUSIN' };
    expect(fieldsOf((await harness.api('POST', '/api/beneficiaries', { body })).body)).toEqual([
      'INVALID_ENUM body:holder.type',
      'INVALID_ENUM body:relationshipType',
    ]);
  });

  it('cover both path and query', async () => {
    const answer = await harness.api('GET', '/api/subscriptions/abc/executionLogs?limit=0&direction=UP&sortOrder=');
    expect(fieldsOf(answer.body)).toEqual([
      'INVALID_UUID path:subscriptionId',
      'OUT_OF_RANGE query:limit',
      'INVALID_ENUM query:direction',
      'INVALID_ENUM query:sortOrder',
    ]);
  });

  // §4.15-limit
  it.each(['1e1', '0x10', '', ' 5', '5.0', '+5', '٣', 'ten', '1&limit=2'])('report limit=%s as not a whole number', async (limit) => {
    const answer = await harness.api('GET', `/api/accounts?limit=${limit.includes('&') ? limit : encodeURIComponent(limit)}`);
    expect(fieldsOf(answer.body)).toEqual(['INVALID_TYPE query:limit']);
  });

  // §4.15-limit §8-page-size
  it.each(['0', '101', '-1', '999999999999999'])('report limit=%s as out of range', async (limit) => {
    expect(fieldsOf((await harness.api('GET', `/api/accounts?limit=${limit}`)).body)).toEqual(['OUT_OF_RANGE query:limit']);
  });

  // §D1-unknown-fields
  it('do not include unknown fields and query parameters', async () => {
    const { accountId } = fixtureIds(harness);
    expect((await harness.api('POST', `${path}?nonsense=1`, { body: { ...quoteOf(accountId), nonsense: true } })).status).toBe(201);
  });

  // §4.12-include-all
  it('do not include invalid resources of a subscription to all events', async () => {
    for (const resources of [[], 'none', [{ name: 'NOTHING' }]]) {
      const body = { url: 'https://hooks.example.com/', includeAll: true, resources };
      const answer = await harness.api('POST', '/api/subscriptions', { body });
      expect(answer.status).toBe(201);
      expect(answer.body.resources).toHaveLength(3);
    }
  });
});

// §D1-crash
it('an internal error returns a 500 without details', async () => {
  const world = await harness.world('crash');
  const { state } = harness.sandbox.world(world);
  const accounts = state.accounts;
  accounts.get = () => {
    throw new Error('secret of the inside');
  };
  const answer = await harness.api('POST', path, { body: quoteOf(nothing) }, world);
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ code: 'INTERNAL_ERROR', message: expect.not.stringContaining('secret'), details: {} });
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  expect(harness.internalErrors.splice(0)).toMatchObject([{ message: 'secret of the inside' }]);
});

describe('a request over a real socket', () => {
  /** Sends raw bytes. @returns the whole response */
  const exchange = (url: string, ...parts: string[]) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const socket = createConnection({ host: hostname, port: Number(port) });
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString('latin1')));
      socket.on('close', () => resolve(received));
      socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
      for (const part of parts) socket.write(part);
    });
  const token = JSON.stringify({ clientId: 'sandbox', clientSecret: 'sandbox-secret' });
  const head = (...headers: string[]) =>
    [
      'POST /api/oauth/client/token HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      'Content-Type: application/json',
      ...headers,
      '',
      '',
    ].join('\r\n');

  // §D1-too-large §D13-utf8
  it('is rejected if its body is too large, by its Content-Length or its chunks, or is not UTF-8', async () => {
    const server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
    try {
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      const chunks = Array.from({ length: 17 }, () => chunk('x'.repeat(65_536)));
      expect(await exchange(server.url, head(`Content-Length: ${token.length}`), token)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await exchange(server.url, head('Transfer-Encoding: chunked'), chunk(token), '0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
      expect(await exchange(server.url, head('Content-Length: 2000000'), 'x')).toMatch(/^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE/);
      expect(await exchange(server.url, head('Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n')).toMatch(
        /^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE/,
      );
      const latin = Buffer.from('{"clientId":"\xe9","clientSecret":"x"}', 'latin1');
      const answer = await fetch(`${server.url}/api/oauth/client/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: latin,
      });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('not UTF-8')]);
    } finally {
      await server.close();
    }
  });
});
