import { afterEach, describe, expect, it } from 'vitest';
import type { DeliveryEffect } from '../../contract/scenario/effects.js';
import { isGenuine } from '../../domain/webhooks/signature.js';
import { useHarness } from '../../testing/harness.js';
import { pixBeneficiary } from '../../testing/withdrawals.js';
import type { Transport } from './deliverer.js';

const harness = useHarness();
afterEach(() => {
  harness.attempts.length = 0;
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
});

const url = 'http://localhost:9000/hooks';
const refuse: Transport = () => Promise.resolve({ httpStatus: 500, error: null });

async function subscribe(world: string, overrides: Record<string, unknown> = {}): Promise<string> {
  const { body } = await harness.api(
    'POST',
    '/api/subscriptions',
    { body: { url, resources: [{ name: 'BENEFICIARY' }], ...overrides } },
    world,
  );
  return body.id as string;
}

/** Creates a world with the scenario manual and a subscription. @returns both, and functions to cause events and to read logs */
async function scene(name: string, overrides: Record<string, unknown> = {}) {
  const world = await harness.world(name, { scenario: 'manual' });
  const subscriptionId = await subscribe(world, overrides);
  const happen = async (times = 1): Promise<string[]> => {
    const ids: string[] = [];
    for (let count = 0; count < times; count += 1) {
      ids.push((await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world)).body.id as string);
    }
    return ids;
  };
  const logs = async () =>
    (await harness.api('GET', `/api/subscriptions/${subscriptionId}/executionLogs?sortOrder=ASCENDING&limit=100`, {}, world)).body.data;
  const advance = async (by: string) => (await harness.control('POST', '/clock/advance', { by }, world)).body;
  return { world, subscriptionId, happen, logs, advance };
}

const sentIds = () => harness.attempts.map((each) => JSON.parse(each.body).id as string);

/** Adds a fault for the next delivery attempts of a world. */
async function strike(world: string, effect: DeliveryEffect, times: number | undefined = 1): Promise<void> {
  expect(await harness.control('POST', '/faults', { on: 'DELIVERY', times, effect }, world)).toMatchObject({ status: 201 });
}

