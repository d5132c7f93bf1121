import { type EventType, eventTypes, resourceOf } from '../../contract/shared/event-types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { AssetActivatedEventSchema, InstructionEventSchema, OperationEventSchema } from '../../contract/public/events.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();
afterEach(() => {
  harness.attempts.length = 0;
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
});

async function subscribe(world: string, body: Record<string, unknown> = {}): Promise<string> {
  const answer = await harness.api(
    'POST',
    '/api/subscriptions',
    { body: { url: 'http://localhost:9000/', includeAll: true, ...body } },
    world,
  );
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

const inboxUrl = (world: string, name = 'in') => `http://localhost:4010/_sandbox/inbox/${name}?world=${world}`;
const fire = (world: string, body: Record<string, unknown>) => harness.control('POST', '/events', body, world);

describe('flushing deliveries', () => {
  it('times out after `timeoutMs`, so that a webhook handler can flush without a deadlock', async () => {
    const world = await manual(await harness.world('flush'));
    await subscribe(world);
    const flush = (body?: unknown) => harness.control('POST', '/deliveries/flush', body, world);
    const flushed: unknown[] = [];
    harness.receive = async () => {
      flushed.push(await flush({ timeoutMs: 0 }), await flush({ timeoutMs: 20 }));
      return { httpStatus: 200, error: null };
    };
    await fire(world, { eventType: 'OPERATION_FAILED' });
    expect(await flush()).toMatchObject({ status: 200, body: { waiting: 0 } });
    const late = { status: 408, body: { code: 'WAIT_TIMEOUT', details: { open: 1 } } };
    expect(flushed).toMatchObject([late, late]);
    expect(await flush({ timeoutMs: 0 })).toMatchObject({ status: 200 });
  });

  it.each([{ timeoutMs: -1 }, { timeoutMs: 600_001 }, { timeoutMs: '5s' }, { timeout: 1 }])('rejects the body %j', async (body) => {
    const { status, body: answer } = await harness.control('POST', '/deliveries/flush', body);
    expect([status, answer.details.errors[0].field]).toEqual([400, `body:${Object.keys(body)[0]}`]);
  });
});

describe('resending a webhook', () => {
  // §4.12-resend §D11-resend §D6-accepted
  it('makes one attempt with the message id and bytes of the first, and neither changes nor starts retries', async () => {
    const world = await harness.world('resend');
    const subscription = await subscribe(world, { allowRetry: true });
    const path = `/api/subscriptions/${subscription}/executionLogs`;
    harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, await manual(world));
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    const before = (await harness.api('GET', path, {}, world)).body.data;
    expect(before.length).toBe(4);
    const resent = await harness.api('POST', `${path}/${before[0].id}/resend`, {}, world);
    expect([resent.status, resent.body]).toEqual([202, null]);
    await harness.quiet(world);
    const after = (await harness.api('GET', path, {}, world)).body.data;
    expect(after.length).toBe(5);
    expect(after[0]).toMatchObject({ status: 'FAILED', retryAttempts: 3, messageId: before[0].messageId, payload: before[0].payload });
    expect((await harness.control('GET', '/clock', undefined, world)).body.pendingTimers).toBe(0);

    harness.receive = () => Promise.resolve({ httpStatus: 204, error: null });
    await harness.api('POST', `${path}/${before[0].id}/resend`, {}, world);
    await harness.quiet(world);
    const delivery = (await harness.control('GET', '/deliveries', undefined, world)).body.data[0];
    expect(delivery).toMatchObject({ id: before[0].messageId, status: 'SUCCESS', attempts: 6, retries: 3 });
  });

  it('ends the retries when it succeeds', async () => {
    const world = await manual(await harness.world('resend-waiting'));
    const subscription = await subscribe(world, { allowRetry: true });
    harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await harness.quiet(world);
    harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
    const [log] = (await harness.api('GET', `/api/subscriptions/${subscription}/executionLogs`, {}, world)).body.data;
    await harness.api('POST', `/api/subscriptions/${subscription}/executionLogs/${log.id}/resend`, {}, world);
    await harness.quiet(world);
    expect((await harness.control('GET', '/clock', undefined, world)).body.pendingTimers).toBe(0);
    expect(harness.attempts.length).toBe(2);
  });

  // §D11-resend §4.12-resend-unknown
  it('is rejected for a successful attempt, an unknown log and a log of a different subscription', async () => {
    const world = await manual(await harness.world('resend-refused'));
    const [subscription, other] = [await subscribe(world), await subscribe(world)];
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await harness.quiet(world);
    const [log] = (await harness.api('GET', `/api/subscriptions/${subscription}/executionLogs`, {}, world)).body.data;
    const resend = (ofSubscription: string, id: string) =>
      harness.api('POST', `/api/subscriptions/${ofSubscription}/executionLogs/${id}/resend`, {}, world);
    expect((await resend(subscription, log.id)).body).toMatchObject({ code: 'DELIVERY_NOT_FAILED', details: { status: 'SUCCESS' } });
    const missing = '00000000-0000-4000-8000-000000000000';
    expect((await resend(subscription, missing)).body).toMatchObject({ code: 'RESOURCE_NOT_FOUND', details: { resource: 'ExecutionLog' } });
    expect((await resend(other, log.id)).body).toMatchObject({ code: 'RESOURCE_NOT_FOUND', details: { resource: 'ExecutionLog' } });
    expect((await resend(missing, log.id)).body).toMatchObject({ code: 'RESOURCE_NOT_FOUND', details: { resource: 'Subscription' } });
  });

  it('by a control request is possible for any delivery', async () => {
    const world = await manual(await harness.world('resend-any'));
    await subscribe(world);
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await harness.quiet(world);
    const [delivery] = (await harness.control('GET', '/deliveries?filters=status[eq]=SUCCESS', undefined, world)).body.data;
    expect((await harness.control('POST', `/deliveries/${delivery.id}/resend`, undefined, world)).status).toBe(200);
    expect((await harness.control('POST', '/deliveries/flush', undefined, world)).body).toEqual({ waiting: 0 });
    expect(harness.attempts.map((each) => each.headers['x-message-id'])).toEqual([delivery.id, delivery.id]);
    expect(new Set(harness.attempts.map((each) => each.body)).size).toBe(1);
  });
});

