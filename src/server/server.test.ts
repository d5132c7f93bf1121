import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectionLimits } from './listen.js';
import { startServer, type RunningServer } from './server.js';
import { readSettings } from './options.js';
import { call, tokenFor } from '../testing/process.js';
import { StorageDirectory } from '../testing/storage.js';
import { connectTo, openUnfinishedRequests } from '../testing/unfinished-requests.js';
import { FileStorage } from '../storage/file/file-storage.js';

const servers: RunningServer[] = [];
afterAll(async () => {
  for (const each of servers.splice(0)) await each.close();
});

/** Starts a server in this process with these limits. */
async function serverWith(limits: Partial<typeof connectionLimits>): Promise<string> {
  const settings = readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {});
  const server = await startServer(settings, { limits: { ...connectionLimits, connectionsCheckingInterval: 50, ...limits } });
  servers.push(server);
  return server.url;
}

/** URL of a server with short timeouts for headers and between requests. */
let impatient: string;
beforeAll(async () => {
  impatient = await serverWith({ headersTimeout: 200, keepAliveTimeout: 200 });
});

const head = (more: string) => `POST /api/oauth/client/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}`;

/** Returns all data that a server sends until either side closes the connection. */
async function saidTo(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));
  return text;
}

/** Returns the response to a client that sends `text`, and then repeats `rest` slowly. */
async function dribbled(url: string, text: string, rest: string): Promise<string> {
  const socket = connectTo(url);
  await once(socket, 'connect');
  socket.write(text);
  const timer = setInterval(() => rest && socket.write(rest), 50);
  const said = await saidTo(socket);
  clearInterval(timer);
  return said;
}

test.each([
  ['that sends nothing', '', '', /^(HTTP\/1\.1 408 |$)/],
  ['with slow headers', head('X-Slow: '), 'a', /^HTTP\/1\.1 408 /],
  ['that has received its response', 'GET /_sandbox/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n', '', /^HTTP\/1\.1 200 /],
] as const)('a connection %s ends after its timeout', async (_what, text, dribble, said) => {
  expect(await dribbled(impatient, text, dribble)).toMatch(said);
});

test('a connection with a slow body ends after its timeout', async () => {
  const url = await serverWith({ headersTimeout: 200, requestTimeout: 400 });
  expect(await dribbled(url, head('Content-Length: 9000\r\n\r\n'), ' ')).toMatch(/^HTTP\/1\.1 408 /);
});