describe('deliveries', () => {
  // §D11-retries §D11-same-id §6-allow-retry
  it('are retried three times at intervals of five seconds, with one message id and identical bytes', async () => {
    const { happen, advance, logs } = await scene('retries', { allowRetry: true });
    harness.receive = refuse;
    await happen();
    await harness.quiet('retries');
    const { fired } = await advance('PT1M');
    expect(fired.map((each: { at: string; kind: string }) => [each.kind, each.at.slice(17, 19)])).toEqual([
      ['RETRY', '05'],
      ['RETRY', '10'],
      ['RETRY', '15'],
    ]);
    expect(new Set(harness.attempts.map((each) => each.headers['x-message-id'])).size).toBe(1);
    expect(new Set(harness.attempts.map((each) => each.body)).size).toBe(1);
    expect((await logs()).map((each: { retryAttempts: number; status: string }) => [each.retryAttempts, each.status])).toEqual([
      [0, 'FAILED'],
      [1, 'FAILED'],
      [2, 'FAILED'],
      [3, 'FAILED'],
    ]);
  });

  it('that end together are logged in the order of their events, however many attempts of another world begin in the same turn', async () => {
    const logged = new Set<string>();
    for (const count of [0, 6, 7, 8]) {
      const { world } = await scene(`together-${count}`);
      const crowd = await harness.world(`crowd-${count}`, { scenario: 'manual' });
      for (const each of ['dropped', 'sent']) await subscribe(world, { url: `${url}/${each}`, includeAll: true });
      for (let index = 0; index < count; index += 1) await subscribe(crowd, { includeAll: true });
      await strike(world, { drop: true });
      await Promise.all([crowd, world].map((each) => harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, each)));
      await harness.quiet(world);
      const { executionLogs, deliveries, subscriptions } = harness.sandbox.world(world).state;
      const urls = [...executionLogs.values()].map((log) => subscriptions.get(deliveries.get(log.messageId)!.subscriptionId)!.url);
      logged.add(urls.join(' '));
    }
    expect([...logged]).toEqual([`${url}/dropped ${url}/sent`]);
  });

  // §D11-in-order
  it('are not delayed by a retry of an earlier event', async () => {
    const { world, happen, advance } = await scene('overtaking', { allowRetry: true });
    let fails = 1;
    harness.receive = () => Promise.resolve({ httpStatus: fails-- > 0 ? 500 : 200, error: null });
    const ids = await happen(3);
    await harness.quiet(world);
    expect(sentIds()).toEqual(ids);
    await advance('PT5S');
    expect(sentIds()).toEqual([...ids, ids[0]]);
  });

  // §D11-in-order
  it('are sequential for one subscription, and not delayed by an endpoint of another subscription that never responds', async () => {
    const { world, happen } = await scene('order');
    await subscribe(world, { url: 'http://localhost:9001/dead' });
    const open = new Set<string>();
    let mostOpen = 0;
    harness.receive = async (attempt) => {
      if (attempt.url.endsWith('/dead')) return new Promise(() => {});
      open.add(attempt.headers['x-message-id']!);
      mostOpen = Math.max(mostOpen, open.size);
      await new Promise((resolve) => setImmediate(resolve));
      open.delete(attempt.headers['x-message-id']!);
      return { httpStatus: 200, error: null };
    };
    const ids = await happen(20);
    await expect.poll(() => harness.attempts.filter((each) => each.url === url).length).toBe(20);
    expect(harness.attempts.filter((each) => each.url === url).map((each) => JSON.parse(each.body).id)).toEqual(ids);
    expect(mostOpen).toBe(1);
    expect(harness.attempts.filter((each) => each.url !== url).length).toBe(1);
  });

  it('have at most four open retries to an endpoint that does not respond', async () => {
    const { world, happen } = await scene('few-places', { allowRetry: true });
    harness.receive = refuse;
    await happen(30);
    await harness.quiet(world);
    harness.attempts.length = 0;
    harness.receive = () => new Promise(() => {});
    void harness.control('POST', '/clock/advance', { by: 'PT5S' }, world);
    await expect.poll(() => harness.attempts.length).toBe(4);
  });

  it('of a world that is reset are aborted, and new deliveries start', async () => {
    const { world, happen } = await scene('reset');
    let answer = (_result: { httpStatus: number; error: null }): void => {};
    harness.receive = () => new Promise((resolve) => (answer = resolve));
    await happen(2);
    const { signal } = harness.attempts[0]!;
    await harness.control('POST', '/reset', undefined, world);
    expect(signal.aborted).toBe(true);
    answer({ httpStatus: 200, error: null });
    const { state } = harness.sandbox.world(world);
    harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
    await subscribe(world);
    harness.attempts.length = 0;
    const ids = await happen(2);
    await harness.quiet(world);
    expect(sentIds()).toEqual(ids);
    expect([state.executionLogs.size, state.deliveries.size, state.outbox.size]).toEqual([2, 2, 0]);
  });
});

