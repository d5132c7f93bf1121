import { describe, expect, it } from 'vitest';
import type { CoverageItem, CoverageView, Dimension, ReproductionStep } from '../../contract/control/analysis/coverage.js';
import type { TestResponse } from '../../testing/calls.js';
import { useHarness } from '../../testing/harness.js';
import { inLength } from '../../testing/long-run.js';
import { fixtureIds, withdraw, withdrawalBody } from '../../testing/withdrawals.js';
import { uploadForm } from '../../testing/onboarding.js';

const harness = useHarness();

const coverage = async (world: string, query = ''): Promise<CoverageView> =>
  (await harness.control('GET', `/coverage${query}`, undefined, world)).body;
const cellOf = async (world: string, dimension: Dimension, id: string): Promise<CoverageItem> =>
  (await coverage(world)).dimensions[dimension].items.find((each) => each.id === id)!;

/** Replaces the placeholders in the steps of an item by ids from earlier responses and fixtures. */
class Ids {
  readonly #ids: Record<string, string>;

  constructor(world: string) {
    const { accountId, accountIds, approved } = fixtureIds(harness, world);
    const { clientId, clientSecret } = harness.sandbox.world(world).identity;
    this.#ids = {
      accountId,
      clientId,
      clientSecret,
      otherAccountId: accountIds[1]!,
      approvedBeneficiaryId: approved.id,
      approvedPaymentInstructionId: approved.paymentInstructions[0]!.id,
      receiverUrl: 'https://hooks.example.com/other',
    };
  }

  fill(text: string): string {
    return text.replaceAll(/\{(\w+)\}/g, (braces, name: string) => this.#ids[name] ?? braces);
  }

  /** Stores the ids in a response. */
  take(path: string, body: TestResponse['body']): void {
    const names: [pattern: RegExp, name: string, value: unknown][] = [
      [/^\/api\/accounts$/, 'accountId', body?.id],
      [/^\/api\/accounts\/[^/]+\/ubos/, 'uboId', body?.id],
      [/^\/api\/quotes/, 'quoteId', body?.id],
      [/^\/api\/operations\//, 'operationId', body?.id],
      [/^\/api\/beneficiaries/, 'beneficiaryId', body?.id],
      [/^\/api\/beneficiaries/, 'paymentInstructionId', body?.paymentInstructions?.[0]?.id],
      [/^\/api\/subscriptions$/, 'subscriptionId', body?.id ?? body?.data?.[0]?.id],
      [/^\/_sandbox\/documents/, 'documentId', body?.data?.[0]?.id],
    ];
    for (const [pattern, name, value] of names) if (pattern.test(path) && typeof value === 'string') this.#ids[name] = value;
  }
}

/** Sends the steps of an item. @returns the responses */
async function send(world: string, provocations: readonly ReproductionStep[]): Promise<string[]> {
  const ids = new Ids(world);
  const outcomes: string[] = [];
  harness.forget(world);
  for (const { method, path, body } of provocations) {
    const at = ids.fill(path);
    const sent: unknown = body === undefined ? undefined : JSON.parse(ids.fill(JSON.stringify(body)));
    const isUpload = at.endsWith('/documents') && method === 'POST';
    const answering = at.startsWith('/_sandbox')
      ? harness.control(method, at.slice('/_sandbox'.length), sent, world)
      : harness.api(method, at, { body: isUpload ? uploadForm((sent as { body: object }).body) : sent }, world);
    const answer = await answering.catch((error: unknown) => ({ status: 0, body: String(error) }));
    outcomes.push(`${method} ${at}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    if (answer.status < 300) ids.take(at, answer.body);
  }
  await harness.control('POST', '/deliveries/flush', undefined, world);
  await harness.control('POST', '/clock/advance', { by: '10s' }, world);
  return outcomes;
}

describe('a coverage item that is not covered', () => {
  // These steps cannot cover disconnects (they need sockets), execution logs (they need a delivery), and a review that is stopped.
  const isLeftOut = ({ id }: CoverageItem) => /^[a-z]\w*\.(timeout|crash)$|ExecutionLog\b|^ACCOUNT\.REVIEWING\.(ACTION|REJ)/.test(id);

  it.each<[dimension: Dimension, every: number]>([
    ['operations', 1],
    ['outcomes', inLength(10, 5)],
    ['statuses', inLength(8, 4)],
    ['transitions', inLength(4, 1)],
    ['reasons', 1],
    ['events', 1],
    ['resilience', inLength(4, 1)],
  ])('of %s is covered after the client runs the steps of the item', async (dimension, every) => {
    const world = await harness.world(`provoked-${dimension}`, { scenario: 'manual' });
    const subscription = { url: 'https://hooks.example.com/x', includeAll: true, allowRetry: true };
    await harness.api('POST', '/api/subscriptions', { body: subscription }, world);
    const missing = (await coverage(world, '?missing=true')).dimensions[dimension].items.filter((each) => !isLeftOut(each));
    const sent = new Map<string, string[]>();
    for (const { id, steps } of missing.filter((_each, index) => index % every === 0)) sent.set(id, await send(world, steps ?? []));
    const { items } = (await coverage(world)).dimensions[dimension];
    expect(items.flatMap(({ id, state }) => (state === 'NOT_COVERED' && sent.has(id) ? [[id, sent.get(id)]] : []))).toEqual([]);
    expect(sent.size).toBeGreaterThan(5);
  });

  it('leaves the list when it is covered, and then counts in the totals of its tier and of all items', async () => {
    const world = await harness.world('figures');
    const before = await coverage(world, '?tier=core&missing=true');
    expect(before).toMatchObject({ tier: 'core', covered: 0, percent: 0, all: { covered: 0 } });
    await withdraw(harness, world);
    const after = await coverage(world, '?tier=core&missing=true');
    expect(after.dimensions.operations).toMatchObject({ covered: 3, total: before.dimensions.operations.total });
    expect(after.dimensions.operations.items.map(({ id }) => id)).not.toContain('createQuote');
    expect(after.all.total).toBeGreaterThan(after.total);
    expect(after.all.covered).toBeGreaterThanOrEqual(after.covered);
    await harness.control('DELETE', '/findings', undefined, world);
    expect(await coverage(world, '?tier=core&missing=true')).toEqual(before);
  });
});

describe('a status', () => {
  it('is covered when the client has received it, not when the resource has entered it', async () => {
    const world = await harness.world('unseen');
    const operation = await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    const completed = () => cellOf(world, 'transitions', 'OPERATION.PROCESSING.COMPLETED');
    expect(await completed()).toMatchObject({ state: 'NOT_COVERED', count: 0, firstAt: null });
    for (const _again of [1, 2]) await harness.api('GET', `/api/operations/${operation.id}`, {}, world);
    expect(await completed()).toEqual({
      id: expect.anything(),
      state: 'COVERED',
      count: 1,
      firstAt: '2026-11-21T12:01:00.000Z',
      test: null,
    });
  });

  it('is covered by an accepted webhook', async () => {
    const world = await harness.world('shown');
    const subscription = { url: 'https://hooks.example.com/x', includeAll: true, allowRetry: false };
    await harness.api('POST', '/api/subscriptions', { body: subscription }, world);
    await withdraw(harness, world, '10.12');
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    expect(await cellOf(world, 'events', 'OPERATION_FAILED')).toMatchObject({ state: 'COVERED' });
    expect(await cellOf(world, 'reasons', 'OPERATION.BENEFICIARY_ACCOUNT_CLOSED')).toMatchObject({ state: 'COVERED' });
    expect(await cellOf(world, 'rules', 'default/beneficiary account closed (magic amount .12)')).toMatchObject({
      state: 'COVERED',
      count: 1,
    });
  });
});

describe('resilience', () => {
  /** Reactions of a client to an effect on its withdrawal, with the expected state. */
  type Reaction = (again: (key?: string, token?: string) => Promise<unknown>, world: string) => Promise<unknown>;
  const wait = () => (harness.realMs += 2000);
  const cases: [name: string, challenge: string, effect: object, reaction: Reaction, state: CoverageItem['state']][] = [
    ['a retry with the same idempotency key', 'lostResponse', { connectionReset: true }, (again) => again('same'), 'PASSED'],
    ['a retry with a new idempotency key', 'lostResponse', { connectionReset: true }, (again) => again(), 'FAILED'],
    ['no reaction', 'lostResponse', { connectionReset: true }, () => Promise.resolve(), 'PENDING'],
    ['a retry with the same idempotency key', 'malformed', { malformedJson: true }, (again) => again('same'), 'PASSED'],
    ['a retry after Retry-After', '503', { status: 503, retryAfter: '2s' }, async (again) => (wait(), again('same')), 'PASSED'],
    ['an immediate retry', '503', { status: 503, retryAfter: '2s' }, (again) => again('same'), 'FAILED'],
    ['a retry after Retry-After', '429', { status: 429, retryAfter: '2s' }, async (again) => (wait(), again('same')), 'PASSED'],
    ['a new idempotency key after Retry-After', '429', { status: 429, retryAfter: '2s' }, async (again) => (wait(), again()), 'PENDING'],
    ['a retry with the same idempotency key', 'unknownFields', { unknownFields: true }, (again) => again('same'), 'FAILED'],
    [
      'a read of the created operation',
      'unknownFields',
      { unknownFields: true },
      (_again, world) =>
        harness.api('GET', `/api/operations/${[...harness.sandbox.world(world).state.operations.keys()].at(-1)}`, {}, world),
      'PASSED',
    ],
    ['a retry with a new token', 'expireToken', { expireToken: true }, (again, world) => (harness.forget(world), again('same')), 'PASSED'],
    ['no further request', 'early', { respondAfter: 'events' }, () => Promise.resolve(), 'PENDING'],
    [
      'a read of the operation',
      'early',
      { respondAfter: 'events' },
      (_again, world) =>
        harness.api('GET', `/api/operations/${[...harness.sandbox.world(world).state.operations.keys()].at(-1)}`, {}, world),
      'PASSED',
    ],
    ['a retry with the old token', 'expireToken', { expireToken: true }, (again) => again('same'), 'PENDING'],
  ];

  it.each(cases)('is judged by the client reaction: %s, for item %s and effect %j', async (name, challenge, effect, reaction, state) => {
    const world = await harness.world(
      `robust-${cases.findIndex((each) => each[0] === name && each[1] === challenge && each[4] === state)}`,
    );
    const { accountId, approved } = fixtureIds(harness, world);
    const quote = await harness.api(
      'POST',
      '/api/quotes',
      { body: { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '9.00' } },
      world,
    );
    const phase = challenge === 'lostResponse' ? { phase: 'after_commit' } : {};
    await harness.control(
      'POST',
      '/faults',
      { on: 'REQUEST', when: { operationId: 'createWithdrawal' }, times: 1, effect, ...phase },
      world,
    );
    const same = crypto.randomUUID();
    const ask = (key: string) =>
      harness
        .api('POST', '/api/operations/withdrawal', { body: withdrawalBody(accountId, quote.body.id, approved), key }, world)
        .catch(() => 'lost');
    await ask(same);
    await reaction((key) => ask(key === 'same' ? same : crypto.randomUUID()), world);
    expect(await cellOf(world, 'resilience', `createWithdrawal.${challenge}`)).toMatchObject({ state, count: 1 });
  });

  it('in a negative test fails only if money moved twice, not because of errors that the test causes', async () => {
    const world = await harness.world('provoked-faults');
    const { accountIds } = fixtureIds(harness, world);
    const [sourceAccountId, targetAccountId] = accountIds;
    const pay = (key: string, value: string) => {
      const body = { sourceAccountId, targetAccountId, amount: { value, asset: 'BRL' } };
      return harness.api('POST', '/api/operations/transfer', { body, key }, world).catch(() => 'lost');
    };
    const strike = (fault: object) =>
      harness.control('POST', '/faults', { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 1, ...fault }, world);
    const limit = () => strike({ effect: { status: 429, retryAfter: '2s' } });
    await harness.control('PUT', '/test', { name: 'retries too early', negative: true }, world);
    await limit();
    const key = crypto.randomUUID();
    for (let attempt = 0; attempt < 2; attempt += 1) await pay(key, '9.00');
    const { body: found } = await harness.control('GET', '/findings?negative=true', undefined, world);
    expect(found.data).toMatchObject([{ rule: 'retry.too-early' }]);
    expect((await cellOf(world, 'resilience', 'createTransfer.429')).state).not.toBe('FAILED');
    await harness.control('PUT', '/test', { name: 'pays twice', negative: true }, world);
    await strike({ phase: 'after_commit', effect: { connectionReset: true } });
    await pay(crypto.randomUUID(), '31.00');
    await pay(crypto.randomUUID(), '31.00');
    expect(await cellOf(world, 'resilience', 'createTransfer.lostResponse')).toMatchObject({ state: 'FAILED' });
    await harness.control('PUT', '/test', { name: 'retries too early' }, world);
    await limit();
    const other = crypto.randomUUID();
    for (let attempt = 0; attempt < 2; attempt += 1) await pay(other, '8.00');
    expect(await cellOf(world, 'resilience', 'createTransfer.429')).toMatchObject({ state: 'FAILED' });
  });

  const receivers: [name: string, challenge: string, effect: object, statuses: number[], state: CoverageItem['state']][] = [
    ['two 2xx responses', 'duplicate', { duplicate: 1 }, [200, 200], 'PASSED'],
    ['an error response to the copy', 'duplicate', { duplicate: 1 }, [200, 500], 'FAILED'],
    ['a rejection', 'badSignature', { corruptSignature: true }, [401, 200], 'PASSED'],
    ['acceptance of one forged webhook', 'badSignature', { corruptSignature: true }, [200], 'PENDING'],
    ['acceptance of two forged webhooks', 'badSignature', { corruptSignature: true }, [200, 200], 'FAILED'],
    ['acceptance of the next webhook', 'drop', { drop: true }, [200], 'PASSED'],
    ['rejection of the next webhooks', 'drop', { drop: true }, [500, 500, 500, 500], 'PENDING'],
    ['acceptance of all attempts', 'reorder', { reorder: true }, [200, 200], 'PASSED'],
    ['acceptance of all attempts', 'late', { until: 'end' }, [200], 'PASSED'],
    ['rejection of all attempts', 'late', { until: 'end' }, [500, 500, 500, 500], 'PENDING'],
    ['acceptance of all attempts', 'overlap', { overlap: true }, [200], 'PASSED'],
    ['no attempt', 'lost', { lost: true }, [], 'PENDING'],
    ['acceptance of the next attempt', 'crash', { dropResponse: true }, [200, 200], 'PASSED'],
    ['rejection of the next attempts', 'crash', { dropResponse: true }, [200, 500, 500, 500, 500], 'PENDING'],
  ];

  it.each(receivers)('of a receiver is judged by its responses: %s, for item %s', async (name, challenge, effect, statuses, state) => {
    const world = await harness.world(`receiver-${receivers.findIndex((each) => each[0] === name && each[1] === challenge)}`);
    const subscription = {
      url: 'https://hooks.example.com/x',
      includeAll: false,
      resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED'] }],
      allowRetry: true,
    };
    await harness.api('POST', '/api/subscriptions', { body: subscription }, world);
    const when = { eventType: 'OPERATION_COMPLETED', kind: 'FIRST' };
    const isForgedTwice = name === 'acceptance of two forged webhooks';
    await harness.control('POST', '/faults', { on: 'DELIVERY', when, times: isForgedTwice ? 2 : 1, effect }, world);
    const before = harness.receive;
    const left = [...statuses];
    harness.receive = () => Promise.resolve({ httpStatus: left.shift() ?? 200, error: null });
    await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    // The receiver accepts this webhook too.
    if (challenge === 'duplicate' || isForgedTwice) await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    harness.receive = before;
    expect(await cellOf(world, 'resilience', `OPERATION_COMPLETED.${challenge}`)).toMatchObject({ state });
  });

  it('stays open while a receiver accepts only events of types that the API does not define', async () => {
    const world = await harness.world('receiver-of-future-events');
    const subscription = { url: 'https://hooks.example.com/x', includeAll: true, allowRetry: false };
    await harness.api('POST', '/api/subscriptions', { body: subscription }, world);
    const strike = (eventType: string, effect: object) =>
      harness.control('POST', '/faults', { on: 'DELIVERY', when: { eventType }, times: 1, effect }, world);
    const before = harness.receive;
    const accepted: string[] = [];
    harness.receive = ({ headers }) => {
      const type = headers['X-Event-Type']!;
      if (!type.endsWith('_FUTURE_EVENT')) return Promise.resolve({ httpStatus: 401, error: null });
      accepted.push(type);
      return Promise.resolve({ httpStatus: 200, error: null });
    };
    await strike('OPERATION_COMPLETED', { corruptSignature: true });
    await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    await strike('OPERATION_REQUESTED', { unknownEvent: true });
    await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    harness.receive = before;
    expect(accepted).toEqual(['OPERATION_FUTURE_EVENT']);
    expect(await cellOf(world, 'resilience', 'OPERATION_COMPLETED.badSignature')).toMatchObject({ state: 'PENDING', count: 1 });
  });
});
