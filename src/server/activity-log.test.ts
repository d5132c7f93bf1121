import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { fixtureIds } from '../testing/withdrawals.js';
import { call, connect } from '../testing/process.js';
import { logFormat } from './log.js';
import { readSettings } from './options.js';
import { prettyLine } from './pretty-line.js';
import { startServer, type RunningServer } from './server.js';

let server: RunningServer;
afterEach(() => server.close());

/** Starts a sandbox. @returns the lines of its log, which grow */
async function started(level: 'debug' | 'info' | 'warn', ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const log = pino({ ...logFormat, level }, { write: (line) => void lines.push(line) });
  server = await startServer(readSettings(['--port', '0', '--data', 'memory', ...args], {}), { log });
  return lines;
}

/** Creates and fails a transfer with a webhook to an inbox, and sends a probe and a rejected request. @returns the id of the transfer */
async function happen(): Promise<string> {
  const client = await connect(server.url);
  const url = `${server.url}/_sandbox/inbox/orders?token=secret-in-a-url`;
  await client('POST', '/api/subscriptions', { url, resources: [{ name: 'OPERATION' }], allowRetry: false });
  const [accountId, targetAccountId] = fixtureIds(server).accountIds;
  const body = { sourceAccountId: accountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } };
  const { body: transfer } = await client('POST', '/api/operations/transfer', body);
  await call(server.url, 'POST', `/_sandbox/operations/${transfer.id}/fail`, { body: {} });
  await call(server.url, 'POST', '/_sandbox/deliveries/flush', { body: {} });
  await call(server.url, 'GET', '/_sandbox/health/live');
  await call(server.url, 'GET', '/api/accounts', { headers: { authorization: 'Bearer none' } });
  return transfer.id as string;
}

it('the log has a line for each request, webhook attempt and status change, and none for health probes', async () => {
  const lines = await started('info');
  const id = await happen();
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const line of entries) {
    expect(Object.keys(line).toSorted()).toEqual(['cause', 'id', 'kind', 'level', 'ms', 'status', 'time', 'what', 'world']);
    expect([line['level'], line['time']]).toEqual(['info', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)]);
  }
  const shown = entries.map(({ world, kind, what, status }) => `${String(world)} ${String(kind)} ${String(status)}: ${String(what)}`);
  expect(shown).toEqual(
    expect.arrayContaining([
      'default REQUEST 200: POST /api/oauth/client/token',
      'default REQUEST 201: POST /api/operations/transfer',
      'default STATE REQUESTED: OPERATION REQUESTED',
      'default STATE FAILED: OPERATION REQUESTED to FAILED (PROVIDER_ERROR)',
      `default CONTROL 200: POST /_sandbox/operations/${id}/fail`,
      `default ATTEMPT 200: OPERATION_FAILED to ${server.url}/_sandbox/inbox/orders`,
      'null REQUEST 401: GET /api/accounts INVALID_ACCESS_TOKEN',
    ]),
  );
  expect(shown.filter((each) => each.includes('health'))).toEqual([]);
  const state = entries.find(({ what }) => what === 'OPERATION REQUESTED');
  const request = entries.find(({ what }) => what === 'POST /api/operations/transfer');
  expect(state).toMatchObject({ id, cause: request!['id'] });
  expect(lines.join('')).not.toMatch(/sandbox-secret|secret-in-a-url|eyJ/);
});

it('secrets in paths appear neither in the log nor in the stream', async () => {
  const lines = await started('info');
  const reading = new AbortController();
  const stream = await fetch(`${server.url}/_sandbox/stream?kinds=REQUEST`, { signal: reading.signal });
  const client = await connect(server.url);
  await client('GET', '/api/operations/sandbox-secret');
  await call(server.url, 'GET', '/api/sandbox-secret');
  const what = lines.map((line) => (JSON.parse(line) as { what?: string }).what);
  expect(what).toContain('GET /api/operations/[secret] INVALID_DATA');
  expect(what).toContain('GET /api/[secret] ROUTE_NOT_FOUND');
  expect(lines.join('')).not.toContain('sandbox-secret');
  let entries = '';
  for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) if ((entries += piece).includes('INVALID_DATA')) break;
  expect(entries).toContain('GET /api/operations/[secret]');
  expect(entries).not.toContain('sandbox-secret');
  reading.abort();
});

