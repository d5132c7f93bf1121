import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedCall } from '../contract/control/analysis/record.js';
import { call, connect, temporaryDirectory, tokenFor } from '../testing/process.js';
import { connectTo } from '../testing/unfinished-requests.js';
import { startServer, type RunningServer } from './server.js';
import { logFormat } from './log.js';
import { readSettings } from './options.js';

/** Tests the recorded requests of clients that use real sockets. */

const controlToken = 'c0ntrol/t0ken+="of mine"'.replaceAll(/["\s]/g, '_');
const authorization = `Bearer ${controlToken}`;
let server: RunningServer;
/** The lines of its log, with bodies. */
const lines: string[] = [];
const reportDirectory = temporaryDirectory();
beforeAll(async () => {
  const args = ['--port', '0', '--data', 'memory', '--report-dir', reportDirectory, '--control-token', controlToken];
  const log = pino({ ...logFormat, level: 'debug' }, { write: (line) => void lines.push(line) });
  server = await startServer(readSettings(args, {}), { log });
});
afterAll(() => server.close());

const control = (method: string, path: string, body?: unknown, world = 'default') =>
  call(server.url, method, `/_sandbox${path}`, {
    headers: { authorization, 'x-sandbox-world': world },
    ...(body === undefined ? {} : { body }),
  });

async function recorded(query: string, world?: string): Promise<RecordedCall[]> {
  const { status, body } = await control('GET', `/requests?limit=100&generation=all&${query}`, undefined, world);
  expect(status).toBe(200);
  return body.data;
}

const fault = (effect: object, phase: string) => control('POST', '/faults', { on: 'REQUEST', times: 1, phase, effect });

const token = () => tokenFor(server.url);

describe('a recorded request', () => {
  it.each([
    ['LOST', { connectionReset: true }, 'after_commit'],
    ['LOST', { truncate: true }, 'after_commit'],
    ['DELIVERED', { slowBody: '20ms' }, 'after_commit'],
  ])('has the outcome %s for a response with the effect %j', async (outcome, effect, phase) => {
    const api = await connect(server.url);
    await fault(effect, phase);
    await api('GET', '/api/accounts').catch(() => undefined);
    expect((await recorded('filters=operationId[eq]=listAccounts'))[0]).toMatchObject({ status: 200, response: { outcome, effect } });
  });

  it.each([
    ['before the response was sent', { delay: '60s' }, 'before'],
    ['in the middle of the response', { slowBody: '10s' }, 'after_commit'],
  ])('has the outcome CLIENT_DISCONNECTED if the client disconnects %s', async (_when, effect, phase) => {
    const bearer = await token();
    await fault(effect, phase);
    const id = `gone-${phase}`;
    const socket = connectTo(server.url);
    await once(socket, 'connect');
    socket.write(`GET /api/accounts?limit=7 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bearer}\r\ntraceparent: ${id}\r\n\r\n`);
    const find = async () => (await recorded('filters=operationId[eq]=listAccounts')).find(({ headers }) => headers['traceparent'] === id);
    while (!(await find())) await new Promise((resolve) => setImmediate(resolve));
    if (phase === 'after_commit') await once(socket, 'data');
    socket.destroy();
    while ((await find())?.response?.outcome !== 'CLIENT_DISCONNECTED') await new Promise((resolve) => setImmediate(resolve));
    expect(await find()).toMatchObject({ connection: expect.any(Number), path: '/api/accounts', status: 200 });
  });

  it('has the number of its connection', async () => {
    const socket = connectTo(server.url);
    await once(socket, 'connect');
    for (const limit of ['21', '22']) {
      socket.write(`GET /api/accounts?limit=${limit} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${await token()}\r\n\r\n`);
      await once(socket, 'data');
    }
    socket.destroy();
    const [second, first] = await recorded('filters=operationId[eq]=listAccounts');
    expect([first!.url, second!.url]).toEqual(['/api/accounts?limit=21', '/api/accounts?limit=22']);
    expect(first!.connection).toBe(second!.connection);
  });
});

describe('secrets', () => {
  it('leave the process by no exit, regardless of how they were sent', async () => {
    const { body: world } = await control('PUT', '/worlds/secretive', {});
    const { clientId, clientSecret } = world.credentials as { clientId: string; clientSecret: string };
    const reading = new AbortController();
    const stream = await fetch(`${server.url}/_sandbox/stream?world=secretive`, { headers: { authorization }, signal: reading.signal });
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const bearer = await tokenFor(server.url, { clientId, clientSecret });
    const userinfo = 'me:Pa55-of-mine';
    const own = { authorization: `Bearer ${bearer}` };
    const keyed = () => ({ ...own, 'x-idempotency-key': crypto.randomUUID() });
    const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
      call(server.url, method, path, { headers, ...(body === undefined ? {} : { body }) });
    await send('POST', '/api/oauth/client/token', { authorization: `Basic ${basic}` }, { clientId, clientSecret: 'Wr0ng-0ne' });
    await send('POST', '/api/oauth/client/token', {}, { clientId: 'nobody', clientSecret });
    await send('POST', '/api/oauth/client/token', {}, `{"clientId":"${clientId}","clientSecret":"${clientSecret}`);
    await send('GET', `/api/accounts?access_token=${bearer}`, { authorization: `Basic ${basic}` });
    await send('GET', `/api/accounts?x=${encodeURIComponent(controlToken)}&client_secret=${clientSecret}`, own);
    await send('GET', `/api/${clientSecret}/${bearer}`, {
      ...own,
      'x-api-key': controlToken,
      cookie: `t=${bearer}`,
      referer: `http://${userinfo}@here/`,
    });
    await send('GET', '/api/accounts', { ...own, 'x-trace': `${bearer} ${clientSecret} ${controlToken} ${basic}` });
    await send('POST', '/api/quotes', keyed(), { accountId: bearer, sourceAsset: clientSecret, note: controlToken, token: 'S0me-token' });
    const encoded = Buffer.from(clientSecret).toString('hex').replaceAll(/../g, '%$&');
    await send('GET', `/api/${encoded}?%63lient_secret=S0me-0ther&x=${encoded}`, own);
    const part = (head: string, text: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    await fetch(`${server.url}/api/documents`, {
      method: 'POST',
      headers: { ...keyed(), 'content-type': 'multipart/form-data; boundary=x' },
      body: `${part('name="body"', JSON.stringify({ note: bearer }))}${part(`name="file"; filename="${clientSecret}.pdf"`, '%PDF-1.7')}--x--\r\n`,
    });
    for (const url of [`https://${userinfo}@hooks.example.com/`, `https://hooks.example.com/?token=S0me-token&key=S0me-key`])
      await send('POST', '/api/subscriptions', keyed(), { url, includeAll: true });
    await control('POST', '/events', { eventType: 'OPERATION_COMPLETED', payload: { note: `${bearer} ${clientSecret}` } }, 'secretive');
    await control('POST', '/deliveries/flush', { timeoutMs: 5000 }, 'secretive');
    const answers = await Promise.all(
      ['', '&format=har', '&unattributed=true', '&unattributed=true&format=har'].map((query) =>
        control('GET', `/requests?limit=100&kind=REQUEST,ATTEMPT,CONTROL,MARK&generation=all${query}`, undefined, 'secretive'),
      ),
    );
    const exits = new Map([['record and HAR', answers.map((each) => each.text).join('\n')]]);
    const reports = ['json', 'markdown', 'junit', 'html'].map((format) => `/report?world=secretive&format=${format}`);
    for (const path of ['/timeline?limit=500&generation=all', '/replay', '/findings', '/coverage', ...reports]) {
      const answer = await fetch(`${server.url}/_sandbox${path}`, { headers: { authorization, 'x-sandbox-world': 'secretive' } });
      const text = await answer.text();
      expect([path, answer.status, text.length > 100]).toEqual([path, 200, true]);
      exits.set(path, text);
    }
    const miss = { expect: [{ kind: 'REQUEST', method: 'DELETE', path: '/api/quotes' }] };
    exits.set('verify', (await control('POST', '/requests/verify', miss, 'secretive')).text);
    let streamed = '';
    for await (const piece of stream.body!.pipeThrough(new TextDecoderStream()))
      if ((streamed += piece).includes('"kind":"ATTEMPT"')) break;
    reading.abort();
    exits.set('stream', streamed).set('log', lines.join(''));
    await server.close();
    const files = readdirSync(reportDirectory).map((name) => readFileSync(join(reportDirectory, name), 'utf8'));
    exits.set('files', files.join('\n'));
    expect(exits.get('record and HAR')!.length).toBeGreaterThan(10_000);
    expect(exits.get('record and HAR')).toContain('.pdf');
    expect(exits.get('log')).toContain('secretive');
    expect(exits.get('files')).toContain('secretive');
    const [, payload = '', signature = ''] = bearer.split('.');
    const secrets = [clientSecret, basic.slice(0, -4), bearer, payload, signature, controlToken, encodeURIComponent(controlToken)];
    const all = [...secrets, 'Wr0ng-0ne', 'S0me-0ther', encoded, userinfo, 'Pa55-of-mine', 'S0me-token', 'S0me-key'];
    const leaked = [...exits].flatMap(([exit, text]) => all.filter((secret) => text.includes(secret)).map((secret) => [exit, secret]));
    expect(leaked).toEqual([]);
  });
});

it('with --record-mib 0, no requests are recorded, and all other functions work', async () => {
  const settings = readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', '--record-mib', '0'], {});
  const other = await startServer(settings);
  try {
    const api = await connect(other.url);
    expect((await api('GET', '/api/accounts')).status).toBe(200);
    expect((await call(other.url, 'PUT', '/_sandbox/test', { body: { name: 'a test' } })).status).toBe(200);
    const { body } = await call(other.url, 'GET', '/_sandbox/requests?generation=all&kind=REQUEST,CONTROL,MARK');
    expect(body.data).toEqual([]);
  } finally {
    await other.close();
  }
});
