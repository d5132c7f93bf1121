import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { TestResponse } from '../testing/calls.js';
import { inLength } from '../testing/long-run.js';
import { SandboxProcess, call, temporaryDirectory, tokenFor } from '../testing/process.js';
import { pixBeneficiary } from '../testing/withdrawals.js';

/** A heap so small that a few seconds of writes reach the byte limit of rows, which depends on the heap. */
const smallHeap = { NODE_OPTIONS: `--max-old-space-size=${inLength(96, 128)}` };

/** Repeats a request over several connections until it exceeds the byte limit. @returns the error response */
async function fill(request: () => Promise<TestResponse>): Promise<TestResponse> {
  const refusals = await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (;;) {
        const answer = await request();
        if (answer.status >= 300) return answer;
      }
    }),
  );
  return refusals[0]!;
}

const cases = [
  ['large rows', 'SIGKILL'],
  ['large rows', 'SIGTERM'],
  ['small rows', 'SIGKILL'],
  ['small rows', 'SIGTERM'],
] as const;

it.each(cases.slice(0, inLength(1, 4)))(
  'a world filled to its limit with %s starts again with the same heap after %s',
  { timeout: inLength(120_000, 600_000) },
  async (what, signal) => {
    const data = temporaryDirectory();
    const first = await SandboxProcess.start(['--data', data, '--log-level', 'error'], smallHeap);
    const { url } = first;
    const headers = { authorization: `Bearer ${await tokenFor(url)}` };
    const post = (path: string, body: unknown) =>
      call(url, 'POST', path, { body, headers: { ...headers, 'x-idempotency-key': randomUUID() } });
    const subscription = await post('/api/subscriptions', { url: 'http://127.0.0.1:9/', includeAll: true });
    expect(subscription.status).toBe(201);
    const large = { eventType: 'OPERATION_COMPLETED', payload: { note: 'n'.repeat(60_000) } };
    const refusal = await fill(() =>
      what === 'small rows' ? post('/api/beneficiaries', pixBeneficiary()) : call(url, 'POST', '/_sandbox/events', { body: large }),
    );
    expect(refusal).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', details: { setting: 'SANDBOX_MAX_MIB' } } });
    const listed = (at: string) => call(at, 'GET', '/_sandbox/worlds').then(({ body }) => body.data[0].rows as number);
    await call(url, 'POST', '/_sandbox/deliveries/flush', { body: {} });
    await call(url, 'PUT', '/_sandbox/clock', { body: { mode: 'FROZEN' } });
    const rows = await listed(url);
    await first.end(signal);

    const second = await SandboxProcess.start(['--data', data, '--log-level', 'error'], smallHeap);
    expect(await listed(second.url)).toBe(rows);
    expect((await call(second.url, 'POST', '/_sandbox/reset')).status).toBe(200);
    expect(await second.end('SIGTERM')).toBe(0);
  },
);
