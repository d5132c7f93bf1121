import { beforeEach, describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw, withdrawalBody } from '../../testing/withdrawals.js';
import type { AttemptRecord, RequestRecord } from '../../exchange/exchange.js';
import type { Observer } from '../../exchange/observer.js';

const events: string[] = [];
const seen: RequestRecord[] = [];
const attempts: AttemptRecord[] = [];
const caused: (string | undefined)[] = [];
const observer: Observer = {
  began: ({ operationId }) => void events.push(`began ${operationId}`),
  entered: ({ identity }, { operationId }) => void events.push(`entered ${identity.name} ${operationId}`),
  responded: (world, call) => {
    events.push(`responded ${world?.identity.name} ${call.operationId} ${call.status}`);
    seen.push(call);
  },
  attempt: (_world, attempt) => void attempts.push(attempt),
  committed: (_world, commit) => void caused.push('causeId' in commit ? commit.causeId : undefined),
  replaced: (world, how) => void events.push(`replaced ${world.identity.name} ${how}`),
  deleted: (world) => void events.push(`deleted ${world.identity.name}`),
};
const harness = useHarness({ observers: [observer] });
const last = () => seen.at(-1)!;

beforeEach(() => {
  for (const list of [events, seen, attempts, caused]) list.length = 0;
});

