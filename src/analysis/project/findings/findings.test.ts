import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TimelineItem } from '../../../contract/control/analysis/stream.js';
import { useHarness } from '../../../testing/harness.js';
import { fixtureIds } from '../../../testing/withdrawals.js';

interface StoredFinding {
  readonly rule: string;
  readonly evidence: readonly { readonly what: string }[];
}

const harness = useHarness();
let worlds = 0;

/** Creates a world and a client in it that can pay and use an idempotency key twice. */
async function scene() {
  const world = await harness.world(`scene-${(worlds += 1)}`);
  const pay = (value: unknown, key: string = randomUUID()) => {
    const [sourceAccountId, targetAccountId] = fixtureIds(harness, world).accountIds;
    const body = { sourceAccountId, targetAccountId, amount: { value, asset: 'BRL' } };
    return harness.api('POST', '/api/operations/transfer', { body, key }, world);
  };
  const reuse = async () => {
    const key = randomUUID();
    await pay('25.00', key);
    await pay('26.00', key);
  };
  const findings = async (query = '') => (await harness.control('GET', `/findings${query}`, undefined, world)).body;
  const control = (method: string, path: string, body?: unknown) => harness.control(method, path, body, world);
  return { world, pay, reuse, findings, control };
}

describe('findings', () => {
  it('show the world time and the request of their evidence', async () => {
    const { reuse, findings } = await scene();
    await reuse();
    const { data } = await findings();
    const [first] = data[0].evidence;
    expect(first).toMatchObject({
      at: '2026-11-21T12:00:00.000Z',
      request: { method: 'POST', url: '/api/operations/transfer', status: 201, outcome: 'DELIVERED', idempotencyKey: expect.any(String) },
    });
    expect(JSON.parse(first.request.body)).toMatchObject({ amount: { value: '25.00', asset: 'BRL' } });
  });

  it('show no personal data in their evidence', async () => {
    const { world, findings } = await scene();
    await harness.api('GET', '/api/accounts?limit=1&filter=taxId:33166247912', {}, world);
    const { data } = await findings();
    expect(data[0].evidence[0].request.url).toBe('/api/accounts?limit=1&filter=[masked]');
  });

  it('of a negative test are listed separately and do not fail the report, unless money moved twice', async () => {
    const { world, pay, reuse, findings, control } = await scene();
    harness.found.splice(0);
    await control('PUT', '/test', { name: 'reuses keys', negative: true });
    await reuse();
    expect(await findings()).toMatchObject({ data: [] });
    expect(await findings('?negative=true')).toMatchObject({ data: [{ rule: 'idempotency.key-reused', negative: true }] });
    expect(harness.found).toEqual([]);
    const report = async () => (await control('GET', `/report?world=${world}`)).body;
    expect(await report()).toMatchObject({ verdict: 'PASSED', findings: [{ negative: true, state: 'NEW' }] });
    await control('PUT', '/test', { name: 'reuses keys' });
    await reuse();
    expect(await findings()).toMatchObject({ data: [{ negative: false }] });
    expect(await report()).toMatchObject({ verdict: 'FAILED' });
    await control('PUT', '/test', { name: 'pays twice', negative: true });
    const fault = { on: 'REQUEST', when: { operationId: 'createTransfer' }, phase: 'after_commit', times: 1, effect: { status: 503 } };
    await control('POST', '/faults', fault);
    await pay('31.00');
    await pay('31.00');
    await control('POST', '/clock/advance', { untilIdle: true });
    const { data } = await findings();
    expect(data.filter(({ negative }: { negative: boolean }) => negative)).toMatchObject([
      { rule: 'payment.repeated', test: 'pays twice', money: [{ value: '31.00' }] },
    ]);
  });

  it('that match a pattern announced by a test are expected only in this run of the test', async () => {
    const { reuse, findings, control } = await scene();
    const states = async () => (await findings()).data.map(({ state }: { state: string }) => state);
    await control('PUT', '/test', { name: 'one' });
    expect(await control('POST', '/findings/expect', { rule: 'idempotency.*' })).toMatchObject({
      status: 201,
      body: { rule: 'idempotency.*' },
    });
    await control('PUT', '/test', { name: 'two' });
    await reuse();
    expect(await states()).toEqual(['NEW']);
    await control('PUT', '/test', { name: 'one' });
    await reuse();
    expect(await states()).toEqual(['NEW', 'NEW']);
    const wrong = await control('POST', '/findings/expect', { rule: 'idempotenzy.*' });
    expect(wrong).toMatchObject({ status: 400, body: { details: { errors: [{ field: 'body:rule' }] } } });
  });

  it('are grouped by rule and operation, with all evidence and one log line for each group', async () => {
    const { reuse, findings } = await scene();
    harness.found.splice(0);
    await reuse();
    await reuse();
    const { data } = await findings();
    expect(data).toMatchObject([
      {
        id: 'F1',
        rule: 'idempotency.key-reused',
        operationId: 'createTransfer',
        eventType: null,
        test: null,
        generation: 1,
        count: 2,
        state: 'NEW',
      },
    ]);
    expect(data[0].evidence.map(({ what }: { what: string }) => what)).toEqual([
      'The first request with this key.',
      'The same key with another request: amount.',
      'The first request with this key.',
      'The same key with another request: amount.',
    ]);
    expect(harness.found.map(({ rule }) => rule)).toEqual(['idempotency.key-reused']);
  });

  it.each([408, 409])('after a lost response, a retry with response status %i, and a payment with a new key are one', async (status) => {
    const { pay, findings, control } = await scene();
    const when = { operationId: 'createTransfer' };
    const injectFault = (fault: object) => control('POST', '/faults', { on: 'REQUEST', when, times: 1, ...fault });
    const key = randomUUID();
    await injectFault({ phase: 'after_commit', effect: { connectionReset: true } });
    await expect(pay('25.00', key)).rejects.toThrow('A rule or fault of the sandbox aborted');
    await injectFault({ effect: { status, code: 'SERVICE_UNAVAILABLE' } });
    await pay('25.00', key);
    await pay('25.00');
    const { data } = await findings();
    expect(data.map(({ rule }: { rule: string }) => rule)).toEqual(['payment.repeated']);
  });

  it.each([
    ['before', ['503', 'lost']],
    ['after', ['lost', '503']],
  ])('name only the repeated payment if a 5xx response came %s the lost one', async (_when, outcomes) => {
    const { pay, findings, control } = await scene();
    const effects = {
      503: { effect: { status: 503 } },
      lost: { phase: 'after_commit', effect: { malformedJson: true } },
    };
    const key = randomUUID();
    for (const each of outcomes) {
      const fault = effects[each as keyof typeof effects];
      await control('POST', '/faults', { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 1, ...fault });
      await pay('25.00', key).catch(() => undefined); // A lost response cannot be read.
    }
    await pay('25.00');
    const { data } = await findings();
    expect(data.map(({ rule }: StoredFinding) => rule).filter((rule: string) => rule !== 'retry.too-early')).toEqual(['payment.repeated']);
  });

  it.each([
    ['/api/subscriptions', 'the operation (createTransfer first)'],
    ['/api/operations/transfer?of=today', 'the path or the query'],
  ])('describe how POST %s differs from the transfer with the same idempotency key', async (path, what) => {
    const { world, pay, findings } = await scene();
    const [sourceAccountId, targetAccountId] = fixtureIds(harness, world).accountIds;
    const url = 'https://hooks.example.com/';
    const body = { sourceAccountId, targetAccountId, amount: { value: '25.00', asset: 'BRL' }, url, includeAll: true };
    const key = randomUUID();
    await pay('25.00', key);
    await harness.api('POST', path, { body, key }, world);
    const { data } = await findings();
    const reused = data.find(({ rule }: StoredFinding) => rule === 'idempotency.key-reused');
    expect(reused.evidence[1].what).toBe(`The same key with another request: ${what}.`);
  });

  it.each([
    ['/api/subscriptions?', 'another list'],
    ['/api/accounts?filters=currentState.status[eq]=ACTIVE&', 'other filters'],
    ['/api/accounts?sortOrder=ASCENDING&', 'another order'],
  ])('describe why a cursor does not belong to GET %s', async (path, what) => {
    const { world, findings } = await scene();
    const { body } = await harness.api('GET', '/api/accounts?limit=1', {}, world);
    await harness.api('GET', `${path}cursor=${body.meta.nextCursor}`, {}, world);
    const { data } = await findings();
    expect(data.map(({ rule, evidence }: StoredFinding) => [rule, evidence[1]!.what])).toEqual([
      ['page.wrong-scope', `The cursor was sent with ${what}.`],
    ]);
  });

  it.each([
    ['0.30000000000000004', ['money.float-artefact']],
    ['1e-7', ['money.float-artefact']],
    ['0.300000000000000040', []],
    ['0.3000000000000000', []],
  ])('about the amount %s are %j', async (value, rules) => {
    const { pay, findings } = await scene();
    await pay(value);
    expect((await findings()).data.map(({ rule }: StoredFinding) => rule)).toEqual(rules);
  });

  it('ignore a request that began before a reset', async () => {
    const { pay, findings, control } = await scene();
    await control('POST', '/faults', { on: 'REQUEST', when: { operationId: 'createTransfer' }, effect: { delay: '300ms' } });
    const paying = pay(25);
    await expect.poll(async () => (await control('GET', '/requests?limit=1')).body.data[0]?.operationId).toBe('createTransfer');
    await control('POST', '/reset');
    await paying;
    expect((await findings('?generation=all')).data).toEqual([]);
  });

  it('keep the evidence of the first three detections and of the latest', async () => {
    const { pay, findings } = await scene();
    const answers = [];
    for (let time = 0; time < 9; time += 1) answers.push(await pay(time));
    const refs = answers.map(({ headers }) => headers.get('x-request-id'));
    const { data } = await findings();
    expect(data).toHaveLength(1);
    expect(data[0].count).toBe(9);
    expect(data[0].evidence.map(({ ref }: { ref: string }) => ref)).toEqual([refs[0], refs[1], refs[2], refs[8]]);
  });

  it('count as expected up to the announced number', async () => {
    const { reuse, pay, findings, control } = await scene();
    harness.found.splice(0);
    await control('POST', '/findings/expect', { rule: 'idempotency.key-reused' });
    await control('POST', '/findings/expect', { rule: 'money.locale', count: 2 });
    await reuse();
    await reuse();
    await pay('1.234,56');
    const { data, expected } = await findings();
    expect(data.map(({ rule, state, count }: Record<string, unknown>) => [rule, state, count])).toEqual([
      ['idempotency.key-reused', 'EXPECTED', 1],
      ['idempotency.key-reused', 'NEW', 1],
      ['money.locale', 'EXPECTED', 1],
    ]);
    expect(expected).toEqual([
      { rule: 'idempotency.key-reused', count: 1, matched: 1, test: null, generation: 1 },
      { rule: 'money.locale', count: 2, matched: 1, test: null, generation: 1 },
    ]);
    expect(harness.found.map(({ rule }) => rule)).toEqual(['idempotency.key-reused']);
  });

  it('are listed for the current generation by default, until they are deleted', async () => {
    const { reuse, findings, control } = await scene();
    await reuse();
    await control('POST', '/reset');
    expect((await findings()).data).toEqual([]);
    await reuse();
    expect((await findings()).data).toMatchObject([{ id: 'F2', generation: 2 }]);
    expect((await findings('?generation=all')).data).toMatchObject([
      { id: 'F1', generation: 1 },
      { id: 'F2', generation: 2 },
    ]);
    expect((await control('DELETE', '/findings')).status).toBe(204);
    expect((await findings('?generation=all')).data).toEqual([]);
  });

  it('belong to the test that is marked when the request begins, not to the test that announced them', async () => {
    const { reuse, findings, control } = await scene();
    await control('PUT', '/test', { name: 'pays out' });
    await control('POST', '/findings/expect', { rule: 'idempotency.key-reused' });
    await control('PUT', '/test', { name: 'pays in' });
    await reuse();
    await control('DELETE', '/test');
    const { data, expected } = await findings();
    expect(data).toMatchObject([{ rule: 'idempotency.key-reused', test: 'pays in', state: 'NEW' }]);
    expect(expected).toMatchObject([{ test: 'pays out', matched: 0 }]);
  });

  it('have equal fingerprints in two runs with different worlds', async () => {
    const fingerprints = [];
    for (let run = 0; run < 2; run += 1) {
      const { reuse, findings } = await scene();
      await reuse();
      fingerprints.push((await findings()).data[0].fingerprint);
    }
    expect(fingerprints[0]).toBe(fingerprints[1]);
  });

  it('show how much money moved twice', async () => {
    const { pay, findings, control } = await scene();
    const fault = { on: 'REQUEST', when: { operationId: 'createTransfer' }, phase: 'after_commit', times: 1 };
    await control('POST', '/faults', { ...fault, effect: { malformedJson: true } });
    await pay('25.00').catch(() => undefined); // The response cannot be read.
    await pay('25.00');
    await control('POST', '/clock/advance', { by: 'PT1M' });
    const { data } = await findings();
    expect(data).toMatchObject([{ rule: 'payment.repeated', confidence: 'LIKELY', money: [{ asset: 'BRL', value: '25.00' }] }]);
  });

  it('are retracted when later requests disprove them', async () => {
    const { pay, findings, control } = await scene();
    const fault = { on: 'REQUEST', when: { operationId: 'createTransfer' }, phase: 'after_commit', times: 1 };
    await control('POST', '/faults', { ...fault, effect: { malformedJson: true } });
    const key = randomUUID();
    await pay('25.00', key).catch(() => undefined);
    await pay('25.00');
    expect((await findings()).data).toHaveLength(1);
    await pay('25.00', key);
    expect((await findings('?final=true')).data).toEqual([]);
    const { body } = await control('GET', '/timeline?kinds=FINDING');
    expect(body.data.map(({ id, finding }: TimelineItem) => `${id} ${finding?.withdrawn}`)).toEqual(['F1 true', 'F1 false']);
  });

  it('that only the end of a run can prove are listed only with `final=true`, and counted once', async () => {
    const { pay, findings, control } = await scene();
    const fault = { on: 'REQUEST', when: { operationId: 'createTransfer' }, phase: 'after_commit', times: 1 };
    await control('POST', '/faults', { ...fault, effect: { malformedJson: true } });
    const key = randomUUID();
    await pay('25.00', key).catch(() => undefined);
    expect((await findings()).data).toEqual([]);
    for (let time = 0; time < 2; time += 1)
      expect((await findings('?final=true')).data).toMatchObject([
        { rule: 'idempotency.lost-response-abandoned', severity: 'ERROR', count: 1 },
      ]);
    await pay('25.00', key);
    expect((await findings()).data).toEqual([]);
  });

  it('never show a secret or token, even for requests without valid credentials', async () => {
    const { world, findings } = await scene();
    const { clientSecret } = harness.sandbox.world(world).identity;
    const token = await harness.token(world);
    const headers = { authorization: '' };
    await harness.api('GET', `/api/accounts?access_token=${token}`, { headers }, world);
    await harness.api('GET', `/api/accounts?secret=${clientSecret}`, { headers }, world);
    await harness.api('GET', '/api/accounts', { headers: { authorization: `Bearer ${clientSecret}` } }, world);
    const basic = Buffer.from(`sandbox:${clientSecret}`).toString('base64');
    await harness.api('GET', '/api/accounts', { headers: { authorization: `Basic ${basic}` } }, world);
    await harness.api('GET', `/api/${clientSecret}`, {}, world);
    const found = await findings();
    expect(found.data.map(({ rule, count }: Record<string, unknown>) => [rule, count])).toEqual([
      ['secret.in-url', 2],
      ['secret.sent-elsewhere', 2],
      ['secret.in-url', 1],
      ['request.unknown-route', 1],
    ]);
    expect(JSON.stringify(found)).not.toContain(clientSecret);
    expect(JSON.stringify(found)).not.toContain(token);
  });

  it('ignore sandbox inboxes and events on demand without a resource', async () => {
    const { world, pay, findings, control } = await scene();
    const subscribe = (url: string) => harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);
    await subscribe('http://localhost:4010/_sandbox/inbox/orders');
    await subscribe('http://localhost:4010/_sandbox/inbox/orders');
    await control('PUT', '/inbox/orders/responses', [{ status: 301, times: 5 }]);
    await pay('25.00');
    await harness.quiet(world);
    await subscribe('https://hooks.example.com/one');
    harness.receive = () => Promise.resolve({ httpStatus: 308, error: null });
    await control('POST', '/events', { eventType: 'OPERATION_COMPLETED' });
    await harness.quiet(world);
    expect((await findings()).data).toEqual([]);
    await pay('25.00');
    await harness.quiet(world);
    expect((await findings()).data).toMatchObject([{ rule: 'webhook.redirected', eventType: 'OPERATION_REQUESTED' }]);
  });

  it.each([
    [['0998', '0999', '1000'], ['idempotency.weak-key']],
    [['1400', '0900', '0300'], ['idempotency.weak-key']],
    [['1000', '2000', '3000'], []],
  ])('report keys that count in decimal digits, with less than 1000 between them: %j', async (ends, rules) => {
    const { pay, findings } = await scene();
    for (const [index, end] of ends.entries()) await pay(`2${index}.00`, `5f0c1d7e-2b3a-4c4d-8e5f-60718293${end}`);
    expect((await findings()).data.map(({ rule }: { rule: string }) => rule)).toEqual(rules);
  });

  it('cannot be announced with an unknown rule', async () => {
    const { control } = await scene();
    const { status, body } = await control('POST', '/findings/expect', { rule: 'money.jsonnumber' });
    expect([status, body.details.errors[0].field]).toEqual([400, 'body:rule']);
  });
});