async function manual(world: string): Promise<string> {
  await harness.control('PUT', '/scenario', { name: 'manual' }, world);
  return world;
}

describe('events on demand', () => {
  it.each(eventTypes)('of type %s without a resource are synthetic, with a complete payload', async (eventType) => {
    const world = await harness.world(`synthetic-${eventType.toLowerCase().replaceAll('_', '-')}`);
    await subscribe(world);
    const fired = await fire(world, { eventType });
    expect(fired.status).toBe(200);
    expect(fired.body.data).toMatchObject([{ eventType, synthetic: true, status: 'DUE', attempts: 0 }]);
    await harness.quiet(world);
    const [attempt] = harness.attempts;
    expect(attempt!.headers).toMatchObject({ 'x-sandbox-synthetic': 'true', 'x-event-type': eventType });
    checkPayload(eventType, attempt!.body);
  });

  it('of type ASSET_ACTIVATED without a resource name one asset, like real events', async () => {
    const world = await harness.world('one-asset');
    await subscribe(world);
    await fire(world, { eventType: 'ASSET_ACTIVATED' });
    await harness.quiet(world);
    expect(JSON.parse(harness.attempts[0]!.body).assets).toEqual(['BRL']);
  });

  it('of type OPERATION_FAILED without a resource show the reason code in the transaction, like real events', async () => {
    const world = await harness.world('failed-example');
    await subscribe(world);
    await fire(world, { eventType: 'OPERATION_FAILED' });
    await harness.quiet(world);
    const { currentState, transactions } = JSON.parse(harness.attempts[0]!.body);
    expect(transactions[0].currentState.reason).toBe(currentState.reason.code);
  });

  // §6-asset-activated
  it.each(eventTypes)('of type %s about a resource are synthetic if the resource has a different status', async (eventType) => {
    const world = await harness.world(`present-${eventType.toLowerCase().replaceAll('_', '-')}`);
    const operation = await withdraw(harness, world);
    const { approved, accountId } = fixtureIds(harness, world);
    const resourceId = eventType.startsWith('OPERATION')
      ? operation.id
      : eventType === 'ASSET_ACTIVATED'
        ? accountId
        : approved.paymentInstructions[0]!.id;
    await subscribe(world);
    const fired = await fire(world, { eventType, resourceId });
    const happened = ['OPERATION_REQUESTED', 'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED', 'ASSET_ACTIVATED'].includes(eventType);
    expect(fired.body.data).toMatchObject([{ eventType, resourceId, synthetic: !happened }]);
    await harness.quiet(world);
    expect(harness.attempts.length).toBe(1);
    expect(harness.attempts[0]!.headers['x-sandbox-synthetic']).toBe(happened ? undefined : 'true');
    const status = eventType.endsWith('_CREATED') ? 'PENDING_REVIEW' : eventType.split('_').at(-1);
    expect(checkPayload(eventType, harness.attempts[0]!.body)).toMatchObject(
      {
        OPERATION: { id: operation.id, currentState: { status } },
        BENEFICIARY: { id: approved.id, instruction: { status } },
        ACCOUNT: { accountId, assets: ['BRL'] },
      }[resourceOf(eventType)],
    );
  });

  it('about a beneficiary use its newest payment instruction', async () => {
    const world = await harness.world('by-beneficiary');
    const { approved } = fixtureIds(harness, world);
    await subscribe(world);
    const fired = await fire(world, { eventType: 'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED', resourceId: approved.id });
    expect(fired.body.data[0].resourceId).toBe(approved.paymentInstructions[0]!.id);
  });

  it('merge a given payload into the real one, are logged as deliveries, and do not change the resource', async () => {
    const world = await manual(await harness.world('merged'));
    const operation = await withdraw(harness, world);
    const subscription = await subscribe(world);
    await fire(world, {
      eventType: 'OPERATION_COMPLETED',
      resourceId: operation.id,
      payload: { currentState: { status: 'COMPLETED' }, tags: [], extra: { deep: 1 } },
    });
    await harness.quiet(world);
    expect(JSON.parse(harness.attempts[0]!.body)).toMatchObject({
      id: operation.id,
      currentState: { status: 'COMPLETED', createdAt: operation.currentState.createdAt },
      tags: [],
      extra: { deep: 1 },
    });
    expect((await harness.api('GET', `/api/operations/${operation.id}`, {}, world)).body).toEqual(operation);
    const logs = await harness.api('GET', `/api/subscriptions/${subscription}/executionLogs`, {}, world);
    expect(logs.body.data).toMatchObject([{ eventType: 'OPERATION_COMPLETED', status: 'SUCCESS', payload: harness.attempts[0]!.body }]);
  });

  it('are sent to all subscriptions to the event type, or only to a named subscription to any type', async () => {
    const world = await harness.world('reach');
    const accounts = await subscribe(world, { includeAll: false, resources: [{ name: 'ACCOUNT' }] });
    await subscribe(world, { includeAll: false, resources: [{ name: 'OPERATION', events: ['OPERATION_FAILED'] }] });
    expect((await fire(world, { eventType: 'OPERATION_COMPLETED' })).body.data).toEqual([]);
    const named = await fire(world, { eventType: 'OPERATION_COMPLETED', subscriptionId: accounts });
    expect(named.body.data.map((each: { subscriptionId: string }) => each.subscriptionId)).toEqual([accounts]);
  });

  it.each([
    [{ eventType: 'NO_SUCH' }, 400, 'INVALID_DATA'],
    [{ eventType: 'OPERATION_FAILED', resourceId: '00000000-0000-4000-8000-000000000000' }, 404, 'RESOURCE_NOT_FOUND'],
    [{ eventType: 'ASSET_ACTIVATED', resourceId: '00000000-0000-4000-8000-000000000000' }, 404, 'RESOURCE_NOT_FOUND'],
    [
      { eventType: 'BENEFICIARY_PAYMENT_INSTRUCTION_CREATED', resourceId: '00000000-0000-4000-8000-000000000000' },
      404,
      'RESOURCE_NOT_FOUND',
    ],
    [{ eventType: 'OPERATION_FAILED', subscriptionId: '00000000-0000-4000-8000-000000000000' }, 404, 'RESOURCE_NOT_FOUND'],
  ])('are rejected for the request %j', async (body, status, code) => {
    const answer = await fire('default', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

/** Returns the payload of a webhook, validated by the contract. */
function checkPayload(eventType: EventType, body: string): unknown {
  const payload: unknown = JSON.parse(body);
  const schemas = { OPERATION: OperationEventSchema, BENEFICIARY: InstructionEventSchema, ACCOUNT: AssetActivatedEventSchema };
  expect(schemas[resourceOf(eventType)].parse(payload)).toEqual(payload);
  return payload;
}

describe('inboxes', () => {
  it('receive webhooks of a subscription, and check their signatures', async () => {
    const world = await harness.world('inbox');
    await subscribe(world, { url: inboxUrl(world) });
    await withdraw(harness, world);
    await harness.quiet(world);
    expect(harness.attempts).toEqual([]);
    const { body } = await harness.control('GET', '/inbox/in/messages', undefined, world);
    expect(body.data).toMatchObject([{ signatureValid: true, receivedAt: '2026-11-21T12:00:00.000Z' }]);
    expect(body.data[0].headers).toMatchObject({ 'x-event-type': 'OPERATION_REQUESTED', 'content-type': 'application/json' });
    await harness.control('POST', '/reset', undefined, world);
    expect((await harness.control('GET', '/inbox/in/messages', undefined, world)).body.data).toEqual([]);
  });

  it('store any POST request, and report a message without a signature as invalid', async () => {
    const guarded = { host: 'evil.example', origin: 'https://evil.example', 'content-type': 'text/plain' };
    const posted = await harness.control('POST', '/inbox/any', 'not json', 'default', guarded);
    expect([posted.status, posted.body]).toEqual([200, null]);
    const { body } = await harness.control('GET', '/inbox/any/messages');
    expect(body.data).toMatchObject([{ body: 'not json', signatureValid: false, headers: { origin: 'https://evil.example' } }]);
    expect((await harness.control('GET', '/inbox/any/messages', undefined, 'default', guarded)).body.code).toBe('HOST_NOT_ALLOWED');
    expect((await harness.control('POST', '/inbox/no%20name', 'x')).body.code).toBe('INVALID_DATA');
    expect((await harness.control('POST', '/inbox/any', 'x', 'nowhere')).body.code).toBe('RESOURCE_NOT_FOUND');
    expect((await harness.control('POST', '/inbox/any', 'x'.repeat(1024 * 1024 + 1))).body.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it.each([
    ['a changed body', (message: { headers: Record<string, string>; body: string }) => ({ ...message, body: `${message.body} ` })],
    ['an old timestamp', (message: { headers: Record<string, string>; body: string }) => message],
  ])('report an invalid signature for %s', async (what, change) => {
    const world = await harness.world(`tamper-${what.replaceAll(' ', '-')}`);
    await subscribe(world);
    await fire(world, { eventType: 'OPERATION_FAILED' });
    await harness.quiet(world);
    const { headers, body } = change(harness.attempts[0]!);
    if (what === 'an old timestamp') harness.realMs += 301_000;
    await harness.control('POST', '/inbox/tampered', body, world, headers);
    expect((await harness.control('GET', '/inbox/tampered/messages', undefined, world)).body.data[0].signatureValid).toBe(false);
  });

  it('return the configured responses in order, then 200', async () => {
    const world = await harness.world('inbox-responses');
    const planned = await harness.control(
      'PUT',
      '/inbox/in/responses',
      [
        { status: 503, times: 2 },
        { status: 410, delayMs: 1 },
      ],
      world,
    );
    expect(planned.body).toEqual([
      { status: 503, delayMs: 0, times: 2 },
      { status: 410, delayMs: 1, times: 1 },
    ]);
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await harness.control('POST', '/inbox/in', '{}', world)).status);
      if (count > 0) continue;
      const left = await harness.control('GET', '/inbox/in/responses', undefined, world);
      expect(left.body.map(({ status, times }: { status: number; times: number }) => [status, times])).toEqual([
        [503, 1],
        [410, 1],
      ]);
    }
    expect(statuses).toEqual([503, 503, 410, 200]);
    expect((await harness.control('GET', '/inbox/in/responses', undefined, world)).body).toEqual([]);
    expect((await harness.control('PUT', '/inbox/in/responses', [{ status: 101 }], world)).status).toBe(400);
  });

  it('can respond with errors, after which the deliveries are retried', async () => {
    const world = await manual(await harness.world('inbox-retries'));
    await subscribe(world, { url: inboxUrl(world), allowRetry: true });
    await harness.control('PUT', '/inbox/in/responses', [{ status: 500, times: 2 }], world);
    await fire(world, { eventType: 'ASSET_ACTIVATED' });
    expect((await harness.control('POST', '/deliveries/flush', undefined, world)).body).toEqual({ waiting: 1 });
    const { body } = await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    expect(body.deliveries.map((each: { httpStatus: number }) => each.httpStatus)).toEqual([500, 200]);
    expect((await harness.control('GET', '/inbox/in/messages', undefined, world)).body.data.length).toBe(3);
  });

  it('can be awaited until a number of messages with an event type and resource have arrived', async () => {
    const world = await manual(await harness.world('inbox-await'));
    await subscribe(world, { url: inboxUrl(world) });
    const { approved } = fixtureIds(harness, world);
    const waited = harness.control(
      'GET',
      `/inbox/in/await?eventType=BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED&resourceId=${approved.id}&count=2&timeoutMs=5000`,
      undefined,
      world,
    );
    await fire(world, { eventType: 'OPERATION_FAILED' });
    await fire(world, { eventType: 'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED' });
    await fire(world, { eventType: 'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED', resourceId: approved.id });
    await fire(world, { eventType: 'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED', resourceId: approved.id });
    const { status, body } = await waited;
    expect([status, body.data.length, body.meta.total]).toEqual([200, 2, 2]);
  });

  it('report the received messages if the wait times out', async () => {
    const world = await harness.world('inbox-timeout');
    await harness.control('POST', '/inbox/in', '{"id":"one"}', world);
    const { status, body } = await harness.control('GET', '/inbox/in/await?count=2&timeoutMs=1', undefined, world);
    expect([status, body.code]).toEqual([408, 'WAIT_TIMEOUT']);
    expect(body.details).toMatchObject({ expected: 2, received: 1, messages: [{ body: '{"id":"one"}' }] });
    const came = '1 of 2 messages arrived in inbox in within 1 ms.';
    expect(body.message).toBe(`${came} No subscription of this world sends to this inbox.`);
    await subscribe(world, { url: inboxUrl(world) });
    await withdraw(harness, world);
    const due = await harness.control('GET', '/inbox/in/await?count=9&timeoutMs=1', undefined, world);
    expect(due.body.message).toMatch(/The clock of this world is frozen\. POST \/_sandbox\/clock\/advance fires pending timers\.$/);
  });
});

describe('deleting a subscription', () => {
  it('cancels its pending webhooks and deletes its log', async () => {
    const world = await manual(await harness.world('unsubscribe'));
    const [gone, stays] = [await subscribe(world, { allowRetry: true }), await subscribe(world)];
    harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
    await fire(world, { eventType: 'OPERATION_FAILED' });
    await harness.quiet(world);
    expect((await harness.control('DELETE', `/subscriptions/${gone}`, undefined, world)).status).toBe(204);
    expect((await harness.api('GET', `/api/subscriptions/${gone}`, {}, world)).status).toBe(404);
    expect((await harness.control('GET', '/clock', undefined, world)).body.pendingTimers).toBe(0);
    const { state } = harness.sandbox.world(world);
    expect([...state.deliveries.values()].map((each) => each.subscriptionId)).toEqual([stays]);
    expect([...state.executionLogs.values()].map((each) => each.subscriptionId)).toEqual([stays]);
    expect((await harness.control('DELETE', `/subscriptions/${gone}`, undefined, world)).body.code).toBe('RESOURCE_NOT_FOUND');
  });
});
