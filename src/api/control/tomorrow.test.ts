import { afterEach, describe, expect, it } from 'vitest';
import { differencesOf } from '../../cli/conform/differences.js';
import type { HarEntry } from '../../cli/conform/har-entries.js';
import { OperationEventSchema } from '../../contract/public/events.js';
import { QuoteSchema } from '../../contract/public/quotes.js';
import { isGenuine } from '../../domain/webhooks/signature.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();
afterEach(() => {
  harness.attempts.length = 0;
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
});

const unknownField = 'A field that this version of the API does not define.';
const futureType = /_FUTURE_EVENT$/;

async function subscribe(world: string, body: Record<string, unknown>): Promise<string> {
  const request = { url: 'http://localhost:9000/', allowRetry: true, ...body };
  const answer = await harness.api('POST', '/api/subscriptions', { body: request }, world);
  expect([answer.status, answer.body.includeAll]).toEqual([201, undefined]);
  return answer.body.id as string;
}

const advance = (world: string, by: string) => harness.control('POST', '/clock/advance', { by }, world);
const typesOf = (attempts: typeof harness.attempts) => attempts.map(({ headers }) => String(headers['x-event-type']));

/** Returns a value without the unknown fields in it; counts them. */
function known(value: unknown): { value: unknown; removed: number } {
  let removed = 0;
  const text = JSON.stringify(value, (name, each: unknown) => (name === 'unknownField' ? void (removed += 1) : each));
  return { value: JSON.parse(text), removed };
}

