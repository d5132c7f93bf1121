import { randomUUID } from 'node:crypto';
import * as http from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../server/server.js';
import { readSettings } from '../../server/options.js';
import { fixtureIds } from '../../testing/withdrawals.js';

interface Received {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The error that ended the response; null if it is complete. */
  readonly error: string | null;
  readonly tookMs: number;
}

let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
  token = await newToken();
});
afterAll(() => server.close());
afterEach(async () => void (await control('POST', '/reset')));

/** Sends one request over its own socket. */
function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Received> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let status = 0;
    let received: Received['headers'] = {};
    let text = '';
    const done = (error: Error | null) =>
      resolve({
        status,
        headers: received,
        text,
        error: error && ((error as NodeJS.ErrnoException).code ?? error.message),
        tookMs: performance.now() - startedMs,
      });
    const call = http.request(
      server.url + path,
      { method, agent: false, headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        status = answer.statusCode ?? 0;
        received = answer.headers;
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => done(null));
        answer.on('error', done);
      },
    );
    call.on('error', done);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const control = (method: string, path: string, body?: unknown) => send(method, `/_sandbox${path}`, body);

async function newToken(): Promise<string> {
  const { text } = await send('POST', '/api/oauth/client/token', { clientId: 'sandbox', clientSecret: 'sandbox-secret' });
  return JSON.parse(text).accessToken as string;
}

function api(method: string, path: string, body?: unknown, key: string = randomUUID(), bearer = token): Promise<Received> {
  return send(method, path, body, { authorization: `Bearer ${bearer}`, 'x-idempotency-key': key });
}

