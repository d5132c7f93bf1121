import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { turnsDuring } from '../../testing/turns.js';
import { fixtureIds } from '../../testing/withdrawals.js';

const harness = useHarness();
const deliveries = 2000;
let operationId: string;

beforeAll(async () => {
  const world = await harness.world('busy');
  const { accountIds } = fixtureIds(harness, world);
  await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', includeAll: true } }, world);
  const body = { sourceAccountId: accountIds[0], targetAccountId: accountIds[1], amount: { value: '1.00', asset: 'BRL' } };
  operationId = (await harness.api('POST', '/api/operations/transfer', { body }, world)).body.id;
  await harness.control('POST', '/clock/advance', { by: 'PT1H' }, world);
  const { state } = harness.sandbox.world(world);
  const last = [...state.deliveries.values()].findLast(({ resourceId }) => resourceId === operationId)!;
  for (let count = 1; count <= deliveries; count += 1) {
    const id = randomUUID();
    state.deliveries.set(id, { ...last, id, seq: last.seq + count, status: 'FAILED' });
  }
});

it('a verification has at most 100 conditions and 1,000 values in lists, in all steps together', async () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_each, index) => [`f${index}`, index]));
  const verify = (body: object) => harness.control('POST', '/requests/verify', body, 'busy');
  for (const body of [
    { match: { body: fields(101) } },
    { match: { body: fields(9000) } },
    { sequence: Array.from({ length: 50 }, () => ({ match: { body: fields(3) } })) },
    { match: { status: { in: Array.from({ length: 1001 }, (_each, index) => index) } } },
  ]) {
    const { status, body: error } = await verify(body);
    expect([status, error.details.errors[0].code]).toEqual([400, 'OUT_OF_RANGE']);
  }
  expect((await verify({ match: { body: fields(100) }, count: 0 })).status).toBe(200);
});

it('an explanation shows the newest 1,000 of many deliveries', async () => {
  const { status, body } = await harness.control('GET', `/why/${operationId}`, undefined, 'busy');
  expect([status, body.entries.length]).toEqual([200, 1000]);
});

it('9,999 rows about one operation with many deliveries are compared in time slices', async () => {
  const rows = Array.from({ length: 9999 }, () => ({ id: operationId, status: 'FAILED' }));
  const before = process.cpuUsage();
  const { turns, value } = await turnsDuring(harness.control('POST', '/reconcile', { operations: rows }, 'busy'));
  const { user } = process.cpuUsage(before);
  expect(value.status).toBe(200);
  expect(turns).toBeGreaterThan(5);
  // Looking up the deliveries for each row takes minutes.
  expect(user / 1e6).toBeLessThan(10);
});