test.each([
  ['headers beyond 16 KiB', head(`X-Long: ${'a'.repeat(20_000)}\r\n\r\n`), 431, 'PAYLOAD_TOO_LARGE'],
  ['incomplete headers', head('X-Slow: '), 408, 'WAIT_TIMEOUT'],
  ['text that is not HTTP', 'Good morning\r\n\r\n', 400, 'INVALID_DATA'],
  ['a request without a host', 'GET /openapi.json HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'INVALID_DATA'],
  ['an invalid host', 'GET /openapi.json HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, 'INVALID_DATA'],
  ['an invalid target', 'GET /a\\b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400, 'INVALID_DATA'],
  ['an unknown expectation', head('Content-Length: 2\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n{}'), 417, 'INVALID_DATA'],
  [
    'letters in the URL that are not ASCII',
    'GET /api/a\u00e7\u00f5es HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    400,
    'INVALID_DATA',
  ],
  ['a body that does not match its chunk sizes', head('Transfer-Encoding: chunked\r\n\r\nx\r\n'), 400, 'INVALID_DATA'],
])('a connection with %s gets an error in the format of the API', async (_what, text, status, code) => {
  const socket = connectTo(impatient);
  socket.write(text);
  const said = await saidTo(socket);
  const [headers = '', body = ''] = said.split('\r\n\r\n');
  expect(headers).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(headers).toMatch(/^content-type: application\/json/im);
  expect(headers).toMatch(/^x-request-id: req_/im);
  expect(headers).toMatch(new RegExp(`^content-length: ${Buffer.byteLength(body)}$`, 'im'));
  expect(JSON.parse(body)).toEqual({ code, message: expect.any(String), details: expect.any(Object) });
});

test.each([
  ['[::ffff:127.0.0.1]:4010', 200],
  ['[0:0::1]', 200],
  ['1.2.3.4.5', 403],
  ['256.256.256.256:4010', 403],
] as const)('a request to the host %s returns %d', async (host, status) => {
  const socket = connectTo(impatient);
  socket.write(`GET /_sandbox/clock HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(await saidTo(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test.each([
  ['GET /_sandbox/clock', ''],
  ['GET /openapi.json', ''],
  ['POST /_sandbox/deliveries/flush', 'Host: \r\nContent-Length: 0\r\n'],
])('HTTP/1.0 needs no host: %s', async (line, headers) => {
  const socket = connectTo(impatient);
  socket.write(`${line} HTTP/1.0\r\n${headers}\r\n`);
  expect(await saidTo(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['POST /_sandbox/reset', ''],
  ['PUT /_sandbox/test', 'Content-Type: text/plain\r\n'],
  ['POST /_sandbox/clock/advance', 'Content-Type: application/json\r\n'],
  ['DELETE /_sandbox/faults', 'Content-Encoding: gzip\r\n'],
])('a chunked body of zero bytes is no body: %s', async (line, headers) => {
  const answers: string[] = [];
  for (const framing of ['Content-Length: 0\r\n\r\n', `${headers}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`]) {
    const socket = connectTo(impatient);
    socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${framing}`);
    const said = await saidTo(socket);
    answers.push(`${/^HTTP\/1\.1 ([0-9]+)/.exec(said)![1]} ${/"(message|code)":"[^"]*"/.exec(said)?.[0] ?? ''}`);
  }
  expect(answers[1]).toBe(answers[0]);
  expect(answers[1]).not.toMatch(/^415|MALFORMED/);
});

test('a chunked body with one byte needs its media type', async () => {
  const socket = connectTo(impatient);
  socket.write(
    'POST /_sandbox/reset HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n0\r\n\r\n',
  );
  expect(await saidTo(socket)).toMatch(/^HTTP\/1\.1 415 /);
});

test('a response in progress is not mixed with the error for the next request', async () => {
  const fault = { on: 'REQUEST', when: { operationId: 'createToken' }, times: 1, effect: { slowBody: '10s' } };
  expect((await call(impatient, 'POST', '/_sandbox/faults', { body: fault })).status).toBe(201);
  const credentials = JSON.stringify({ clientId: 'sandbox', clientSecret: 'sandbox-secret' });
  const socket = connectTo(impatient);
  socket.write(head(`Content-Length: ${credentials.length}\r\n\r\n${credentials}`));
  const [begun] = (await once(socket, 'data')) as [Buffer];
  expect(begun.toString()).toMatch(/^HTTP\/1\.1 200 /);
  socket.write('Good morning\r\n\r\n');
  expect(await saidTo(socket)).not.toContain('HTTP');
});

test('a connection beyond the limit is closed immediately; a new connection is served after another one has ended', async () => {
  const url = await serverWith({ maxConnections: 3 });
  const { sockets, stop } = await openUnfinishedRequests(url, 3);
  const refused = connectTo(url);
  refused.write('GET /_sandbox/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await saidTo(refused)).toBe('');
  sockets[0]!.destroy();
  await expect
    .poll(async () => {
      const next = connectTo(url);
      next.write('GET /_sandbox/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      return saidTo(next);
    })
    .toMatch(/^HTTP\/1\.1 200 /);
  stop();
});

test('the last connections are kept for probes and for clients with a valid token', async () => {
  const url = await serverWith({ maxConnections: 8, keptConnections: 4 });
  const token = await tokenFor(url);
  expect((await call(url, 'GET', '/api/accounts', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  const { stop } = await openUnfinishedRequests(url, 4);
  const answerTo = (request: string) => {
    const socket = connectTo(url);
    socket.write(`GET ${request}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    return saidTo(socket);
  };
  expect(await answerTo('/api/accounts HTTP/1.1')).toMatch(/^HTTP\/1\.1 503 [^]*SERVICE_UNAVAILABLE/);
  expect(await answerTo('/_sandbox/health/live HTTP/1.1')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await answerTo(`/api/accounts HTTP/1.1\r\nAuthorization: Bearer ${token}`)).toMatch(/^HTTP\/1\.1 200 /);
  stop();
});

test('a chunked body of more than 1 MiB is rejected', async () => {
  const socket = connectTo(impatient);
  socket.write(head('Transfer-Encoding: chunked\r\n\r\n'));
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  for (let sent = 0; sent < 20; sent += 1) socket.write(chunk);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE/);
  socket.destroy();
});

test.each([
  ['--port', (port: string) => ['--port', port]],
  ['--control-port', (port: string) => ['--port', '0', '--control-port', port]],
] as const)('a start that fails because the port of %s is in use releases the data directory and all other ports', async (_flag, flags) => {
  const taken = new URL(impatient).port;
  const directory = new StorageDirectory();
  const settings = readSettings([...flags(taken), '--data', directory.path, '--log-level', 'silent'], {});
  const listening = () => process.getActiveResourcesInfo().filter((each) => each === 'TCPServerWrap').length;
  const before = listening();
  await expect(startServer(settings)).rejects.toThrow(/EADDRINUSE/);
  await expect.poll(listening).toBe(before);
  const next = await FileStorage.open(directory.path);
  await next.close();
  await directory.remove();
});

test('a stored world whose scenario is missing continues with the scenario of new worlds, and a warning is logged', async () => {
  const directory = new StorageDirectory();
  const scenarios = join(directory.path, 'scenarios');
  const file = join(scenarios, 'mine.yaml');
  await mkdir(scenarios);
  await writeFile(file, 'scenario: mine\nsummary: Mine.\nextends: instant\nrules: []\n');
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push((JSON.parse(line) as { msg: string }).msg) });
  const start = () => startServer(readSettings(['--port', '0', '--data', directory.path, '--scenarios-dir', scenarios], {}), { log });
  const headers = { 'x-sandbox-world': 'other' };
  const scenarioOf = async ({ url }: RunningServer) => (await call(url, 'GET', '/_sandbox/scenario', { headers })).body.name as string;

  const first = await start();
  expect((await call(first.url, 'POST', '/_sandbox/worlds', { body: { name: 'other', scenario: 'mine' } })).status).toBe(201);
  expect(await scenarioOf(first)).toBe('mine');
  await first.close();
  await rm(file);
  const second = await start();
  expect(await scenarioOf(second)).toBe('default');
  expect(warnings).toEqual([
    expect.stringMatching(/^The scenario mine of world other does not exist\. The world continues with default\.$/),
  ]);
  expect((await call(second.url, 'POST', '/_sandbox/reset', { headers })).status).toBeLessThan(300);
  expect(await scenarioOf(second)).toBe('default');
  await second.close();
  await directory.remove();
});

test.each([
  ['in the middle of the body', 'Content-Length: 100\r\n\r\n{"half":'],
  ['in the middle of a chunk', 'Transfer-Encoding: chunked\r\n\r\n40\r\n{"half":'],
  ['before the response', 'Content-Length: 2\r\n\r\n{}'],
])('a client that disconnects %s during a post to an inbox causes no error in the log', async (_when, rest) => {
  const lines: string[] = [];
  const settings = readSettings(['--port', '0', '--data', 'memory'], {});
  const server = await startServer(settings, { log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }) });
  const send = (method: string, path: string, body: string) =>
    fetch(`${server.url}/_sandbox/inbox/left${path}`, { method, body, headers: { 'content-type': 'application/json' } });
  expect((await send('PUT', '/responses', '[{"status": 204, "delayMs": 200}]')).status).toBe(200);
  const socket = connectTo(server.url);
  socket.write(`POST /_sandbox/inbox/left HTTP/1.1\r\nHost: localhost\r\n${rest}`);
  const { inboxMessages } = server.sandbox.world('default').state;
  if (rest.endsWith('{}')) await expect.poll(() => inboxMessages.size).toBe(1);
  socket.resetAndDestroy();
  await once(socket, 'close');
  expect((await send('POST', '', '{}')).ok).toBe(true);
  await server.close();
  expect(lines).toEqual([]);
});

test('a stop ends waiting requests with a response', async () => {
  const server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
  const waits = vi.spyOn(server.sandbox.watch, 'until');
  const waiting = call(server.url, 'GET', '/_sandbox/inbox/nothing/await?timeoutMs=60000');
  await expect.poll(() => waits.mock.calls.length).toBe(1);
  await server.close();
  expect(await waiting).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE', message: 'The sandbox is stopping.' } });
});
