import { describe, expect, it, vi } from 'vitest';
import { VerifiedSchema } from '../../contract/control/analysis/verify.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw, withdrawalBody } from '../../testing/withdrawals.js';
import { yieldToEventLoop } from '../../world/turns.js';

const harness = useHarness();
let worlds = 0;

/** Creates a world, with functions that send requests and verify them. */
async function scene() {
  const world = await harness.world(`verified-${(worlds += 1)}`);
  const { accountId, approved } = fixtureIds(harness, world);
  const verify = async (body: unknown) => {
    const answer = await harness.control('POST', '/requests/verify', body, world);
    if (answer.status === 200) expect(VerifiedSchema.parse(answer.body)).toEqual(answer.body);
    return answer;
  };
  const quote = async (sourceAmount: unknown = '1.00') => {
    const body = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount };
    return (await harness.api('POST', '/api/quotes', { body }, world)).body.id as string;
  };
  const pay = (quoteId: string, key?: string) =>
    harness.api(
      'POST',
      '/api/operations/withdrawal',
      { body: withdrawalBody(accountId, quoteId, approved), ...(key ? { key } : {}) },
      world,
    );
  const list = () => harness.api('GET', '/api/accounts', {}, world);
  return { world, verify, quote, pay, list };
}

/** Returns the lines of an error message. */
function failureText(answer: { status: number; body: { code: string; message: string; details: Record<string, unknown> } }) {
  expect([answer.status, answer.body.code]).toEqual([422, 'VERIFICATION_FAILED']);
  const [first = ''] = answer.body.message.split('\n');
  expect(first.length).toBeLessThanOrEqual(160);
  return first;
}