const world = () => server.sandbox.world('default');
const accountId = () => fixtureIds(server).accountId;
const quote = (key: string = randomUUID()) =>
  api('POST', '/api/quotes', { accountId: accountId(), sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' }, key);
/** Returns the number of unused quotes. Only these tests create some: all quotes of the fixtures are used. */
const quotes = () => [...world().state.quotes.values()].filter((each) => each.consumedBy === null).length;

async function fault(request: Record<string, unknown>): Promise<{ id: string }> {
  const answer = await control('POST', '/faults', { on: 'REQUEST', when: { operationId: 'createQuote' }, times: 1, ...request });
  expect(answer).toMatchObject({ status: 201 });
  return JSON.parse(answer.text) as { id: string };
}

describe('a fault before a request', () => {
  // §D1-rate-limit
  it.each([
    [{ status: 503 }, 503, 'SERVICE_UNAVAILABLE', '1'],
    [{ status: 429, retryAfter: '2s' }, 429, 'RATE_LIMIT_EXCEEDED', '2'],
    [{ code: 'RATE_LIMIT_EXCEEDED', retryAfter: '1500ms' }, 429, 'RATE_LIMIT_EXCEEDED', '2'],
    [{ status: 500 }, 500, 'INTERNAL_ERROR', undefined],
    [{ status: 502 }, 502, 'SERVICE_UNAVAILABLE', undefined],
    [{ status: 401 }, 401, 'INVALID_ACCESS_TOKEN', undefined],
    [{ status: 409, code: 'DUPLICATE_UBO' }, 409, 'DUPLICATE_UBO', undefined],
    [{ status: 418 }, 418, 'INVALID_DATA', undefined],
  ])('with %o returns the error once, and the request has no effect', async (effect, status, code, retryAfter) => {
    await fault({ effect });
    const failed = await quote();
    expect(failed).toMatchObject({ status, error: null });
    expect(JSON.parse(failed.text)).toMatchObject({ code, details: {} });
    expect(failed.headers['retry-after']).toBe(retryAfter);
    expect(failed.headers['x-request-id']).toMatch(/^req_/);
    expect(quotes()).toBe(0);
    expect(await quote()).toMatchObject({ status: 201 });
  });

  it('resets the connection', async () => {
    await fault({ effect: { connectionReset: true } });
    expect(await quote()).toMatchObject({ status: 0, error: 'ECONNRESET' });
    expect(quotes()).toBe(0);
  });

  it.each([
    ['150ms', 150],
    [{ min: '100ms', max: '200ms' }, 100],
  ])('delays the request by %o, and then lets it continue', async (delay, least) => {
    await fault({ effect: { delay } });
    const { status, tookMs } = await quote();
    expect(status).toBe(201);
    expect(tookMs).toBeGreaterThanOrEqual(least - 5);
  });

  // §D3-not-kept
  it('applies to each request, including replays, and its response is not stored', async () => {
    const key = randomUUID();
    await fault({ times: 2, effect: { status: 503 } });
    expect((await quote(key)).status).toBe(503);
    expect((await quote(key)).status).toBe(503);
    const made = await quote(key);
    expect(made).toMatchObject({ status: 201 });
    expect(made.headers['x-idempotent-replay']).toBeUndefined();
    await fault({ effect: { status: 503 } });
    expect((await quote(key)).status).toBe(503);
    const replayed = await quote(key);
    expect(replayed).toMatchObject({ status: 201, text: made.text });
    expect(replayed.headers['x-idempotent-replay']).toBe('true');
  });

  it('applies before validation, but after authentication', async () => {
    await fault({ times: 9, when: {}, effect: { status: 503 } });
    expect((await api('POST', '/api/quotes', { nonsense: true }, '')).status).toBe(503);
    expect((await api('POST', '/api/quotes', {}, randomUUID(), 'no-token')).status).toBe(401);
    expect((await control('GET', '/faults')).text).toContain('"hits":1');
  });

  it('expires the token of the request', async () => {
    await fault({ effect: { expireToken: true } });
    const old = token;
    const refused = await quote();
    expect(refused).toMatchObject({ status: 401 });
    expect(JSON.parse(refused.text).code).toBe('EXPIRED_ACCESS_TOKEN');
    expect(refused.headers['www-authenticate']).toContain('Bearer');
    expect((await api('GET', '/api/accounts', undefined, '', old)).status).toBe(401);
    expect((await api('GET', '/api/accounts', undefined, '', await newToken())).status).toBe(200);
  });

  it('applies to the token request too', async () => {
    await fault({ when: { operationId: 'createToken' }, effect: { status: 503 } });
    const credentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };
    expect((await send('POST', '/api/oauth/client/token', credentials)).status).toBe(503);
    expect((await send('POST', '/api/oauth/client/token', credentials)).status).toBe(200);
  });
});

describe('a fault after the commit', () => {
  it.each([
    ['an error', { status: 503 }, { status: 503, error: null }],
    ['a reset connection', { connectionReset: true }, { status: 0, error: 'ECONNRESET' }],
    ['half a body', { truncate: true }, { status: 201, error: 'ECONNRESET' }],
  ])('loses the response (%s), which the old idempotency key returns; a new key repeats the effect', async (_what, effect, expected) => {
    const key = randomUUID();
    await fault({ phase: 'after_commit', effect });
    expect(await quote(key)).toMatchObject(expected);
    expect(quotes()).toBe(1);
    const replayed = await quote(key);
    expect(replayed).toMatchObject({ status: 201 });
    expect(replayed.headers['x-idempotent-replay']).toBe('true');
    expect(quotes()).toBe(1);
    const second = await quote();
    expect(JSON.parse(second.text).id).not.toBe(JSON.parse(replayed.text).id);
    expect(quotes()).toBe(2);
  });

  it('truncates the response body in the middle', async () => {
    await fault({ effect: { truncate: true } });
    const { text, headers } = await quote();
    expect(text).toMatch(/^\{"id":"/);
    expect(Buffer.byteLength(text)).toBe(Math.ceil(Number(headers['content-length']) / 2));
  });

  it('sends malformed JSON', async () => {
    await fault({ effect: { malformedJson: true } });
    const { status, text, error } = await quote();
    expect({ status, error }).toEqual({ status: 201, error: null });
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(quotes()).toBe(1);
  });

  it('adds unknown fields to every object of the response body', async () => {
    await fault({ effect: { unknownFields: true } });
    const body = JSON.parse((await quote()).text);
    expect(body.unknownField).toEqual(expect.any(String));
    expect(body.sourceAmount).toMatchObject({ value: '10.00', unknownField: expect.any(String) });
  });

  it('sends the response body slowly', async () => {
    await fault({ effect: { slowBody: '300ms' } });
    const { status, text, tookMs } = await quote();
    expect(status).toBe(201);
    expect(JSON.parse(text).sourceAmount.value).toBe('10.00');
    expect(tookMs).toBeGreaterThan(250);
  });

  it('delays the response after the commit', async () => {
    await fault({ phase: 'after_commit', effect: { delay: '200ms' } });
    const pending = quote();
    await expect.poll(quotes, { interval: 5 }).toBe(1);
    expect((await pending).tookMs).toBeGreaterThanOrEqual(195);
  });

  it('is not used up by a request that fails before the commit', async () => {
    await fault({ phase: 'after_commit', effect: { status: 503 } });
    expect((await api('POST', '/api/quotes', {})).status).toBe(400);
    expect((await quote()).status).toBe(503);
  });
});

describe('several faults and rules', () => {
  it('apply one by one, each to one request: faults before rules, oldest first', async () => {
    const inline = {
      extends: 'default',
      rules: [{ on: 'REQUEST', when: { operationId: 'createQuote' }, times: 1, effect: { status: 500 } }],
    };
    expect((await control('PUT', '/scenario', { inline })).status).toBe(200);
    await fault({ effect: { status: 429 } });
    await fault({ effect: { status: 503 } });
    await fault({ phase: 'after_commit', effect: { status: 502 } });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await quote()).status);
    expect(statuses).toEqual([429, 503, 500, 502, 201, 201]);
    expect(quotes()).toBe(3);
  });

  it.each([
    [{ after: 2 }, [201, 201, 503, 503]],
    [{ after: 1, times: 1 }, [201, 503, 201, 201]],
    [{ probability: 0 }, [201, 201, 201, 201]],
  ])('apply within the limits %o', async (limits, expected) => {
    await fault({ times: undefined, effect: { status: 503 }, ...limits });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await quote()).status);
    expect(statuses).toEqual(expected);
  });

  it('end after their ttl in world time, or when they are deleted', async () => {
    await control('PUT', '/clock', { mode: 'FROZEN' });
    await fault({ times: undefined, ttl: '1m', effect: { status: 503 } });
    expect((await quote()).status).toBe(503);
    await control('POST', '/clock/advance', { by: '1m' });
    expect((await quote()).status).toBe(201);
    const { id } = await fault({ times: undefined, effect: { status: 503 } });
    expect((await quote()).status).toBe(503);
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(204);
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(404);
    expect((await quote()).status).toBe(201);
  });

  it('can match method, path, query and headers', async () => {
    await fault({ when: { method: 'GET', path: { like: '/api/acc' }, 'query.limit': 1, 'headers.x-shard': 'b' }, effect: { status: 503 } });
    const get = (query: string, shard: string) =>
      send('GET', `/api/accounts${query}`, undefined, { authorization: `Bearer ${token}`, 'x-shard': shard });
    expect((await get('?limit=2', 'b')).status).toBe(200);
    expect((await get('?limit=1', 'a')).status).toBe(200);
    expect((await get('?limit=1', 'b')).status).toBe(503);
  });

  it.each([
    [{ on: 'REQUEST', effect: {} }, 'body:effect'],
    [{ on: 'OPERATION', effect: { status: 503 } }, 'body:on'],
    [{ on: 'REQUEST', when: { operationId: 'makeQuote' }, effect: { status: 503 } }, 'body:when.operationId'],
    [{ on: 'REQUEST', when: { nothing: 1 }, effect: { status: 503 } }, 'body:when.nothing'],
    [{ on: 'DELIVERY', phase: 'before', effect: { drop: true } }, 'body:phase'],
    [{ on: 'DELIVERY', effect: { delay: 'soon' } }, 'body:effect.delay'],
  ])('are rejected if they are invalid: %o', async (request, field) => {
    const answer = await control('POST', '/faults', request);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).details.errors[0].field).toBe(field);
  });
});
