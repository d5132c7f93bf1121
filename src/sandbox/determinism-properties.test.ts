import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useHarness } from '../testing/harness.js';
import { inLength } from '../testing/long-run.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../testing/withdrawals.js';
import { companyRequest, createReady } from '../testing/onboarding.js';

const harness = useHarness();
const totalMs = 70_000;
const advance = (world: string, ms: number) => harness.control('POST', '/clock/advance', { by: `${ms}ms` }, world);

/** Returns the state of a world as text, without request ids and idempotency keys. */
async function stateOf(world: string): Promise<string> {
  const { body } = await harness.control('GET', '/state', undefined, world);
  delete body.tables.idempotency;
  return JSON.stringify(body).replace(/(req|ctl)_[A-Za-z0-9_-]{21}/g, '');
}

/** Begins identical activity in a world: operations with several results, a review, and a failing webhook endpoint. */
async function begin(world: string): Promise<void> {
  harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
  await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', includeAll: true, allowRetry: true } }, world);
  await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
  for (const amount of ['1.00', '2.12', '3.17']) await withdraw(harness, world, amount);
  await harness.quiet(world);
}

describe('world time', () => {
  it('leads to one and the same world, whether it advances in one step or in several', async () => {
    const world = await harness.world('partition');
    await begin(world);
    await harness.control('POST', '/snapshots', { name: 'start' }, world);
    const advanced = async (ms: number) => (await advance(world, ms)).body as { fired: unknown[]; deliveries: unknown[] };
    const { fired, deliveries } = await advanced(totalMs);
    const whole = { fired, deliveries, state: await stateOf(world) };
    expect(Math.min(fired.length, deliveries.length)).toBeGreaterThan(10);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: totalMs - 1 }), { maxLength: 6 }), async (cuts) => {
        await harness.control('POST', '/snapshots/start/restore', undefined, world);
        const points = [0, ...cuts.toSorted((a, b) => a - b), totalMs];
        const parts: Awaited<ReturnType<typeof advanced>>[] = [];
        for (const [index, point] of points.slice(1).entries()) parts.push(await advanced(point - points[index]!));
        const together = { fired: parts.flatMap((part) => part.fired), deliveries: parts.flatMap((part) => part.deliveries) };
        expect({ ...together, state: await stateOf(world) }).toEqual(whole);
      }),
      { numRuns: inLength(5, 20) },
    );
  });

  it('continues identically from a snapshot of any moment', async () => {
    const world = await harness.world('moments');
    await begin(world);
    await harness.control('POST', '/snapshots', { name: 'start' }, world);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: totalMs }), async (ms) => {
        await harness.control('POST', '/snapshots/start/restore', undefined, world);
        await advance(world, ms);
        await harness.control('DELETE', '/snapshots/moment', undefined, world);
        await harness.control('POST', '/snapshots', { name: 'moment' }, world);
        const future = async () => {
          await withdraw(harness, world, '4.00');
          await advance(world, totalMs);
          return stateOf(world);
        };
        const first = await future();
        await harness.control('POST', '/snapshots/moment/restore', undefined, world);
        expect(await future()).toBe(first);
      }),
      { numRuns: inLength(4, 10) },
    );
  });
});

