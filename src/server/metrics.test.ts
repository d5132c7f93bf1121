import { spawnSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { fixtureIds } from '../testing/withdrawals.js';
import { call, connect } from '../testing/process.js';
import { readSettings } from './options.js';
import { startServer, type RunningServer } from './server.js';

let server: RunningServer;
afterEach(() => server.close());

async function started(...args: string[]): Promise<void> {
  server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', ...args], {}));
}

const scrape = async (url = server.controlUrl) => (await fetch(`${url}/metrics`)).text();
/** Returns the value of a metric. @param measure name and labels, as the text shows them */
const valueOf = (text: string, measure: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${measure} `));
  return line === undefined ? undefined : Number(line.slice(measure.length + 1));
};

it('the metrics count requests, statuses, attempts, findings and commits; known labels start at 0', async () => {
  await started();
  const before = await scrape();
  const calls = 'sandbox_http_requests_total{plane="public",operation="createTransfer",status="201"}';
  const failed = 'sandbox_transitions_total{resource="OPERATION",to="FAILED"}';
  const attempts = 'sandbox_webhook_attempts_total{event_type="OPERATION_FAILED",outcome="success"}';
  const findings = 'sandbox_findings_total{rule="request.unknown-parameter"}';
  expect([calls, failed, attempts, findings].map((each) => valueOf(before, each))).toEqual([0, 0, 0, 0]);
  expect(valueOf(before, 'sandbox_http_request_duration_seconds_count{plane="public"}')).toBe(0);

  const client = await connect(server.url);
  const url = `${server.url}/_sandbox/inbox/orders`;
  await client('POST', '/api/subscriptions', { url, resources: [{ name: 'OPERATION', events: ['OPERATION_FAILED'] }], allowRetry: false });
  const [sourceAccountId, targetAccountId] = fixtureIds(server).accountIds;
  const { body } = await client('POST', '/api/operations/transfer', {
    sourceAccountId,
    targetAccountId,
    amount: { value: '1.00', asset: 'BRL' },
  });
  await call(server.url, 'POST', `/_sandbox/operations/${body.id}/fail`, { body: {} });
  await call(server.url, 'POST', '/_sandbox/deliveries/flush', { body: {} });
  await client('GET', '/api/accounts?filter=x');
  await call(server.url, 'POST', '/_sandbox/worlds', { body: { name: 'other' } });
  const stream = new AbortController();
  await fetch(`${server.url}/_sandbox/stream`, { signal: stream.signal });
  const after = await scrape();
  stream.abort();
  expect([calls, failed, attempts, findings].map((each) => valueOf(after, each))).toEqual([1, 1, 1, 1]);
  expect(valueOf(after, 'sandbox_http_request_duration_seconds_count{plane="public"}')).toBe(4);
  expect(valueOf(after, 'sandbox_webhook_lag_seconds_count')).toBe(1);
  expect(valueOf(after, 'sandbox_storage_commits_total')).toBeGreaterThan(3);
  expect(valueOf(after, 'sandbox_storage_commit_duration_seconds_count')).toBeGreaterThan(3);
  const gauges = ['worlds', 'streams_connected', 'storage_read_only', 'webhook_attempts_open', 'jobs_pending'];
  expect(gauges.map((each) => valueOf(after, `sandbox_${each}`))).toEqual([2, 1, 0, 0, 0]);
  expect(valueOf(after, 'sandbox_record_dropped_total')).toBe(0);
  expect(after).toMatch(/^sandbox_build_info\{version="[^"]+",node="v[^"]+"\} 1$/m);
  expect(after).toMatch(/^process_cpu_seconds_total /m);
  expect(after).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(after).not.toMatch(/world="|id="/);
});

it('the metrics are served only on the control port, without a token', async () => {
  await started('--control-port', '0', '--control-token', 'long-enough');
  expect(await scrape()).toContain('sandbox_worlds 1');
  expect((await fetch(`${server.controlUrl}/metrics`)).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
});

const promtool = spawnSync('promtool', ['--version']).error === undefined;
if (!promtool) console.log('promtool is not installed (Debian: prometheus); the format of the metrics is not checked.');

it.skipIf(!promtool)('promtool finds no problem in the metrics', async () => {
  await started();
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await scrape(), encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