describe('verify', () => {
  it.each([
    [{ match: { operationId: 'createQuote' } }, true],
    [{ match: { operationId: 'createQuote' }, count: 2 }, true],
    [{ match: { operationId: 'createQuote' }, count: 1 }, false],
    [{ match: { operationId: 'createQuote' }, atLeast: 2, atMost: 3 }, true],
    [{ match: { operationId: 'createQuote' }, atMost: 1 }, false],
    [{ match: { operationId: 'createQuote', 'body.sourceAmount': '7.00' }, count: 1 }, true],
    [{ match: { operationId: 'createQuote', body: { sourceAmount: '7.00' } }, count: 1 }, true],
    [{ match: { operationId: 'createQuote', 'body.sourceAmount': { gte: '1.00' } }, count: 2 }, true],
    [{ match: { operationId: 'createQuote', 'body.sourceAmount': 7 }, count: 0 }, true],
    [{ match: { status: { in: [200, 201] } }, atLeast: 3 }, true],
    [{ match: { status: '201' }, count: 0 }, true],
    [{ match: { outcome: 'DELIVERED', replay: false, operationId: 'createWithdrawal' }, count: 1 }, true],
    [{ match: { 'response.body.intent.type': 'WITHDRAWAL' }, count: 1 }, true],
    [{ match: { 'headers.X-Idempotency-Key': { ne: null }, method: 'POST' }, count: 3 }, true],
    [{ match: { operationId: 'listAccounts' }, count: 0 }, true],
    [{ match: { operationId: 'createWithdrawal' }, noOthers: true }, false],
    [{ match: { method: 'POST' }, noOthers: true }, true],
    [{ match: { eventType: 'OPERATION_REQUESTED', attemptKind: 'FIRST' }, count: 1 }, true],
    [{ match: { operationId: 'createWithdrawal', status: '2xx' }, count: 1 }, true],
    [{ match: { operationId: 'createWithdrawal', status: { in: ['4xx', 503] } }, count: 0 }, true],
    [{ match: { status: { ne: '2XX' } }, count: 0 }, true],
    [{ match: { 'headers.x-idempotency-key': { matches: '^[0-9a-f]{8}-' } }, count: 3 }, true],
    [{ match: { headers: { 'X-Idempotency-Key': { exists: true } }, method: 'POST' }, count: 3 }, true],
    [{ match: { operationId: 'createQuote', 'body.sourceAmount': { matches: '^[0-9]+[.]00$' } }, count: 2 }, true],
    [{ match: { operationId: 'createQuote', 'body.targetAmount': { exists: false } }, count: 2 }, true],
    [{ match: { operationId: 'createQuote', 'body.channel': { exists: true } }, count: 0 }, true],
    [{ match: { operationId: 'createQuote', 'body.reference.channel': 'web' }, count: 0 }, true],
    [{ match: { operationId: 'createQuote', body: { equals: { sourceAmount: '7.00' } } }, count: 0 }, true],
    [{ match: { attemptKind: 'FIRST' }, atLeast: 1 }, true],
    [{ sequence: [{ operationId: 'createQuote' }, { operationId: 'createWithdrawal' }] }, true],
    [{ sequence: [{ operationId: 'createWithdrawal' }, { operationId: 'createQuote' }, { operationId: 'createQuote' }] }, false],
    [
      { sequence: [{ operationId: 'createQuote' }, { operationId: 'createWithdrawal' }, { operationId: 'createQuote' }], strict: true },
      true,
    ],
    [{ sequence: [{ match: { operationId: 'createQuote' }, count: 2 }] }, true],
    [{ sequence: [{ match: { operationId: 'createQuote' }, count: 2 }], strict: true }, false],
    [{ sequence: Array.from({ length: 50 }, () => ({ match: { operationId: 'createQuote' }, count: 1_000_000 })), strict: true }, false],
    [{ sequence: [{ operationId: 'createWithdrawal' }, { eventType: 'OPERATION_REQUESTED' }] }, false],
    [{ sequence: [{ operationId: 'createQuote' }, { eventType: 'OPERATION_REQUESTED' }] }, true],
  ])('of %j succeeds: %s', async (request, verified) => {
    const { world, verify, quote, pay } = await scene();
    await harness.api('POST', '/api/subscriptions', { body: { url: 'https://hooks.example.com/', includeAll: true } }, world);
    const { body } = await harness.control('GET', '/requests?limit=1', undefined, world);
    await pay(await quote());
    await harness.quiet(world);
    await quote('7.00');
    const answer = await verify({ since: body.data[0].id, ...request });
    expect([answer.status, answer.body.code]).toEqual(verified ? [200, undefined] : [422, 'VERIFICATION_FAILED']);
  });

  it.each([
    [{ match: { operationId: 'createQuote', 'body.sourceAmunt': '1.00' } }, 'body:match.body.sourceAmunt', 'body.sourceAmount'],
    [{ match: { 'body.quotId': 'x' } }, 'body:match.body.quotId', 'body.quoteId'],
    [{ match: { operatonId: 'createQuote' } }, 'body:match.operatonId', 'operationId'],
    [{ match: { 'response.outcom': 'LOST' } }, 'body:match.response.outcom', undefined],
    [{ match: { operationId: 'createQoute' }, count: 0 }, 'body:match.operationId', undefined],
    [{ match: { method: 'post' }, count: 0 }, 'body:match.method', undefined],
    [{ match: { kind: 'CONTROL', operationId: 'createQuote' }, count: 0 }, 'body:match.operationId', undefined],
    [{ match: { outcome: { in: ['DELIVERED', 'GONE'] } } }, 'body:match.outcome', undefined],
    [{ match: { 'response.outcome': 'lost' } }, 'body:match.response.outcome', undefined],
    [{ match: { kind: 'ATEMPT' } }, 'body:match.kind', undefined],
    [{ match: { eventType: 'OPERATION_REQUESTED', attemptKind: 'first' } }, 'body:match.attemptKind', undefined],
    [{ sequence: [{ operationId: 'createQuote' }, { operationId: { ne: 'createSwop' } }] }, 'body:match.operationId', undefined],
    [{ match: { kind: 'MARK', what: 'RESETT' } }, 'body:match.what', undefined],
    [{ match: { kind: 'MARK', status: 200 } }, 'body:match.status', undefined],
    [{}, 'body:match', undefined],
    [{ sequence: [{ status: 200 }], count: 2 }, 'body:count', undefined],
    [{ sequence: [{ status: 200 }], noOthers: true }, 'body:noOthers', undefined],
    [{ match: { status: 200 }, strict: true }, 'body:strict', undefined],
    [{ match: { status: 200 }, count: 1, atMost: 2 }, 'body:count', undefined],
    [{ match: { status: 200 }, since: 'test' }, 'body:since', undefined],
    [{ match: {} }, 'body:match', undefined],
    [{ match: { body: {} } }, 'body:match.body', undefined],
    [{ match: { operationId: 'createQuote', 'body.sourceAmount.lessThan': 5 } }, 'body:match.body.sourceAmount.lessThan', undefined],
    [{ match: { path: { matches: '(a+' } } }, 'body:match.path', undefined],
    [{ match: { path: { matches: '(.)\\1' } } }, 'body:match.path', undefined],
    [{ match: { path: { matches: '[a-z]{400}' } } }, 'body:match.path', undefined],
    [{ match: { path: { matches: 'a'.repeat(201) } } }, 'body:match.path', undefined],
    [{ match: { path: { exists: 'yes' } } }, 'body:match.path', undefined],
    [{ sequence: Array.from({ length: 11 }, () => ({ path: { matches: 'a' } })) }, 'body:match', undefined],
  ])('rejects %j', async (request, field, nearest) => {
    const { verify } = await scene();
    const { status, body } = await verify(request);
    expect([status, body.details.errors?.[0]?.field ?? body.details.field]).toEqual([400, field]);
    expect(body.details.errors?.[0]?.params?.nearest).toBe(nearest);
  });

  it('rejects more than 65,536 characters in the names and texts of its conditions, which an error would repeat', async () => {
    const { verify } = await scene();
    for (const match of [{ path: 'a'.repeat(65_533) }, { body: { equals: { ['k'.repeat(65_600)]: 1 } } }]) {
      const { status, body } = await verify({ match });
      expect([status, body.details.errors[0].field, body.message]).toEqual([
        400,
        'body',
        expect.stringContaining('at most 65536 characters'),
      ]);
    }
    expect((await verify({ match: { path: 'a'.repeat(65_532) } })).status).toBe(422);
  });

  it('suggests the operation id for a misspelt one', async () => {
    const { verify } = await scene();
    const { body } = await verify({ match: { operationId: 'createQoute' }, count: 0 });
    expect(body.message).toMatch(/^operationId: expected one of createToken, .*; got "createQoute"; did you mean "createQuote"\?$/);
  });

  it.each([
    { operationId: null, path: '/api/nothing' },
    { operationId: { like: 'create' }, body: { targetAsset: 'DOL' } },
    { kind: 'CONTROL', operationId: 'createFault' },
    { outcome: { nin: ['LOST', null] }, method: 'DELETE' },
  ])('accepts the conditions %j, which a request could meet', async (match) => {
    const { verify } = await scene();
    expect(await verify({ match, count: 0 })).toMatchObject({ status: 200 });
  });

  it('reports each match or near match with its differences in one line', async () => {
    const { world, verify, quote, list } = await scene();
    await harness.control('PUT', '/test', { name: 'pays out' }, world);
    for (let polls = 0; polls < 200; polls += 1) await list();
    await quote(7.5);
    await quote('8.00');
    const answer = await verify({ match: { operationId: 'createQuote', 'body.sourceAmount': '7.5', status: 201 }, count: 1 });
    expect(failureText(answer)).toBe('Expected 1 createQuote with body.sourceAmount 7.5, status 201; received 0 since test "pays out".');
    const { nearest, record, count } = answer.body.details;
    expect({ count, record }).toEqual({ count: 0, record: { complete: true, evicted: 0, open: 0 } });
    expect(nearest).toMatchObject([
      { what: 'createQuote', conditions: [{}, { received: 7.5, why: 'a number; amounts are strings' }, { received: 400, holds: false }] },
      {
        what: 'createQuote',
        count: 1,
        conditions: [{ holds: true }, { field: 'body.sourceAmount', received: '8.00', holds: false }, { holds: true }],
      },
    ]);
    const polled = await verify({ match: { method: 'GET', status: 500 } });
    expect(polled.body.details.nearest).toMatchObject([{ what: 'listAccounts', count: 200 }]);
    expect(polled.body.message.split('\n')).toHaveLength(2);
    expect(polled.body.message).toContain('200 times');
  });

  it('reports matches in earlier tests and in other worlds', async () => {
    const { world, verify, quote } = await scene();
    await quote('7.77');
    await harness.control('PUT', '/test', { name: 'later' }, world);
    const match = { operationId: 'createQuote', 'body.sourceAmount': '7.77' };
    expect((await verify({ match })).body.details.nearest).toMatchObject([{ why: ['before this test'] }]);
    const other = await scene();
    expect((await other.verify({ match })).body.details.nearest).toMatchObject([{ why: [`in world ${world}`] }]);
  });

  it('finds near matches among the requests of many worlds within the time limit', async () => {
    const { verify, quote } = await scene();
    for (let other = 0; other < 40; other += 1) {
      const name = await harness.world(`crowd-${other}`);
      for (let calls = 0; calls < 4; calls += 1) await harness.api('GET', '/api/accounts', {}, name);
    }
    await quote('8.00');
    const match = { operationId: 'listAccounts', status: 200 };
    await verify({ match, count: 2 });
    const before = performance.now();
    const answer = await verify({ match, count: 2 });
    expect(performance.now() - before).toBeLessThan(500); // The search takes about 20 ms; the limit allows for slow machines.
    expect(answer.body.details.nearest.map(({ why }: { why: string[] }) => why[0])).toEqual(
      expect.arrayContaining([expect.stringMatching(/^in world /)]),
    );
  }, 30_000);

  it('shows near matches of its own world before matches in other worlds', async () => {
    const { verify, quote } = await scene();
    await quote('1.00');
    const other = await scene();
    await other.quote('9.99');
    const { body } = await verify({ match: { operationId: 'createQuote', 'body.sourceAmount': '9.99' } });
    expect(body.details.nearest).toMatchObject([{ why: [] }, { why: [`in world ${other.world}`] }]);
  });

  it('can compare whole bodies, and fields that the API does not define', async () => {
    const { world, verify } = await scene();
    const { accountId } = fixtureIds(harness, world);
    const body = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00', externalReference: 'order-17', note: null };
    await harness.api('POST', '/api/quotes', { body }, world);
    const holds = async (match: object) => (await verify({ match: { operationId: 'createQuote', ...match }, count: 1 })).status === 200;
    const reordered = Object.fromEntries(Object.entries(body).toReversed());
    expect(await holds({ body: { equals: reordered } })).toBe(true);
    expect(await holds({ body: { equals: { ...body, note: 'x' } } })).toBe(false);
    expect(await holds({ 'body.externalReference': { matches: '^order-\\d+$' } })).toBe(true);
    expect(await holds({ 'body.externalReference': 'order-18' })).toBe(false);
    expect(await holds({ 'body.note': { exists: true } })).toBe(true);
    expect(await holds({ 'body.memo': { exists: false } })).toBe(true);
  });

  it('does not match the status of a response that the client did not receive', async () => {
    const { world, verify, quote, pay } = await scene();
    const fault = {
      on: 'REQUEST',
      when: { operationId: 'createWithdrawal' },
      phase: 'after_commit',
      times: 1,
      effect: { malformedJson: true },
    };
    const id = await quote();
    await harness.control('POST', '/faults', fault, world);
    await pay(id).catch(() => undefined);
    const match = { operationId: 'createWithdrawal', status: 201 };
    const missed = await verify({ match });
    expect(failureText(missed)).toBe('Expected 1 or more createWithdrawal with status 201; received 0.');
    expect(missed.body.message).toContain('the client did not receive this status; add response.outcome to the conditions');
    expect((await verify({ match: { ...match, 'response.outcome': 'LOST' } })).status).toBe(200);
  });

  it('reports that a step of a sequence was matched too early', async () => {
    const { verify, quote, pay } = await scene();
    await pay(await quote());
    const answer = await verify({ sequence: [{ operationId: 'createWithdrawal' }, { operationId: 'createQuote' }] });
    expect(failureText(answer)).toMatch(/^Expected in order: step 2, createQuote; 1 of 2 steps matched; step 2 came earlier \(req_.*\)\.$/);
    expect(answer.body.details.sequence).toMatchObject({ steps: 2, met: 1, earlier: { what: 'createQuote' } });
  });

  it('waits for matches, and fails immediately if they can no longer occur', async () => {
    const { verify, quote } = await scene();
    const waiting = verify({ match: { operationId: 'createQuote' }, count: 2, withinMs: 60_000 });
    await quote();
    await quote();
    expect(await waiting).toMatchObject({ status: 200, body: { count: 2 } });
    const broken = verify({ match: { operationId: 'createQuote' }, atMost: 2, duringMs: 60_000 });
    for (let turns = 0; turns < 10; turns += 1) await yieldToEventLoop();
    await quote();
    expect(failureText(await broken)).toBe('Expected at most 2 createQuote; received 3.');
    expect(failureText(await verify({ match: { operationId: 'createQuote' }, count: 2, withinMs: 60_000 }))).toContain('received 3');
    expect((await verify({ match: { operationId: 'createSwap' }, count: 0, duringMs: 20 })).status).toBe(200);
  });

  it('reports a request in progress instead of counting it', async () => {
    const { world, verify, list } = await scene();
    await list();
    await harness.control('POST', '/faults', { on: 'REQUEST', effect: { delay: '30ms' } }, world);
    const calling = list();
    await yieldToEventLoop();
    const match = { operationId: 'listAccounts' };
    const early = await verify({ match, count: 1 });
    expect(failureText(early)).toBe('Unknown whether there was 1 listAccounts: requests are in progress.');
    expect(early.body.details).toMatchObject({ reason: 'INCONCLUSIVE', remedy: expect.stringContaining('withinMs'), record: { open: 1 } });
    expect((await verify({ match, count: 2, withinMs: 60_000 })).status).toBe(200);
    await calling;
  });

  it('waits after its timeout for requests that are in progress, without polling', async () => {
    const { world, verify, list } = await scene();
    await list();
    await harness.control('POST', '/faults', { on: 'REQUEST', effect: { delay: '500ms' } }, world);
    const verifying = verify({ match: { operationId: 'listAccounts' }, count: 1, duringMs: 250 });
    for (let turns = 0; turns < 10; turns += 1) await yieldToEventLoop();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const calling = list();
    expect(failureText(await verifying)).toBe('Expected 1 listAccounts; received 2.');
    expect(timers.mock.calls.length).toBeLessThan(20);
    timers.mockRestore();
    await calling;
  });

  it('fails when its world is reset, and at most 100 requests can wait in a world', async () => {
    const { world, verify } = await scene();
    const waiting = Array.from({ length: 100 }, () => verify({ match: { operationId: 'createQuote' }, withinMs: 60_000 }));
    const oneMore = () => verify({ match: { operationId: 'createQuote' } });
    await expect.poll(oneMore).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', details: { maximum: 100 } } });
    await harness.control('POST', '/reset', undefined, world);
    for (const each of waiting) expect(await each).toMatchObject({ status: 409, body: { code: 'WORLD_REPLACED' } });
  });

  it('searches the current test, the current generation or all generations', async () => {
    const { world, verify, quote } = await scene();
    const match = { operationId: 'createQuote' };
    await quote();
    await harness.control('PUT', '/test', { name: 'one' }, world);
    await quote();
    expect((await verify({ match, count: 1 })).status).toBe(200);
    expect((await verify({ match, count: 2, since: 'generation' })).status).toBe(200);
    await harness.control('POST', '/reset', undefined, world);
    expect((await verify({ match, count: 0, since: 'generation' })).status).toBe(200);
    expect((await verify({ match, count: 2, since: 'start' })).status).toBe(200);
    expect((await verify({ match: { kind: 'MARK', what: 'RESET' }, count: 1, since: 'start' })).status).toBe(200);
    expect((await verify({ match, since: 'req_none' })).status).toBe(404);
  });

  it('finds a payment whose response was lost and that was repeated with a new idempotency key', async () => {
    const { world, verify, quote, pay } = await scene();
    const fault = { on: 'REQUEST', when: { operationId: 'createWithdrawal' }, phase: 'after_commit', times: 1, effect: { status: 503 } };
    await harness.control('POST', '/faults', fault, world);
    const id = await quote();
    await pay(id);
    await pay(id);
    const answer = await verify({ match: { operationId: 'createWithdrawal', 'body.quoteId': id }, count: 1 });
    expect(failureText(answer)).toBe(`Expected 1 createWithdrawal with body.quoteId ${id.slice(0, 8)}…; received 2.`);
    expect(answer.body.message).toMatch(
      /\nmatched req_\S+ [0-9:.]+ createWithdrawal 503 {2}SERVICE_UNAVAILABLE {2}LOST \(fault [0-9a-f]{4}\) {2}key /,
    );
    expect(answer.body.message).toMatch(/422 {2}QUOTE_ALREADY_CONSUMED {2}key .* {2}finding F/);
    expect((await verify({ match: { operationId: 'createWithdrawal', outcome: 'LOST', originalStatus: 201 }, count: 1 })).status).toBe(200);
    await withdraw(harness, world);
  });
});

it('verify reports at most 100 impossible conditions, and suggests names for at most five', async () => {
  const match = Object.fromEntries(Array.from({ length: 3000 }, (_each, index) => [`operationIdd${index}`, 'x']));
  const { status, body } = await harness.control('POST', '/requests/verify', { match: { kind: 'REQUEST', ...match } });
  expect(status).toBe(400);
  expect(body.details.errors.length).toBeLessThanOrEqual(100);
  expect(body.details.errors.filter(({ params }: { params: object }) => 'nearest' in params).length).toBeLessThanOrEqual(5);
});