/** Requests that change a world in as many tables as possible. */
const traces: Readonly<Record<string, (world: string) => Promise<unknown>>> = {
  withdrawal: (world) => withdraw(harness, world),
  subscription: (world) => harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', includeAll: true } }, world),
  'retrying subscription': (world) =>
    harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', includeAll: true, allowRetry: true } }, world),
  'subscription of an inbox': (world) =>
    harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:4010/_sandbox/inbox/in', includeAll: true } }, world),
  beneficiary: (world) => harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world),
  account: (world) => createReady(harness, world, companyRequest()),
  refusal: (world) => harness.api('POST', '/api/quotes', { body: {} }, world),
  advance: (world) => advance(world, 90_000),
  'short advance': (world) => advance(world, 700),
  'running clock': (world) => harness.control('PUT', '/clock', { mode: 'RUNNING' }, world),
  'clock set': (world) => harness.control('PUT', '/clock', { mode: 'FROZEN', now: '2030-01-01T00:00:00Z' }, world),
  scenario: (world) => harness.control('PUT', '/scenario', { name: 'webhook-chaos' }, world),
  'a scenario in the request': (world) =>
    harness.control('PUT', '/scenario', { inline: { settings: { quoteTtl: '1s' }, rules: [{ on: 'OPERATION', steps: [] }] } }, world),
  settings: (world) => harness.control('PUT', '/settings', { rates: { 'BRL/USD': '0.5' }, fees: [], urlPolicy: 'strict' }, world),
  retries: (world) => harness.control('PUT', '/settings', { retry: { retries: 1, interval: '1s' }, delays: { ASSET: '9s' } }, world),
  'delivery fault': (world) => harness.control('POST', '/faults', { on: 'DELIVERY', effect: { duplicate: 2, delay: '5s' } }, world),
  'request fault': (world) => harness.control('POST', '/faults', { on: 'REQUEST', times: 1, effect: { status: 503 } }, world),
  'expired token': async (world) => {
    const when = { operationId: 'listSubscriptions' };
    await harness.control('POST', '/faults', { on: 'REQUEST', when, times: 1, effect: { expireToken: true } }, world);
    await harness.api('GET', '/api/subscriptions', {}, world);
  },
  credit: (world) =>
    harness.control('POST', `/accounts/${fixtureIds(harness, world).accountId}/credit`, { amount: { value: '1.00', asset: 'BRL' } }, world),
  'frozen asset': (world) =>
    harness.control('POST', `/accounts/${fixtureIds(harness, world).accountId}/assets/BRL/freeze`, undefined, world),
  approval: (world) => harness.control('POST', `/beneficiaries/${fixtureIds(harness, world).pending.id}/approve`, undefined, world),
  event: (world) => harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world),
  'inbox answers': (world) => harness.control('PUT', '/inbox/in/responses', [{ status: 500, times: 3 }], world),
  'inbox message': (world) => harness.control('POST', '/inbox/in', { hello: 'world' }, world),
  snapshot: (world) => harness.control('POST', '/snapshots', { name: 'any' }, world),
  'snapshot restored': (world) => harness.control('POST', '/snapshots/any/restore', undefined, world),
  reset: (world) => harness.control('POST', '/reset', undefined, world),
};

describe('a reset or restored world', () => {
  it.each(Object.keys(traces).filter((name) => !['refusal', 'reset', 'snapshot', 'snapshot restored'].includes(name)))(
    'has changes to undo, because each action changes the state: %s',
    async (name) => {
      const world = await harness.world(`trace-${name.replaceAll(' ', '-')}`);
      const before = await stateOf(world);
      await traces[name]!(world);
      expect(await stateOf(world)).not.toBe(before);
    },
  );

  it.each([
    ['by a reset', '/reset'],
    ['to a snapshot', '/snapshots/start/restore'],
  ])('has its earlier state, and then continues identically, regardless of the actions in between (%s)', async (how, path) => {
    const world = await harness.world(`back-${how.replaceAll(' ', '-')}`);
    await harness.control('POST', '/snapshots', { name: 'start' }, world);
    const future = async () => {
      harness.attempts.length = 0;
      const before = await stateOf(world);
      await begin(world);
      await advance(world, 20_000);
      return { before, after: await stateOf(world), webhooks: harness.attempts.map(({ body }) => body) };
    };
    const fresh = await future();
    const token = await harness.token(world);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...Object.keys(traces)), { maxLength: 8 }), async (chosen) => {
        await harness.control('POST', path, undefined, world);
        // Attempts stay open during the reset, and end after it.
        harness.receive = async () => {
          for (let turns = 0; turns < 10; turns += 1) await nextTurn();
          return { httpStatus: 500, error: null };
        };
        for (const name of chosen) await traces[name]!(world).catch(() => undefined);
        expect((await harness.control('POST', path, undefined, world)).status).toBe(200);
        expect(await harness.token(world)).toBe(token);
        expect(await future()).toEqual(fresh);
      }),
      { numRuns: inLength(6, 25) },
    );
  });
});
