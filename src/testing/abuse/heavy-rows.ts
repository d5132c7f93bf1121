import { randomUUID } from 'node:crypto';
import { call } from '../process.js';

/** Extent of {@link heavyRows}. */
export interface HeavyExtent {
  /** Number of rounds of large events. */
  readonly rounds: number;
  /** Number of subscriptions that receive each event. */
  readonly subscriptions: number;
  readonly snapshots: number;
}

/** Sends requests that make the sandbox store much more data than they contain. Together, the requests of the complete run reach its limit. */
export async function heavyRows(
  url: string,
  { world, token }: { world: string; token: string },
  { rounds, subscriptions, snapshots }: HeavyExtent,
): Promise<void> {
  const asTester = { 'x-sandbox-world': world };
  const subscribe = () =>
    call(url, 'POST', '/api/subscriptions', {
      body: { url: 'http://127.0.0.1:9/', includeAll: true, allowRetry: true },
      headers: { authorization: `Bearer ${token}`, 'x-idempotency-key': randomUUID() },
    });
  for (let count = 0; count < subscriptions; count += 1) await subscribe();
  for (let count = 0; count < rounds; count += 1)
    for (const length of [1_000_000, 60_000, 18_000, 3_300])
      await call(url, 'POST', '/_sandbox/events', {
        body: { eventType: 'OPERATION_COMPLETED', payload: { note: 'n'.repeat(length) } },
        headers: asTester,
      });
  const fault = { on: 'REQUEST', when: { path: 'p'.repeat(900_000) }, effect: { status: 500 } };
  await call(url, 'POST', '/_sandbox/faults', { body: fault, headers: asTester });
  for (let count = 0; count < snapshots; count += 1)
    await call(url, 'POST', '/_sandbox/snapshots', { body: { name: `heavy-${randomUUID()}` }, headers: asTester });
  await call(url, 'POST', '/_sandbox/reset', { headers: asTester });
}
