import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSubscription } from '../../services/webhooks/subscriptions.js';
import { useHarness } from '../../testing/harness.js';
import { hostileReceivers, listening } from '../../testing/hostile-receivers.js';
import { createTransport } from './transport.js';

const harness = useHarness();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

describe('silent endpoints', () => {
  /** The world of each open attempt, by the function that ends the attempt. */
  const open = new Map<() => void, string>();
  const openOf = (world: string) => [...open.values()].filter((each) => each === world).length;
  /** Returns the number of attempts that a world has started. */
  const begun = (world: string) => harness.attempts.filter(({ url }) => url.endsWith(`/${world}`)).length;

  beforeEach(() => {
    harness.attempts.length = 0;
    open.clear();
    harness.receive = ({ url, signal }) => {
      if (url.endsWith('/answers')) return Promise.resolve({ httpStatus: 200, error: null });
      return new Promise((resolve) => {
        const end = () => {
          open.delete(end);
          resolve({ httpStatus: 200, error: null });
        };
        open.set(end, new URL(url).pathname.slice(1));
        signal.addEventListener('abort', end);
      });
    };
  });

  /** Creates a world with subscriptions to silent endpoints, and fires an event to each. */
  async function besiege(name: string, endpoints: number): Promise<string> {
    const world = await harness.world(name, { scenario: 'manual' });
    const { kept } = harness.sandbox.world(world).write('test', (uow) => {
      for (let count = 0; count < endpoints; count += 1)
        createSubscription(uow, { url: `http://localhost:9000/${world}`, includeAll: true, allowRetry: false });
    });
    await kept;
    await fire(world);
    return world;
  }
  const fire = (world: string) => harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world);
  const subscribe = (world: string, url: string) => harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);
  const end = (world: string, most: number) => {
    for (const [ends] of [...open].filter(([, of]) => of === world).slice(0, most)) ends();
  };

  it('of one world delay neither deliveries of other worlds nor deliveries to inboxes', async () => {
    const world = await besiege('besieged', 600);
    await expect.poll(() => openOf(world), { timeout: 10_000 }).toBe(256);
    const other = await harness.world('other-world', { scenario: 'manual' });
    await subscribe(other, 'http://localhost:9000/answers');
    for (let count = 0; count < 20; count += 1) await fire(other);
    expect((await harness.control('POST', '/clock/advance', { by: 'PT1M' }, other)).status).toBe(200);
    await harness.quiet(other);
    expect([begun('answers'), openOf(world)]).toEqual([20, 256]);

    await subscribe(world, 'http://localhost:4010/_sandbox/inbox/in?world=besieged');
    await fire(world);
    const { status } = await harness.control('GET', '/inbox/in/await?timeoutMs=10000', undefined, world);
    expect([status, openOf(world)]).toEqual([200, 256]);

    for (let rounds = 0; begun(world) < 1200 || open.size > 0; rounds += 1) {
      expect(rounds).toBeLessThan(10_000);
      end(world, 256);
      await new Promise(setImmediate);
    }
    await harness.quiet(world);
    expect(harness.sandbox.world(world).state.outbox.size).toBe(0);
  });

  it('of several worlds share the slots in equal numbers', async () => {
    const worlds = [await besiege('first', 600), await besiege('second', 300), await besiege('third', 300)];
    await expect.poll(() => worlds.map(openOf), { timeout: 10_000 }).toEqual([256, 128, 64]);
    /** Whether each of the three worlds has a quarter of the slots, so that a quarter is free. */
    const isShared = () => worlds.every((world) => Math.abs(openOf(world) - 128) <= 2);
    end('first', 192);
    await expect.poll(isShared, { timeout: 10_000 }).toBe(true);
    const before = worlds.map(begun);
    for (const world of worlds) end(world, 30);
    await expect.poll(isShared, { timeout: 10_000 }).toBe(true);
    for (const [index, world] of worlds.entries()) expect(begun(world)).toBeGreaterThanOrEqual(before[index]! + 26);
    for (const world of worlds) await harness.control('DELETE', `/worlds/${world}`);
    await expect.poll(() => open.size).toBe(0);
  });

  it('of a world take no slots after the world is reset', async () => {
    const world = await besiege('ahead', 600);
    const late = await besiege('late', 300);
    for (const each of [late, late]) {
      await harness.control('POST', '/reset', undefined, each);
      await subscribe(each, 'http://localhost:9000/answers');
      await fire(each);
    }
    await harness.quiet(late);
    expect(harness.sandbox.world(late).state.executionLogs.size).toBe(1);
    await harness.control('POST', '/reset', undefined, world);
    await expect.poll(() => open.size).toBe(0);
  });
});

describe('twenty endpoints that do not respond, or send too much', () => {
  /** Creates a world with 20 subscriptions to hostile endpoints and the scenario manual. Webhooks use real sockets. */
  async function beset(name: string, deliveryTimeout: string) {
    const world = await harness.world(name, { scenario: 'manual' });
    await harness.control('PUT', '/settings', { deliveryTimeout }, world);
    const { send, close } = createTransport();
    harness.receive = send;
    cleanups.push(close);
    const subscribe = async (url: string): Promise<string> => {
      const { body } = await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);
      return body.id as string;
    };
    const hostile: { id: string; httpStatus: number; what: string; error: string | undefined }[] = [];
    for (let count = 0; count < 20; count += 1) {
      const { scheme, listen, httpStatus, what, error } = hostileReceivers[count % hostileReceivers.length]!;
      const server = await listening(listen());
      cleanups.push(server.close);
      hostile.push({ id: await subscribe(`${scheme}://127.0.0.1:${server.port}/`), httpStatus, what, error });
    }
    const fire = () => harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world);
    const logsOf = async (id: string) => (await harness.api('GET', `/api/subscriptions/${id}/executionLogs`, {}, world)).body.data;
    return { world, subscribe, hostile, fire, logsOf };
  }

  it('delay no event of another subscription', async () => {
    const { world, subscribe, hostile, fire, logsOf } = await beset('other', '60s');
    const received: unknown[] = [];
    const healthy = await listening(
      createServer((request, response) => {
        received.push(request.headers['x-message-id']);
        request.resume().on('end', () => response.end());
      }),
    );
    cleanups.push(healthy.close);
    await subscribe(`http://127.0.0.1:${healthy.port}/`);
    for (let count = 0; count < 30; count += 1) await fire();
    await expect.poll(() => received.length).toBe(30);
    for (const each of hostile) if (each.httpStatus === 0 && each.error === undefined) expect(await logsOf(each.id)).toEqual([]);
    await harness.control('POST', '/reset', undefined, world);
  });

  it('each cause the specified result of their attempt', async () => {
    const { world, hostile, fire, logsOf } = await beset('decided', '2s');
    await fire();
    await harness.quiet(world);
    for (const { id, httpStatus, what, error } of hostile) {
      const byStatus = httpStatus === 0 ? 'No response within 2000 ms.' : httpStatus === 302 ? 'The endpoint responded with 302.' : null;
      const outcome = error ?? byStatus;
      expect([what, await logsOf(id)]).toMatchObject([what, [{ httpStatus, error: outcome, status: outcome ? 'FAILED' : 'SUCCESS' }]]);
    }
  });
});
