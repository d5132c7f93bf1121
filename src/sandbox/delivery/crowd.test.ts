import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { hostileReceivers, listening } from '../../testing/hostile-receivers.js';
import { createTransport } from './transport.js';

const harness = useHarness();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

it('keeps to 512 open attempts, and lets those that wait have their turn', async () => {
  const world = await harness.world('many', { scenario: 'manual' });
  const body = { url: 'http://localhost:9000/', includeAll: true };
  for (let count = 0; count < 520; count += 1) await harness.api('POST', '/api/subscriptions', { body }, world);
  const answers: (() => void)[] = [];
  harness.receive = () => new Promise((resolve) => answers.push(() => resolve({ httpStatus: 200, error: null })));
  await harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world);
  await expect.poll(() => harness.attempts.length).toBe(512);
  for (const answer of answers.splice(0)) answer();
  await expect.poll(() => harness.attempts.length).toBe(520);
  for (const answer of answers.splice(0)) answer();
  await harness.quiet(world);
  expect(harness.sandbox.world(world).state.outbox.size).toBe(0);

  // What waited in a world that was reset since does not take the turn of what waits there now.
  const late = await harness.world('late', { scenario: 'manual' });
  await harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world);
  for (let count = 0; count < 2; count += 1) {
    await harness.control('POST', '/reset', undefined, late);
    await harness.api('POST', '/api/subscriptions', { body }, late);
    await harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, late);
  }
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
  for (const answer of answers.splice(0)) answer();
  await harness.quiet(late);
  expect(harness.sandbox.world(late).state.executionLogs.size).toBe(1);
  await harness.quiet(world);
});

describe('twenty endpoints that hang or flood', () => {
  /** A manual world whose attempts go over real sockets, with a subscription to each hostile endpoint, more than once. */
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
    const hostile: { id: string; httpStatus: number; what: string }[] = [];
    for (let count = 0; count < 20; count += 1) {
      const { scheme, listen, httpStatus, what } = hostileReceivers[count % hostileReceivers.length]!;
      const server = await listening(listen());
      cleanups.push(server.close);
      hostile.push({ id: await subscribe(`${scheme}://127.0.0.1:${server.port}/`), httpStatus, what });
    }
    const fire = () => harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world);
    const logsOf = async (id: string) => (await harness.api('GET', `/api/subscriptions/${id}/executionLogs`, {}, world)).body.data;
    return { world, subscribe, hostile, fire, logsOf };
  }

  it('hold up no event of another subscription', async () => {
    const { world, subscribe, hostile, fire, logsOf } = await beset('beside', '60s');
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
    for (const each of hostile) if (each.httpStatus === 0) expect(await logsOf(each.id)).toEqual([]);
    await harness.control('POST', '/reset', undefined, world);
  });

  it('each come to what is decided', async () => {
    const { world, hostile, fire, logsOf } = await beset('decided', '2s');
    await fire();
    await harness.quiet(world);
    for (const { id, httpStatus, what } of hostile) {
      const outcome = httpStatus === 0 ? 'No answer within 2000 ms.' : httpStatus === 302 ? 'The endpoint answered 302.' : null;
      expect([what, await logsOf(id)]).toMatchObject([what, [{ httpStatus, error: outcome, status: outcome ? 'FAILED' : 'SUCCESS' }]]);
    }
  });
});
