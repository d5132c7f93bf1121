import { afterEach, describe, expect, it } from 'vitest';
import type { DeliveryEffect } from '../../contract/scenario/effects.js';
import { FileStorage } from '../../storage/file/file-storage.js';
import { Harness, sharedTokenKey, useHarness } from '../../testing/harness.js';
import { StorageDirectory } from '../../testing/storage.js';
import { pixBeneficiary, withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();
afterEach(() => {
  harness.attempts.length = 0;
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
});

/** Creates a world with a frozen clock and a subscription to all events. */
async function scene(name: string, url = 'http://localhost:9000/hooks') {
  const world = await harness.world(name, { clock: { mode: 'FROZEN' } });
  const { body } = await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true, allowRetry: true } }, world);
  const subscription = `/subscriptions/${body.id}`;
  const settle = async () => (await harness.control('POST', '/clock/advance', { untilIdle: true }, world)).body;
  const advance = async (by: string) => (await harness.control('POST', '/clock/advance', { by }, world)).body;
  const now = async () => (await harness.control('GET', '/clock', undefined, world)).body.now as string;
  return { world, subscription, settle, advance, now };
}

/** Adds a fault for the first attempt of the next event of a type. */
async function strike(world: string, eventType: string, effect: DeliveryEffect): Promise<void> {
  const fault = { on: 'DELIVERY', when: { eventType, kind: 'FIRST' }, times: 1, effect };
  expect(await harness.control('POST', '/faults', fault, world)).toMatchObject({ status: 201 });
}

const sentTypes = () => harness.attempts.map((each) => each.headers['x-event-type']!.replace('OPERATION_', ''));

describe('an attempt that waits for another event', () => {
  it('is sent after the endpoint has responded to that event', async () => {
    const { world, settle, now } = await scene('until-event');
    await strike(world, 'OPERATION_REQUESTED', { until: { eventType: 'OPERATION_COMPLETED', of: 'sameResource' } });
    await withdraw(harness, world);
    const startedAt = await now();
    const { idle } = await settle();
    expect(sentTypes()).toEqual(['COMPLETED', 'REQUESTED']);
    expect(idle).toBe(true);
    expect(Date.parse(await now()) - Date.parse(startedAt)).toBe(3000);
  });

  it('waits for an event of its own resource if `of` is sameResource, and of any resource if `of` is any', async () => {
    const { world, settle } = await scene('until-other');
    await strike(world, 'OPERATION_REQUESTED', { until: { eventType: 'OPERATION_REQUESTED', of: 'sameResource' } });
    await strike(world, 'OPERATION_COMPLETED', { until: { eventType: 'OPERATION_COMPLETED', of: 'any' } });
    await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { by: 'PT1S' }, world);
    await withdraw(harness, world, '75.00');
    await settle();
    const ids = harness.attempts.map((each) => JSON.parse(each.body).id as string);
    const [first, second] = [ids[2]!, ids[0]!];
    expect(sentTypes().map((type, index) => `${type} ${ids[index] === first ? 1 : 2}`)).toEqual([
      'REQUESTED 2',
      'COMPLETED 2',
      'COMPLETED 1',
      'REQUESTED 1',
    ]);
    expect(first).not.toBe(second);
  });

  it('with "until: end" is sent at the end of an advance until idle, without advancing the clock further', async () => {
    const { world, settle, now } = await scene('until-end');
    await strike(world, 'OPERATION_REQUESTED', { until: 'end' });
    await withdraw(harness, world);
    const startedAt = await now();
    const { fired } = await settle();
    expect(sentTypes()).toEqual(['COMPLETED', 'REQUESTED']);
    expect(fired.at(-1)).toMatchObject({ kind: 'RELEASE' });
    expect(Date.parse(await now()) - Date.parse(startedAt)).toBe(3000);
  });

  it('is sent after one day of world time if the event does not occur', async () => {
    const { world, advance } = await scene('until-never');
    await strike(world, 'OPERATION_REQUESTED', { until: { eventType: 'OPERATION_FAILED', of: 'any' } });
    await withdraw(harness, world);
    await advance('PT23H59M59S');
    expect(sentTypes()).toEqual(['COMPLETED']);
    await advance('PT1S');
    expect(sentTypes()).toEqual(['COMPLETED', 'REQUESTED']);
  });

  it('is sent even if that event in turn waits for this attempt', async () => {
    const { world, settle } = await scene('until-each-other');
    await strike(world, 'OPERATION_REQUESTED', { until: { eventType: 'OPERATION_COMPLETED', of: 'any' } });
    await strike(world, 'OPERATION_COMPLETED', { until: { eventType: 'OPERATION_REQUESTED', of: 'any' } });
    await withdraw(harness, world);
    expect((await settle()).idle).toBe(true);
    expect(sentTypes()).toEqual(['REQUESTED', 'COMPLETED']);
  });

  it('still waits after the world was exported and imported', async () => {
    const { world, settle } = await scene('until-import');
    await strike(world, 'OPERATION_REQUESTED', { until: { eventType: 'OPERATION_COMPLETED', of: 'sameResource' } });
    await withdraw(harness, world);
    const { body } = await harness.control('GET', '/state', undefined, world);
    expect(await harness.control('PUT', '/state', body, world)).toMatchObject({ status: 200 });
    await settle();
    expect(sentTypes()).toEqual(['COMPLETED', 'REQUESTED']);
  });

  it('still waits after a restart', async () => {
    const directory = new StorageDirectory();
    const opened = async () => {
      const storage = await FileStorage.open(directory.path);
      return new Harness().open(await sharedTokenKey(), { storage });
    };
    try {
      const first = await opened();
      const world = await first.world('until-restart', { clock: { mode: 'FROZEN' } });
      const body = { url: 'http://localhost:9000/hooks', includeAll: true, allowRetry: true };
      await first.api('POST', '/api/subscriptions', { body }, world);
      const effect = { until: { eventType: 'OPERATION_COMPLETED', of: 'sameResource' } };
      const when = { eventType: 'OPERATION_REQUESTED', kind: 'FIRST' };
      await first.control('POST', '/faults', { on: 'DELIVERY', when, times: 1, effect }, world);
      await withdraw(first, world);
      await first.sandbox.close();
      const second = await opened();
      await second.control('POST', '/clock/advance', { by: 'PT3S' }, world);
      await second.quiet(world);
      const types = second.attempts.map((each) => each.headers['x-event-type']);
      expect(types).toEqual(['OPERATION_COMPLETED', 'OPERATION_REQUESTED']);
      await second.sandbox.close();
    } finally {
      await directory.remove();
    }
  });

  it('is deleted unsent with its subscription', async () => {
    const { world, subscription, settle } = await scene('until-deleted');
    await strike(world, 'OPERATION_REQUESTED', { until: { eventType: 'OPERATION_COMPLETED', of: 'any' } });
    await withdraw(harness, world);
    expect((await harness.control('DELETE', subscription, undefined, world)).status).toBe(204);
    await settle();
    expect(sentTypes()).toEqual([]);
    expect(harness.sandbox.world(world).state.outbox.size).toBe(0);
  });
});