it('the log has bodies at the level debug, without secrets', async () => {
  const lines = await started('debug');
  await happen();
  const entries = lines.map((line) => JSON.parse(line) as Record<string, string>);
  const token = entries.find(({ what }) => what === 'POST /api/oauth/client/token');
  expect(token).toMatchObject({ request: expect.stringContaining('"clientId":"sandbox"'), answer: expect.stringContaining('accessToken') });
  const transfer = entries.find(({ what }) => what === 'POST /api/operations/transfer');
  expect(JSON.parse(transfer!['answer']!)).toMatchObject({ intent: { type: 'TRANSFER' } });
  expect(entries.find(({ kind }) => kind === 'ATTEMPT')).toMatchObject({ request: expect.stringContaining('"currentState"') });
  expect(lines.join('')).not.toMatch(/sandbox-secret|secret-in-a-url|eyJ/);
});

it('the log at the level warn has no lines about normal activity', async () => {
  const lines = await started('warn');
  await happen();
  expect(lines).toEqual([]);
});

it.each<[string, object, string]>([
  [
    'a request',
    { level: 'info', world: 'ci-7', kind: 'REQUEST', what: 'POST /api/quotes', status: 201, ms: 4, id: 'req_1', cause: null },
    '14:03:07.512 ci-7     REQUEST 201 POST /api/quotes 4 ms req_1\n',
  ],
  [
    'a request without a world',
    { level: 'info', world: null, kind: 'CONTROL', what: 'GET /_sandbox', status: 200, ms: 0, id: 'ctl_1', cause: null },
    '14:03:07.512 -        CONTROL 200 GET /_sandbox 0 ms ctl_1\n',
  ],
  [
    'a status change',
    { level: 'info', world: 'default', kind: 'STATE', what: 'OPERATION FAILED', status: 'FAILED', ms: null, id: 'a', cause: 'ctl_1' },
    '14:03:07.512 default  STATE   FAILED OPERATION FAILED a by ctl_1\n',
  ],
  ['a warning', { level: 'warn', what: 'It is open.', address: '::' }, '14:03:07.512 WARN It is open. address=::\n'],
  [
    'an internal error',
    { level: 'error', what: 'internal error: job', err: { stack: 'Error: x\n    at y' } },
    '14:03:07.512 ERROR internal error: job\nError: x\n    at y\n',
  ],
])('prettyLine formats %s', (_what, line, expected) => {
  const json = JSON.stringify({ time: '2026-11-21T14:03:07.512Z', ...line });
  expect(prettyLine(json, false)).toBe(expected);
  const colored = prettyLine(json, true);
  expect(colored.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9]+m`, 'g'), '')).toBe(expected);
  expect(colored).not.toBe(expected);
});

it('the log says once after each freeze of the clock that operations wait for the frozen clock', async () => {
  const lines = await started('info');
  const client = await connect(server.url);
  const [sourceAccountId, targetAccountId] = fixtureIds(server).accountIds;
  const pay = () =>
    client('POST', '/api/operations/transfer', { sourceAccountId, targetAccountId, amount: { value: '1.00', asset: 'BRL' } });
  const clock = (mode: string) => call(server.url, 'PUT', '/_sandbox/clock', { body: { mode } });
  await pay();
  for (let round = 0; round < 2; round += 1) {
    await clock('FROZEN');
    await pay();
    await pay();
    await clock('RUNNING');
    await pay();
  }
  const frozen = lines.map((line) => JSON.parse(line) as { kind: string; what: string }).filter(({ kind }) => kind === 'CLOCK');
  expect(frozen.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^The clock is frozen since \S+Z: operations wait\. "crossborder-sandbox clock run" starts the clock/),
    expect.anything(),
  ]);
});
