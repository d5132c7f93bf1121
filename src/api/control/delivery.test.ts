import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

it('a delivery shows request, effect and response of each attempt, and the time of the next attempt', async () => {
  const world = await harness.world('one-delivery');
  const url = 'https://hooks.example.com/payments';
  await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true, allowRetry: true } }, world);
  await harness.control('POST', '/faults', { on: 'DELIVERY', times: 1, effect: { staleTimestamp: true } }, world);
  harness.receive = () => Promise.resolve({ httpStatus: 503, error: null, answer: { location: null, body: Buffer.from('not now') } });
  const [{ id }] = (await harness.control('POST', '/events', { eventType: 'OPERATION_COMPLETED' }, world)).body.data;
  await harness.quiet(world);
  const show = async () => (await harness.control('GET', `/deliveries/${id}`, undefined, world)).body;
  const first = await show();
  expect(first).toMatchObject({ id, status: 'WAITING', attempts: 1, nextAttemptAt: '2026-11-21T12:00:05.000Z' });
  expect(first.log).toMatchObject([
    {
      status: 'FAILED',
      httpStatus: 503,
      error: 'The endpoint responded with 503.',
      startedAt: '2026-11-21T12:00:00.000Z',
      recorded: {
        attemptKind: 'FIRST',
        number: 1,
        url,
        effect: { staleTimestamp: true },
        headers: { 'x-message-id': id },
        body: { text: first.payload },
        response: { text: 'not now' },
        durationMs: 0,
      },
    },
  ]);
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
  await harness.control('POST', '/clock/advance', { by: '5s' }, world);
  const last = await show();
  expect(last).toMatchObject({ status: 'SUCCESS', attempts: 2, nextAttemptAt: null });
  expect(last.log.map((each: { recorded: { attemptKind: string } }) => each.recorded.attemptKind)).toEqual(['FIRST', 'RETRY']);
  await harness.control('DELETE', '/requests', undefined, world);
  expect((await show()).log.map((each: { recorded: unknown }) => each.recorded)).toEqual([null, null]);
});

it('a delivery shows the due time of an attempt that an effect delays', async () => {
  const world = await harness.world('held-delivery');
  await harness.api('POST', '/api/subscriptions', { body: { url: 'https://hooks.example.com/', includeAll: true } }, world);
  await harness.control('POST', '/faults', { on: 'DELIVERY', times: 1, effect: { delay: '10s' } }, world);
  const [{ id }] = (await harness.control('POST', '/events', { eventType: 'OPERATION_COMPLETED' }, world)).body.data;
  await harness.quiet(world);
  const { body } = await harness.control('GET', `/deliveries/${id}`, undefined, world);
  expect(body).toMatchObject({ status: 'WAITING', attempts: 0, log: [], nextAttemptAt: '2026-11-21T12:00:10.000Z' });
});
