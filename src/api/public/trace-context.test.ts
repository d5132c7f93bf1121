import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { quoteIn } from '../../testing/money.js';
import { fixtureIds, withdrawalBody } from '../../testing/withdrawals.js';

const harness = useHarness();

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

/** Subscribes to all events and requests a withdrawal with these headers. @returns the id of the operation */
async function paid(world: string, headers: Record<string, string>) {
  await harness.api(
    'POST',
    '/api/subscriptions',
    { body: { url: 'https://hooks.example.com/b', includeAll: true, allowRetry: true } },
    world,
  );
  const { accountId, approved } = fixtureIds(harness, world);
  const { id: quoteId } = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '150.00' });
  const made = await harness.api(
    'POST',
    '/api/operations/withdrawal',
    { body: withdrawalBody(accountId, quoteId, approved), headers },
    world,
  );
  expect(made.status).toBe(201);
  return made.body.id as string;
}

const settle = (world: string) => harness.control('POST', '/clock/advance', { by: 'PT10S' }, world);
const sentOf = (from = 0) =>
  harness.attempts.slice(from).map(({ headers }) => ({
    type: headers['X-Event-Type'] ?? headers['x-event-type'],
    traceparent: headers['traceparent'],
    tracestate: headers['tracestate'],
  }));

it('all webhooks of an operation carry the trace of its request, with a span for each attempt', async () => {
  const from = harness.attempts.length;
  let isDown = true;
  harness.receive = () => Promise.resolve({ httpStatus: isDown ? 500 : 200, error: null });
  const world = await harness.world('traced');
  await paid(world, { traceparent, tracestate: 'vendor=value,other=1' });
  await harness.quiet(world);
  isDown = false;
  await settle(world);
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
  const sent = sentOf(from);
  expect(sent.length).toBeGreaterThanOrEqual(3);
  for (const each of sent)
    expect(each).toMatchObject({
      traceparent: expect.stringMatching(`^00-${traceId}-[0-9a-f]{16}-01$`),
      tracestate: 'vendor=value,other=1',
    });
  expect(new Set(sent.map((each) => each.traceparent)).size).toBe(sent.length);
});

it.each([
  ['no traceparent header', {}],
  ['a trace id of zeros', { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }],
  ['a parent id of zeros', { traceparent: `00-${traceId}-${'0'.repeat(16)}-01` }],
  ['the version ff', { traceparent: `ff-${traceId}-00f067aa0ba902b7-01` }],
  ['a traceparent in upper case', { traceparent: traceparent.toUpperCase() }],
])('webhooks carry no trace for a request with %s', async (name, headers) => {
  const from = harness.attempts.length;
  const world = await harness.world(`untraced-${name.replaceAll(' ', '-')}`);
  await paid(world, headers);
  await settle(world);
  const sent = sentOf(from);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.every((each) => each.traceparent === undefined && each.tracestate === undefined)).toBe(true);
});

it('webhooks omit a tracestate of more than 512 characters', async () => {
  const from = harness.attempts.length;
  const world = await harness.world('long-state');
  await paid(world, { traceparent, tracestate: `vendor=${'x'.repeat(506)}` });
  await harness.quiet(world);
  expect(sentOf(from)[0]).toMatchObject({ traceparent: expect.stringContaining(traceId), tracestate: undefined });
});

it('the webhook of a forced status carries the trace of the control request, or else of the request that created the resource', async () => {
  const world = await harness.world('forced-trace', { scenario: 'manual' });
  const own = 'a'.repeat(32);
  const ids = [await paid(world, { traceparent }), await paid(world, { traceparent })] as const;
  await harness.quiet(world);
  const from = harness.attempts.length;
  await harness.control('POST', `/operations/${ids[0]}/fail`, undefined, world, { traceparent: `00-${own}-00f067aa0ba902b7-00` });
  await harness.control('POST', `/operations/${ids[1]}/fail`, undefined, world);
  await harness.quiet(world);
  const failed = sentOf(from).filter(({ type }) => type === 'OPERATION_FAILED');
  expect(failed.map((each) => each.traceparent?.slice(3, 35))).toEqual([own, own, traceId, traceId]);
});

it('with the setting traceContext: false, webhooks carry no trace', async () => {
  const from = harness.attempts.length;
  const world = await harness.world('no-trace');
  expect((await harness.control('PUT', '/settings', { traceContext: false }, world)).status).toBe(200);
  await paid(world, { traceparent });
  await settle(world);
  expect(sentOf(from).some((each) => each.traceparent !== undefined)).toBe(false);
});