describe('the scenario tomorrow', () => {
  it('adds unknown fields to responses and errors, which otherwise follow the contract', async () => {
    const world = await harness.world('tomorrow-responses', { scenario: 'tomorrow' });
    const { accountId } = fixtureIds(harness, world);
    const request = { accountId, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '10.00' };
    const quote = await harness.api('POST', '/api/quotes', { body: request }, world);
    expect(quote).toMatchObject({ status: 201, body: { unknownField, sourceAmount: { value: '10.00', unknownField } } });
    const { value, removed } = known(quote.body);
    expect([QuoteSchema.strict().safeParse(value).success, removed > 3]).toEqual([true, true]);
    const list = await harness.api('GET', '/api/accounts?limit=2', {}, world);
    expect(list.body).toMatchObject({ data: [{ unknownField }, { unknownField }], meta: { unknownField } });
  });

  it('adds unknown fields to all webhooks, whose signatures and logs match the sent bytes', async () => {
    const world = await harness.world('tomorrow-webhooks', { scenario: 'tomorrow' });
    const id = await subscribe(world, { resources: [{ name: 'OPERATION' }] });
    harness.receive = () => Promise.resolve({ httpStatus: harness.attempts.length === 1 ? 503 : 200, error: null });
    await withdraw(harness, world);
    await advance(world, 'PT10S');
    expect(typesOf(harness.attempts)).toEqual(['OPERATION_REQUESTED', 'OPERATION_COMPLETED', 'OPERATION_REQUESTED']);
    const { identity } = harness.sandbox.world(world);
    for (const { body, headers } of harness.attempts) {
      expect(JSON.parse(body)).toMatchObject({ unknownField, currentState: { unknownField }, sourceAmount: { unknownField } });
      expect(OperationEventSchema.strict().safeParse(known(JSON.parse(body)).value).success).toBe(true);
      expect(isGenuine(headers, Buffer.from(body), identity, harness.realMs / 1000)).toBe(true);
    }
    const logs = await harness.api('GET', `/api/subscriptions/${id}/executionLogs?sortOrder=ASCENDING`, {}, world);
    expect(logs.body.data.map((each: { payload: string }) => each.payload)).toEqual(harness.attempts.map(({ body }) => body));
  });

  it('sends an event of an unknown type after each first attempt, only to subscriptions with includeAll', async () => {
    const world = await harness.world('tomorrow-events', { scenario: 'tomorrow' });
    const everything = ['OPERATION', 'BENEFICIARY', 'ACCOUNT'].map((name) => ({ name }));
    await subscribe(world, { url: 'http://localhost:9001/', resources: everything });
    const all = await subscribe(world, { includeAll: true });
    await withdraw(harness, world);
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await harness.quiet(world);
    const named = harness.attempts.filter(({ url }) => url.includes('9001'));
    expect(typesOf(named)).toEqual(['OPERATION_REQUESTED', 'BENEFICIARY_PAYMENT_INSTRUCTION_CREATED']);
    const own = harness.attempts.filter(({ url }) => url.includes('9000'));
    expect(typesOf(own).toSorted()).toEqual([
      'BENEFICIARY_FUTURE_EVENT',
      'BENEFICIARY_PAYMENT_INSTRUCTION_CREATED',
      'OPERATION_FUTURE_EVENT',
      'OPERATION_REQUESTED',
    ]);
    expect(new Set(own.map(({ headers }) => headers['x-message-id'])).size).toBe(4);
    const [requested, future] = ['OPERATION_REQUESTED', 'OPERATION_FUTURE_EVENT'].map((type) =>
      own.find(({ headers }) => headers['x-event-type'] === type)!,
    );
    expect(known(JSON.parse(future!.body)).value).toEqual(known(JSON.parse(requested!.body)).value);
    expect(future!.headers).toMatchObject({ 'x-resource-name': 'OPERATION' });
    const { identity } = harness.sandbox.world(world);
    expect(isGenuine(future!.headers, Buffer.from(future!.body), identity, harness.realMs / 1000)).toBe(true);

    const logs = await harness.api('GET', `/api/subscriptions/${all}/executionLogs`, {}, world);
    expect(logs.body.data).toHaveLength(2);
    const deliveries = await harness.control('GET', '/deliveries?filters=eventType[eq]=OPERATION_FUTURE_EVENT', undefined, world);
    expect(deliveries.body.data).toMatchObject([{ status: 'SUCCESS', attempts: 1, subscriptionId: all, synthetic: false }]);
    const detail = await harness.control('GET', `/deliveries/${deliveries.body.data[0].id}`, undefined, world);
    const hidden = `/api/subscriptions/${all}/executionLogs/${detail.body.log[0].id}`;
    expect(await harness.api('GET', hidden, {}, world)).toMatchObject({ status: 404, body: { code: 'RESOURCE_NOT_FOUND' } });
    expect(await harness.api('POST', `${hidden}/resend`, {}, world)).toMatchObject({ status: 404 });
  });

  it('differs from the contract only as a service may at any time, by the verb conform', async () => {
    const world = await harness.world('tomorrow-conform', { scenario: 'tomorrow' });
    await subscribe(world, { includeAll: true });
    const { id } = await withdraw(harness, world, '10.22');
    await advance(world, 'PT10S');
    await harness.api('GET', `/api/operations/${id}`, {}, world);
    const { body } = await harness.control('GET', '/requests?format=har&kind=REQUEST,ATTEMPT', undefined, world);
    const entries = body.log.entries as HarEntry[];
    const kinds = entries.flatMap((entry) => differencesOf(entry, '')!.differences.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(['NEW_FIELD', 'NEW_EVENT_TYPE']));
  });

  it('retries a rejected event of an unknown type, and never sends one about it', async () => {
    const world = await harness.world('tomorrow-retries', { scenario: 'tomorrow' });
    await subscribe(world, { includeAll: true });
    harness.receive = ({ headers }) => Promise.resolve({ httpStatus: futureType.test(headers['X-Event-Type']!) ? 400 : 200, error: null });
    await withdraw(harness, world);
    await advance(world, 'PT1H');
    const [delivery] = (await harness.control('GET', '/deliveries?filters=eventType[eq]=OPERATION_FUTURE_EVENT', undefined, world)).body
      .data;
    expect(delivery).toMatchObject({ status: 'FAILED', attempts: 4 });
    expect(harness.attempts).toHaveLength(2 + 2 * 4);
    await harness.control('POST', `/deliveries/${delivery.id}/resend`, undefined, world);
    await harness.quiet(world);
    expect(harness.attempts).toHaveLength(2 + 2 * 4 + 1);
  });

  it('lists an event of an unknown type right after the event that it follows, on pages of any size', async () => {
    const world = await harness.world('tomorrow-order', { scenario: 'tomorrow' });
    await subscribe(world, { includeAll: true });
    for (let count = 0; count < 6; count += 1) await withdraw(harness, world);
    await harness.quiet(world);
    const listed: string[] = [];
    for (let cursor = ''; cursor !== 'end';) {
      const { body } = await harness.control('GET', `/deliveries?limit=5&sortOrder=ASCENDING${cursor}`, undefined, world);
      listed.push(...body.data.map((each: { eventType: string; resourceId: string }) => `${each.eventType} ${each.resourceId}`));
      cursor = body.meta.nextCursor === null ? 'end' : `&cursor=${body.meta.nextCursor}`;
    }
    const operations = harness.attempts.map(({ body }) => (JSON.parse(body) as { id: string }).id);
    const expected = [...new Set(operations)].flatMap((id) => [`OPERATION_REQUESTED ${id}`, `OPERATION_FUTURE_EVENT ${id}`]);
    expect(listed).toEqual(expected);
  });

  it('fails operations with the cents 22 for a reason that the API does not define', async () => {
    const world = await harness.world('tomorrow-reason', { scenario: 'tomorrow' });
    const { id } = await withdraw(harness, world, '10.22');
    await advance(world, 'PT10S');
    const operation = await harness.api('GET', `/api/operations/${id}`, {}, world);
    expect(operation.body.currentState).toMatchObject({ status: 'FAILED', reason: { code: 'FUTURE_REASON' } });
  });

  it('has a state that another world can import', async () => {
    const world = await harness.world('tomorrow-state', { scenario: 'tomorrow' });
    await subscribe(world, { includeAll: true });
    await withdraw(harness, world);
    await advance(world, 'PT10S');
    const { body } = await harness.control('GET', '/state', undefined, world);
    expect(JSON.stringify(body)).toContain('FUTURE_EVENT');
    await harness.control('PUT', '/state', body, await harness.world('tomorrow-copy'));
    const copy = (await harness.control('GET', '/state', undefined, 'tomorrow-copy')).body.tables;
    expect([copy.deliveries, copy.outbox]).toEqual([body.tables.deliveries, body.tables.outbox]);
  });
});

describe('the effect unknownEvent', () => {
  it('sends nothing for a dropped webhook, and one event for all copies of a webhook', async () => {
    const world = await harness.world('unknown-event', { scenario: 'manual' });
    await subscribe(world, { includeAll: true, allowRetry: false });
    const fault = (effect: object) => harness.control('POST', '/faults', { on: 'DELIVERY', times: 1, effect }, world);
    await fault({ unknownEvent: true, drop: true });
    await withdraw(harness, world);
    await harness.quiet(world);
    expect(harness.attempts).toEqual([]);
    await fault({ unknownEvent: true, unknownFields: true, duplicate: 2 });
    await withdraw(harness, world);
    await harness.quiet(world);
    expect(typesOf(harness.attempts).filter((type) => futureType.test(type))).toHaveLength(1);
    expect(harness.attempts.filter(({ body }) => body.includes(unknownField))).toHaveLength(3);
  });
});