describe('delivery effects', () => {
  it('can delay an attempt by world time without delaying later events', async () => {
    const { world, happen, advance } = await scene('delay');
    await strike(world, { delay: '30s' });
    const ids = await happen(2);
    await harness.quiet(world);
    expect(sentIds()).toEqual([ids[1]]);
    expect((await harness.control('GET', '/clock', undefined, world)).body.pendingTimers).toBe(1);
    const { fired, deliveries } = await advance('PT30S');
    expect(fired).toMatchObject([{ kind: 'RELEASE', resource: 'DELIVERY', from: 'WAITING', to: 'DUE', at: '2026-11-21T12:00:30.000Z' }]);
    expect(deliveries).toMatchObject([{ httpStatus: 200, attempt: 1 }]);
    expect(sentIds()).toEqual([ids[1], ids[0]]);
  });

  it('can repeat an attempt with its message id before the next event', async () => {
    const { world, happen, logs } = await scene('duplicate');
    await strike(world, { duplicate: 2 });
    const ids = await happen(2);
    await harness.quiet(world);
    expect(sentIds()).toEqual([ids[0], ids[0], ids[0], ids[1]]);
    expect(new Set(harness.attempts.map((each) => each.headers['x-message-id'])).size).toBe(2);
    expect((await logs()).map((each: { retryAttempts: number }) => each.retryAttempts)).toEqual([0, 0, 0, 0]);
  });

  it('can swap an attempt with the next one, or all attempts in pairs', async () => {
    const { world, happen } = await scene('reorder');
    await strike(world, { reorder: true }, 4);
    const ids = await happen(4);
    await harness.quiet(world);
    expect(sentIds()).toEqual([ids[1], ids[0], ids[3], ids[2]]);
  });

  it('send a reordered attempt after five seconds if no attempt follows', async () => {
    const { world, happen, advance } = await scene('reorder-alone');
    await strike(world, { reorder: true });
    const [first] = await happen();
    await advance('PT4.999S');
    expect(sentIds()).toEqual([]);
    await advance('PT0.001S');
    expect(sentIds()).toEqual([first]);
    const [second] = await happen();
    await harness.quiet(world);
    expect(sentIds()).toEqual([first, second]);
  });

  it('can drop an attempt, which counts as failed and is retried', async () => {
    const { world, happen, logs, advance } = await scene('drop', { allowRetry: true });
    await strike(world, { drop: true });
    const [id] = await happen();
    await harness.quiet(world);
    expect(sentIds()).toEqual([]);
    expect(await logs()).toMatchObject([{ status: 'FAILED', httpStatus: 0, error: expect.stringContaining('dropped') }]);
    await advance('PT5S');
    expect(sentIds()).toEqual([id]);
  });

  it('can make the signatures in both formats invalid', async () => {
    const { world, happen } = await scene('corrupt');
    await strike(world, { corruptSignature: true });
    await happen(2);
    await harness.quiet(world);
    const { identity } = harness.sandbox.world(world);
    const genuine = harness.attempts.map((each) => isGenuine(each.headers, Buffer.from(each.body), identity, harness.realMs / 1000));
    expect(genuine).toEqual([false, true]);
    const [bad, good] = harness.attempts.map((each) => each.headers);
    expect(bad!['x-message-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(bad!['webhook-signature']!.length).toBe(good!['webhook-signature']!.length);
  });

  it('are chosen once for an attempt that is delayed, and all are applied', async () => {
    const { world, happen, advance } = await scene('combined');
    await strike(world, { delay: '1s', duplicate: 1 });
    const [id] = await happen();
    await advance('PT1S');
    expect(sentIds()).toEqual([id, id]);
  });
});

describe('the scenario webhook-chaos', () => {
  async function chaos(world: string) {
    await subscribe(world, { allowRetry: true });
    harness.attempts.length = 0;
    const ids: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      ids.push(
        (await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary({ lastName: 'Rejected' }) }, world)).body.id as string,
      );
    }
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    const { identity } = harness.sandbox.world(world);
    const created = harness.attempts.filter((each) => each.headers['x-event-type']?.endsWith('_CREATED'));
    const genuine = created.map((each) => isGenuine(each.headers, Buffer.from(each.body), identity, harness.realMs / 1000));
    return { ids, arrived: created.map((each) => JSON.parse(each.body).id as string), genuine };
  }

  it('makes webhooks late, repeated, reordered and badly signed, and finally delivers all', async () => {
    const { ids, arrived, genuine } = await chaos(await harness.world('chaos', { scenario: 'webhook-chaos' }));
    expect(new Set(arrived)).toEqual(new Set(ids));
    expect(arrived.length).toBeGreaterThan(ids.length);
    expect([...new Set(arrived)]).not.toEqual(ids);
    expect(new Set(genuine)).toEqual(new Set([true, false]));
    const kinds = [...harness.sandbox.world('chaos').state.executionLogs.values()];
    expect(kinds.some((log) => log.error?.includes('dropped'))).toBe(true);
    expect(kinds.some((log) => log.retryAttempts === 1)).toBe(true);
  });

  it('has identical effects for identical requests', async () => {
    const first = await chaos(await harness.world('chaos-twice', { scenario: 'webhook-chaos' }));
    await harness.control('POST', '/reset', undefined, 'chaos-twice');
    expect((await chaos('chaos-twice')).arrived).toEqual(first.arrived);
  });
});
