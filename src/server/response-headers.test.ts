import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { readSettings } from './options.js';
import { startServer, type RunningServer } from './server.js';
import { connectTo } from '../testing/unfinished-requests.js';

let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
  const answer = await send('POST', '/api/oauth/client/token', {}, { clientId: 'sandbox', clientSecret: 'sandbox-secret' });
  token = ((await answer.body.json()) as { accessToken: string }).accessToken;
});
afterAll(() => server.close());

function send(method: string, path: string, headers: Record<string, string> = {}, body?: unknown) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return request(`${server.url}${path}`, {
    method: method as 'GET',
    headers: { ...type, ...headers },
    body: body === undefined ? null : Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
}

/** Sends a text over a connection and returns the status line and headers of the response. */
async function headOf(text: string): Promise<string> {
  const socket = connectTo(server.url);
  socket.write(text);
  const [said] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return said.toString().split('\r\n\r\n')[0]!;
}

describe('X-Content-Type-Options', () => {
  it.each([
    ['a document', 'GET', '/openapi.json', 200],
    ['a page', 'GET', '/docs', 200],
    ['an asset', 'GET', '/docs/assets/docs.css', 200],
    ['an asset of the console', 'GET', '/_sandbox/console/assets/console.js', 200],
    ['a HEAD request', 'HEAD', '/openapi.json', 200],
    ['a control request', 'GET', '/_sandbox/clock', 200],
    ['a stream', 'GET', '/_sandbox/stream', 200],
    ['an exported world', 'GET', '/_sandbox/state', 200],
    ['metrics', 'GET', '/metrics', 200],
    ['an unknown path', 'GET', '/nothing', 404],
    ['a wrong method', 'DELETE', '/openapi.json', 405],
    ['an error of the public API', 'GET', '/api/accounts', 401],
    ['a post to an inbox', 'POST', '/_sandbox/inbox/in', 200],
  ])('is nosniff in the response for %s', async (_what, method, path, status) => {
    const { statusCode, headers, body } = await send(method, path);
    body.on('error', () => undefined).destroy();
    expect([statusCode, headers['x-content-type-options']]).toEqual([status, 'nosniff']);
  });

  it.each([
    ['text that is not HTTP', 'Good morning\r\n\r\n'],
    ['a target that is not a URL', 'GET /a\\b HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('is nosniff in the 400 response for %s, which also has the version header', async (_what, text) => {
    const head = await headOf(text);
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toMatch(/^x-content-type-options: nosniff$/im);
    expect(head).toMatch(/^x-service-version: 1$/im);
  });

  it('is nosniff on a redirect of an inbox', async () => {
    await send('PUT', '/_sandbox/inbox/away/responses', {}, [{ status: 302 }]);
    const { statusCode, headers } = await send('POST', '/_sandbox/inbox/away', {}, {});
    expect([statusCode, headers['x-content-type-options']]).toEqual([302, 'nosniff']);
  });

  it('is nosniff on a response inside the process', async () => {
    const { headers } = await server.fetch(new Request(`${server.url}/openapi.json`));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a token', () => {
  it.each([
    [200, 'sandbox-secret'],
    [401, 'wrong'],
  ])('is never cached, because a token response with the status %i has Cache-Control: no-store', async (status, clientSecret) => {
    const { statusCode, headers } = await send('POST', '/api/oauth/client/token', {}, { clientId: 'sandbox', clientSecret });
    expect([statusCode, headers['cache-control']]).toEqual([status, 'no-store']);
  });

  it.each([
    ['no Authorization header', undefined, 'Bearer'],
    ['a scheme other than Bearer', 'Basic c2FuZGJveDpzYW5kYm94LXNlY3JldA==', 'Bearer'],
    ['an invalid token', 'Bearer nonsense', 'Bearer error="invalid_token"'],
    ['two tokens', 'Bearer one two', 'Bearer error="invalid_token"'],
  ])('is requested by a WWW-Authenticate challenge that matches a request with %s', async (_what, authorization, challenge) => {
    const { statusCode, headers } = await send('GET', '/api/accounts', authorization === undefined ? {} : { authorization });
    expect([statusCode, headers['www-authenticate']]).toEqual([401, challenge]);
  });
});

it.each([
  ['the public API', 'POST', '/api/quotes', 'application/json'],
  ['an upload', 'POST', '/api/documents', 'multipart/form-data; boundary=x'],
  ['the control API', 'PUT', '/_sandbox/clock', 'application/json'],
  ['an imported state', 'PUT', '/_sandbox/state', 'application/json'],
])('a compressed body for %s returns 415, and the error asks for an uncompressed body', async (_what, method, path, type) => {
  const headers = {
    'content-type': type,
    'content-encoding': 'gzip',
    'x-idempotency-key': randomUUID(),
    ...(path.startsWith('/api') ? { authorization: `Bearer ${token}` } : {}),
  };
  const { statusCode, body } = await send(method, path, headers, gzipSync('{}'));
  const { code, message } = (await body.json()) as { code: string; message: string };
  expect([statusCode, code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(message).toContain('Content-Encoding: gzip');
});

describe('a page of another origin', () => {
  const elsewhere = { origin: 'https://editor.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };

  it.each(['/openapi.json', '/openapi.yaml', '/_sandbox/openapi.json'])('may load %s', async (path) => {
    const { statusCode, headers, body } = await send('GET', path, elsewhere);
    await body.dump();
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([200, '*']);
  });

  it.each([
    ['GET', '/_sandbox/clock', 403],
    ['POST', '/_sandbox/openapi.json', 403],
    ['GET', '/docs', 403],
    ['GET', '/api/accounts', 401],
    ['GET', '/.well-known/jwks.json', 200],
  ])('may not read %s %s', async (method, path, status) => {
    const { statusCode, headers, body } = await send(method, path, elsewhere);
    await body.dump();
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([status, undefined]);
  });

  it('may not load the contract of the control API through DNS rebinding', async () => {
    const head = await headOf('GET /_sandbox/openapi.json HTTP/1.1\r\nHost: rebound.example\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 403 /);
    expect(head).not.toMatch(/access-control-allow-origin/i);
  });

  it.each([
    ['GET', '/_sandbox/clock', 200],
    ['HEAD', '/_sandbox/clock', 200],
    ['POST', '/_sandbox/reset', 403],
    ['DELETE', '/_sandbox/findings', 403],
  ])('that navigates to %s %s gets %i', async (method, path, status) => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const { statusCode, body } = await send(method, path, headers);
    await body.dump();
    expect(statusCode).toBe(status);
  });
});

describe('a 201 response', () => {
  const subscription = { url: 'http://localhost:9/hooks', resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED'] }] };

  it('has the Location of the created resource, also when the response is replayed', async () => {
    const headers = { authorization: `Bearer ${token}`, 'x-idempotency-key': randomUUID() };
    const first = await send('POST', '/api/subscriptions', headers, subscription);
    const { id } = (await first.body.json()) as { id: string };
    expect([first.statusCode, first.headers['location']]).toEqual([201, `/api/subscriptions/${id}`]);
    const replay = await send('POST', '/api/subscriptions', headers, subscription);
    expect(replay.headers).toMatchObject({ 'x-idempotent-replay': 'true', location: `/api/subscriptions/${id}` });
    const read = await send('GET', String(first.headers['location']), { authorization: `Bearer ${token}` });
    expect(await read.body.json()).toMatchObject({ id });
  });

  it.each([
    ['POST', '/_sandbox/worlds', { name: 'posted' }, '/_sandbox/worlds/posted'],
    ['PUT', '/_sandbox/worlds/put', {}, '/_sandbox/worlds/put'],
  ])('of %s %s has the Location of the world', async (method, path, body, location) => {
    const created = await send(method, path, {}, body);
    expect([created.statusCode, created.headers['location']]).toEqual([201, location]);
    expect((await send('GET', location)).statusCode).toBe(200);
  });

  it('has no Location if no GET reads the resource', async () => {
    const fault = { on: 'REQUEST', when: { operationId: 'getReport' }, times: 1, effect: { status: 503 } };
    const { statusCode, headers } = await send('POST', '/_sandbox/faults', {}, fault);
    expect([statusCode, headers['location']]).toEqual([201, undefined]);
  });
});

it.each([
  ['inbox', 'inboxName'],
  ['listeners', 'listenerName'],
])('a POST to /_sandbox/%s/., where URL parsers remove the dot, returns 400 and names the missing %s', async (kind, name) => {
  const head = `POST /_sandbox/${kind}/. HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
  const socket = connectTo(server.url);
  socket.write(head);
  const [said] = (await once(socket, 'data')) as [Buffer];
  const body = JSON.parse(said.toString().split('\r\n\r\n')[1]!) as { code: string };
  expect(body).toMatchObject({ code: 'INVALID_DATA', details: { errors: [{ code: 'REQUIRED', field: `path:${name}` }] } });
});