describe('observers', () => {
  it('are notified of each step of a request, in order', async () => {
    const world = await harness.world('watched');
    await harness.token(world);
    events.length = 0;
    await harness.api('GET', '/api/accounts', {}, world);
    await harness.api('GET', '/api/acounts', {}, world);
    await harness.api('GET', '/api/accounts', { headers: { authorization: 'Bearer none' } });
    await harness.control('POST', '/reset', undefined, world);
    await harness.control('DELETE', `/worlds/${world}`, undefined, world);
    expect(events).toEqual([
      'began listAccounts',
      'entered watched listAccounts',
      'responded watched listAccounts 200',
      'began null',
      'responded watched null 404',
      'began listAccounts',
      'responded undefined listAccounts 401',
      'began resetWorld',
      'entered watched resetWorld',
      'replaced watched RESET',
      'responded watched resetWorld 200',
      'began deleteWorld',
      'entered watched deleteWorld',
      'deleted watched',
      'responded watched deleteWorld 204',
    ]);
  });

  it('receive the request and the response', async () => {
    const world = await harness.world('asked');
    const { accountId, approved } = fixtureIds(harness, world);
    const quote = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00', feeling: { good: true } };
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { body } = await harness.api('POST', '/api/quotes?fast=yes', { body: quote, headers: { traceparent } }, world);
    expect(last()).toMatchObject({
      kind: 'REQUEST',
      method: 'POST',
      path: '/api/quotes',
      target: '/api/quotes?fast=yes',
      query: [['fast', 'yes']],
      version: '1',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      token: expect.stringMatching(/^[0-9a-f]{8}$/),
      body: { mediaType: 'application/json', value: quote, text: JSON.stringify(quote), size: JSON.stringify(quote).length, file: null },
      unknown: ['body:feeling', 'query:fast'],
      status: 201,
      originalStatus: 201,
      code: null,
      outcome: 'DELIVERED',
      replay: false,
      effect: null,
      response: { body: JSON.stringify(body), value: body },
    });
    expect(last().began.worldMs).toBe(Date.parse('2026-11-21T12:00:00Z'));
    expect(last().ended.order).toBeGreaterThan(last().began.order);
    expect(caused).toContain(last().id);

    const request = { key: 'E5A5B58A-6F6B-4C0E-9F43-0E9C9F6E1A11', body: withdrawalBody(accountId, body.id, approved) };
    await harness.api('POST', '/api/operations/withdrawal', request, world);
    const [first] = seen.splice(0).toReversed();
    await harness.api('POST', '/api/operations/withdrawal', request, world);
    expect(last()).toMatchObject({ replay: true, idempotencyKey: request.key.toLowerCase(), fingerprint: first!.fingerprint });
    await harness.api('POST', '/api/operations/withdrawal', { ...request, key: 'no key' }, world);
    // The body is recorded although the key was rejected first: it says which payment was meant.
    expect(last()).toMatchObject({ status: 400, code: 'INVALID_DATA', idempotencyKey: 'no key', fingerprint: first!.fingerprint });
    expect(last().body?.text).toBe(JSON.stringify(request.body));
    await harness.api('GET', '/api/operations/00000000-0000-4000-8000-000000000000', {}, world);
    expect(last()).toMatchObject({
      params: { operationId: '00000000-0000-4000-8000-000000000000' },
      code: 'RESOURCE_NOT_FOUND',
      fingerprint: null,
    });
  });

  it.each([
    ['invoice 4711', 'invoice 4711'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), null],
    ['fatura n\u00ba 1', null],
    [' ', null],
  ])('receive the purpose %j of a payment as %j, and the API ignores it', async (purpose, expected) => {
    const world = await harness.world(`purpose-${purpose.length}${purpose[1] ?? ''}`.replaceAll(/[^a-z0-9-]/g, ''));
    const { accountId } = fixtureIds(harness, world);
    const body = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' };
    const { status } = await harness.api('POST', '/api/quotes', { body, headers: { 'X-Sandbox-Purpose': purpose } }, world);
    expect(status).toBe(201);
    expect(last()).toMatchObject({ purpose: expected, unknown: [] });
  });

  it.each([
    ['after_commit', { status: 503 }, { status: 503, originalStatus: 201, outcome: 'LOST' }],
    ['after_commit', { malformedJson: true }, { status: 201, originalStatus: 201, outcome: 'LOST' }],
    ['after_commit', { unknownFields: true }, { status: 201, originalStatus: 201, outcome: 'MODIFIED' }],
    ['after_commit', { slowBody: '1ms' }, { status: 201, originalStatus: 201, outcome: 'DELIVERED' }],
    ['before', { status: 503 }, { status: 503, originalStatus: 503, outcome: 'DELIVERED' }],
    ['before', { delay: '1ms' }, { status: 201, originalStatus: 201, outcome: 'DELIVERED' }],
  ])('receive the outcome of a response to which a fault of the phase %s applies %j', async (phase, effect, expected) => {
    const world = await harness.world(`outcome-${phase}-${Object.keys(effect)[0]}`.toLowerCase().replace('_', '-'));
    const { accountId } = fixtureIds(harness, world);
    await harness.control('POST', '/faults', { on: 'REQUEST', when: { operationId: 'createQuote' }, phase, effect }, world);
    const body = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' };
    await harness.api('POST', '/api/quotes', { body }, world).catch(() => undefined); // The response may be malformed JSON.
    expect(last()).toMatchObject({ ...expected, effect, ruleId: expect.stringMatching(/^fault:/), body: { value: body } });
    expect(last().fingerprint).not.toBeNull();
  });

  it('are notified of each delivery attempt', async () => {
    const world = await harness.world('attempts', { scenario: 'instant' });
    harness.receive = () => Promise.resolve({ httpStatus: 302, error: null, answer: { location: '/there', body: Buffer.from('moved') } });
    await harness.api(
      'POST',
      '/api/subscriptions',
      { body: { url: 'https://hooks.example.com/', includeAll: true, allowRetry: false } },
      world,
    );
    await harness.control('POST', '/faults', { on: 'DELIVERY', effect: { unsigned: true }, times: 1 }, world);
    const { id } = await withdraw(harness, world);
    await harness.quiet(world);
    const [first] = attempts;
    expect(first).toMatchObject({
      resourceId: id,
      attemptKind: 'FIRST',
      number: 1,
      causeId: expect.stringMatching(/^req_/),
      toInbox: false,
      synthetic: false,
      effect: { unsigned: true },
      httpStatus: 302,
      location: '/there',
      answer: Buffer.from('moved'),
      timeoutMs: 10_000,
      isHeld: false,
    });
    expect(first!.headers).not.toHaveProperty('X-Message-Signature');
    expect(JSON.parse(first!.body)).toMatchObject({ id });
  });
});