describe('a copy that is sent later', () => {
  it('has the message id of the first copy, and with "until: end" comes after all other attempts', async () => {
    const { world, settle } = await scene('again');
    await strike(world, 'OPERATION_REQUESTED', { again: { until: 'end' } });
    await withdraw(harness, world);
    await settle();
    expect(sentTypes()).toEqual(['REQUESTED', 'COMPLETED', 'REQUESTED']);
    expect(harness.attempts[2]!.headers['x-message-id']).toBe(harness.attempts[0]!.headers['x-message-id']);
  });

  it('can wait for another event', async () => {
    const { world, advance } = await scene('again-event');
    await strike(world, 'OPERATION_REQUESTED', { again: { until: { eventType: 'OPERATION_COMPLETED', of: 'sameResource' } } });
    await withdraw(harness, world);
    await advance('PT3S');
    expect(sentTypes()).toEqual(['REQUESTED', 'COMPLETED', 'REQUESTED']);
  });

  it('comes after the first copy, even if the first copy is delayed', async () => {
    const { world, settle } = await scene('again-late');
    await strike(world, 'OPERATION_REQUESTED', {
      until: { eventType: 'OPERATION_COMPLETED', of: 'any' },
      again: { until: 'end' },
    });
    await withdraw(harness, world);
    await settle();
    expect(sentTypes()).toEqual(['COMPLETED', 'REQUESTED', 'REQUESTED']);
  });
});

describe('overlapping events', () => {
  it('are in progress at one time; the older one is sent first', async () => {
    const { world, settle } = await scene('overlap');
    await strike(world, 'OPERATION_REQUESTED', { overlap: true });
    let open = 0;
    let mostOpen = 0;
    harness.receive = async () => {
      mostOpen = Math.max(mostOpen, (open += 1));
      await new Promise((resolve) => setTimeout(resolve, 20));
      open -= 1;
      return { httpStatus: 200, error: null };
    };
    await withdraw(harness, world);
    await settle();
    expect(sentTypes()).toEqual(['REQUESTED', 'COMPLETED']);
    expect(mostOpen).toBe(2);
    await withdraw(harness, world);
    await settle();
    expect(sentTypes()).toHaveLength(4);
    expect(mostOpen).toBe(2);
  });

  it('are sent even if no second event follows', async () => {
    const { world, settle } = await scene('overlap-alone');
    await strike(world, 'OPERATION_COMPLETED', { overlap: true });
    await withdraw(harness, world);
    await settle();
    expect(sentTypes()).toEqual(['REQUESTED', 'COMPLETED']);
  });
});

describe('a lost event', () => {
  it('is never sent, and its delivery has the status FAILED', async () => {
    const { world, settle } = await scene('lost');
    await strike(world, 'OPERATION_REQUESTED', { lost: true });
    await withdraw(harness, world);
    await settle();
    expect(sentTypes()).toEqual(['COMPLETED']);
    const { data } = (await harness.control('GET', '/deliveries', undefined, world)).body;
    expect(
      data.map((each: { eventType: string; status: string; attempts: number }) => [each.eventType, each.status, each.attempts]),
    ).toEqual(
      expect.arrayContaining([
        ['OPERATION_REQUESTED', 'FAILED', 1],
        ['OPERATION_COMPLETED', 'SUCCESS', 1],
      ]),
    );
  });
});

describe('a response with "respondAfter: events"', () => {
  const early = (world: string, operationId: string) =>
    harness.control('POST', '/faults', { on: 'REQUEST', when: { operationId }, times: 1, effect: { respondAfter: 'events' } }, world);

  it('is sent after the endpoint has responded to the webhook that the request caused', async () => {
    const { world, now } = await scene('early');
    await early(world, 'createWithdrawal');
    const startedAt = await now();
    let answered = 0;
    harness.receive = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      answered += 1;
      return { httpStatus: 200, error: null };
    };
    await withdraw(harness, world);
    expect(answered).toBe(1);
    expect(sentTypes()).toEqual(['REQUESTED']);
    expect(await now()).toBe(startedAt);
  });

  it('advances a frozen clock to the timer that causes the first event', async () => {
    const { world, subscription, now } = await scene('early-timer');
    expect((await harness.control('DELETE', subscription, undefined, world)).status).toBe(204);
    const resources = [{ name: 'OPERATION', events: ['OPERATION_COMPLETED'] }];
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/hooks', resources } }, world);
    await early(world, 'createWithdrawal');
    const startedAt = await now();
    await withdraw(harness, world);
    expect(sentTypes()).toEqual(['COMPLETED']);
    expect(Date.parse(await now()) - Date.parse(startedAt)).toBe(3000);
  });

  it('is sent immediately if the request causes no event', async () => {
    const { world } = await scene('early-none');
    await early(world, 'createQuote');
    const began = performance.now();
    await withdraw(harness, world);
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('is sent after five seconds if the endpoint does not respond', { timeout: 15_000 }, async () => {
    const { world } = await scene('early-stuck');
    await early(world, 'createWithdrawal');
    harness.receive = () => new Promise((resolve) => setTimeout(() => resolve({ httpStatus: 200, error: null }), 7000).unref());
    const began = performance.now();
    await withdraw(harness, world);
    expect(performance.now() - began).toBeGreaterThan(4900);
    expect(performance.now() - began).toBeLessThan(6500);
  });

  it('is sent immediately when the world is reset', async () => {
    const { world } = await scene('early-reset');
    await early(world, 'createBeneficiary');
    let attempted = (): void => undefined;
    const began = new Promise<void>((resolve) => (attempted = resolve));
    harness.receive = () => new Promise(() => attempted());
    const creating = harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await began;
    const reset = performance.now();
    await harness.control('POST', '/reset', undefined, world);
    // The reset may come before or after the rule applies to the response: both are correct.
    expect([201, 503]).toContain((await creating).status);
    expect(performance.now() - reset).toBeLessThan(4000);
  });
});

describe('faults that delay, repeat or lose events', () => {
  it.each([
    [{ on: 'DELIVERY', effect: { until: 'later' } }, 'effect.until'],
    [{ on: 'DELIVERY', effect: { until: { eventType: 'OPERATION_DONE', of: 'any' } } }, 'effect.until'],
    [{ on: 'DELIVERY', effect: { again: {} } }, 'effect.again.until'],
    [{ on: 'DELIVERY', effect: { lost: false } }, 'effect.lost'],
    [{ on: 'REQUEST', phase: 'before', effect: { respondAfter: 'events' } }, 'phase'],
  ])('are rejected if they are invalid: %j', async (fault, path) => {
    const { status, body } = await harness.control('POST', '/faults', fault);
    expect(status).toBe(400);
    expect(body.details.errors.some((each: { field: string }) => each.field.startsWith(`body:${path}`))).toBe(true);
  });
});
