import { describe, expect, it } from 'vitest';
import type { EventReader, ReadEvent } from '../../testing/event-reader.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds } from '../../testing/withdrawals.js';

const harness = useHarness();

/** A world with a subscription that sends to the listener `laptop`, with retries. */
async function worldWith(name: string, settings: Record<string, unknown> = {}): Promise<string> {
  const world = await harness.world(name);
  await harness.control('PUT', '/settings', settings, world);
  const url = 'http://127.0.0.1:4010/_sandbox/listeners/laptop';
  expect((await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true, allowRetry: true } }, world)).status).toBe(201);
  return world;
}

const listen = async (world: string, query = ''): Promise<EventReader> => {
  const reader = await harness.events(`/listeners/laptop/attempts${query}`, world);
  if (reader.status === 200) expect((await reader.next())?.event).toBe('ready');
  return reader;
};
const fire = (world: string, eventType = 'OPERATION_COMPLETED') => harness.control('POST', '/events', { eventType }, world);
const answer = (world: string, { data }: ReadEvent, body: unknown) =>
  harness.control('POST', `/listeners/laptop/attempts/${data.attempt}/response`, body, world);
const deliveries = async (world: string) => {
  await harness.quiet(world);
  return (await harness.control('GET', '/deliveries', undefined, world)).body.data;
};
/** Returns the log entry of the last attempt. */
function lastLog(world: string) {
  const { httpStatus, error } = [...harness.sandbox.world(world).state.executionLogs.values()].at(-1)!;
  return { httpStatus, error };
}

describe('a listener', () => {
  it('receives webhooks and responds to them like an endpoint', async () => {
    const world = await worldWith('listen');
    const reader = await listen(world);
    await fire(world);
    const [attempt] = await reader.take(1);
    const { messageId, eventType, headers, body } = attempt!.data;
    expect(eventType).toBe('OPERATION_COMPLETED');
    const text = Buffer.from(body, 'base64').toString();
    const checked = await harness.control('POST', '/signatures/check', { headers, body: text }, world);
    expect(checked.body).toMatchObject({ valid: true });
    expect(await answer(world, attempt!, { status: 204, headers: { 'x-a': 'b' } })).toMatchObject({ status: 204, body: null });
    const [delivery] = await deliveries(world);
    expect(delivery).toMatchObject({ id: messageId, status: 'SUCCESS', attempts: 1, payload: text });
    expect(await answer(world, attempt!, { status: 200 })).toMatchObject({ status: 404, body: { code: 'RESOURCE_NOT_FOUND' } });
    await reader.close();
  });

  it('is rejected if its world has 64 listeners, regardless of the listeners of other worlds', async () => {
    const [world, other] = [await worldWith('crowded'), await worldWith('other')];
    const connected = (name: string, of = world) => harness.events(`/listeners/${name}/attempts`, of);
    const readers = await Promise.all(Array.from({ length: 64 }, (_, index) => connected(`l${index}`)));
    expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await harness.control('GET', '/listeners/laptop/attempts', undefined, world);
    expect([refused.status, refused.body.details.maximum]).toEqual([429, 64]);
    expect((await listen(other)).status).toBe(200);
    await readers[0]!.close();
    expect((await listen(world)).status).toBe(200);
  });

  it.each<[string, object, object, string]>([
    ['an error status', { status: 500 }, { httpStatus: 500, error: 'The endpoint responded with 500.' }, 'WAITING'],
    [
      'a redirect',
      { status: 302, headers: { Location: 'http://a/' } },
      { httpStatus: 302, error: 'The endpoint responded with 302.' },
      'WAITING',
    ],
    [
      'a connection error',
      { error: 'connect ECONNREFUSED 127.0.0.1:3000' },
      { httpStatus: 0, error: 'connect ECONNREFUSED 127.0.0.1:3000' },
      'WAITING',
    ],
  ])('that responds with %s causes a retry', async (_what, given, log, status) => {
    const world = await worldWith('listen-answers');
    const reader = await listen(world);
    await fire(world);
    const [first] = await reader.take(1);
    await answer(world, first!, given);
    expect((await deliveries(world))[0]).toMatchObject({ status, attempts: 1 });
    expect(lastLog(world)).toEqual(log);
    const advanced = harness.control('POST', '/clock/advance', { by: '5s' }, world);
    const [retry] = await reader.take(1);
    expect(retry!.data.messageId).toBe(first!.data.messageId);
    expect(retry!.data.attempt).not.toBe(first!.data.attempt);
    await answer(world, retry!, { status: 200 });
    expect((await advanced).body.deliveries).toMatchObject([{ httpStatus: 200, attempt: 2 }]);
    await reader.close();
    await harness.control('DELETE', `/worlds/${world}`);
    harness.forget(world);
  });

  it('that does not respond times out', async () => {
    const world = await worldWith('listen-silent', { deliveryTimeout: 'PT0.05S' });
    const reader = await listen(world);
    await fire(world);
    await deliveries(world);
    expect(lastLog(world)).toEqual({ httpStatus: 0, error: 'No response within 50 ms.' });
    const [late] = await reader.take(1);
    expect(await answer(world, late!, { status: 200 })).toMatchObject({ status: 404 });
    await reader.close();
  });

  it('that was never connected fails deliveries like a closed port', async () => {
    const world = await worldWith('listen-never', { listenerGrace: 'PT0S' });
    await fire(world);
    await deliveries(world);
    expect(lastLog(world)).toEqual({ httpStatus: 0, error: expect.stringContaining('ECONNREFUSED') });
  });

  it('that reconnects with the same session receives unanswered webhooks again', async () => {
    const world = await worldWith('listen-lost');
    const first = await listen(world, '?session=one');
    await fire(world);
    const [attempt] = await first.take(1);
    await first.close();
    const again = await listen(world, '?session=one');
    expect((await again.take(1))[0]).toEqual(attempt);
    const replaced = await listen(world, '?session=one');
    expect(await again.next()).toBeUndefined();
    expect((await replaced.take(1))[0]).toEqual(attempt);
    await answer(world, attempt!, { status: 200 });
    expect((await deliveries(world))[0]).toMatchObject({ status: 'SUCCESS', attempts: 1 });
    await replaced.close();
  });

  it('is not reported as slow because of the time without a connection', async () => {
    const world = await worldWith('listen-slow');
    const [sourceAccountId, targetAccountId] = fixtureIds(harness, world).accountIds;
    const body = { sourceAccountId, targetAccountId, amount: { value: '25.00', asset: 'BRL' } };
    const pay = () => harness.api('POST', '/api/operations/transfer', { body }, world);
    const slow = async () =>
      (await harness.control('GET', '/findings', undefined, world)).body.data.map(({ rule }: { rule: string }) => rule);
    const lost = await listen(world, '?session=one');
    await pay();
    await lost.take(1);
    await lost.close();
    harness.realMs += 6000;
    const reader = await listen(world, '?session=one');
    await answer(world, (await reader.take(1))[0]!, { status: 200 });
    await deliveries(world);
    expect(await slow()).toEqual([]);
    await pay();
    const [attempt] = await reader.take(1);
    harness.realMs += 6000;
    await answer(world, attempt!, { status: 200 });
    await deliveries(world);
    expect(await slow()).toEqual(['webhook.slow']);
    await reader.close();
  });

  it('that does not reconnect fails its pending webhooks after the grace period', async () => {
    const world = await worldWith('listen-gone', { listenerGrace: 'PT0.05S' });
    const reader = await listen(world);
    await fire(world);
    await reader.take(1);
    await reader.close();
    await deliveries(world);
    expect(lastLog(world)).toEqual({ httpStatus: 0, error: expect.stringContaining('socket hang up') });
  });

  it('rejects a client with a different session, unless that client takes over', async () => {
    const world = await worldWith('listen-taken');
    const mine = await listen(world, '?session=mine');
    await fire(world);
    const [attempt] = await mine.take(1);
    const refused = await harness.control('GET', '/listeners/laptop/attempts?session=yours', undefined, world);
    expect(refused).toMatchObject({ status: 409, body: { code: 'LISTENER_TAKEN' } });
    expect(await harness.control('GET', '/listeners/laptop/attempts', undefined, world)).toMatchObject({ status: 409 });
    const yours = await listen(world, '?session=yours&takeOver=true');
    expect(await mine.next()).toBeUndefined();
    expect((await yours.take(1))[0]).toEqual(attempt);
    await answer(world, attempt!, { status: 200 });
    await yours.close();
  });

  it('receives webhooks with the effects of faults: duplicates and forged signatures', async () => {
    const world = await worldWith('listen-effects');
    await harness.control('POST', '/faults', { on: 'DELIVERY', times: 1, effect: { duplicate: 1, corruptSignature: true } }, world);
    const reader = await listen(world);
    await fire(world);
    const ids = new Set<string>();
    for (let count = 0; count < 2; count += 1) {
      const [attempt] = await reader.take(1);
      const { headers, body, messageId } = attempt!.data;
      ids.add(messageId);
      const text = Buffer.from(body, 'base64').toString();
      expect((await harness.control('POST', '/signatures/check', { headers, body: text }, world)).body).toMatchObject({ part: 'SECRET' });
      await answer(world, attempt!, { status: 200 });
    }
    expect([ids.size, (await deliveries(world))[0].attempts]).toEqual([1, 2]);
    await reader.close();
  });

  it('receives external POST requests, and the sender gets the response of the listener', async () => {
    const world = await worldWith('listen-outside', { listenerGrace: 'PT0S' });
    const post = () =>
      harness.control('POST', '/listeners/laptop', { hello: 1 }, world, { 'x-message-id': 'm', origin: 'https://elsewhere.example' });
    expect(await post()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    const reader = await listen(world);
    const answered = post();
    const [attempt] = await reader.take(1);
    expect(attempt!.data).toMatchObject({ messageId: 'm', eventType: null, body: Buffer.from('{"hello":1}').toString('base64') });
    await answer(world, attempt!, { status: 418, body: '{"short":"stout"}' });
    expect(await answered).toMatchObject({ status: 418, body: { short: 'stout' } });
    const empty = post();
    await answer(world, (await reader.take(1))[0]!, { status: 204 });
    expect(await empty).toMatchObject({ status: 204, body: null });
    const cut = post();
    await reader.take(1);
    await harness.control('DELETE', `/worlds/${world}`);
    expect(await cut).toMatchObject({
      status: 503,
      body: { message: 'Listener laptop did not respond: The world was deleted or moved to another node.' },
    });
    await reader.close();
  });

  it('is detected by a probe, and is disconnected when its world is deleted', async () => {
    const world = await worldWith('listen-end');
    const [{ id }] = (await harness.api('GET', '/api/subscriptions', {}, world)).body.data;
    const probe = async () => (await harness.control('POST', `/subscriptions/${id}/probe`, undefined, world)).body;
    expect(await probe()).toMatchObject({ via: 'LISTENER', reachable: false });
    const reader = await listen(world);
    expect(await probe()).toMatchObject({ via: 'LISTENER', reachable: true });
    await harness.control('DELETE', `/worlds/${world}`);
    expect(await reader.next()).toBeUndefined();
  });

  it.each([
    ['neither status nor error', {}],
    ['both status and error', { status: 200, error: 'x' }],
    ['an invalid HTTP status', { status: 99 }],
  ])('cannot respond with %s', async (_what, body) => {
    const id = '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417';
    expect(await harness.control('POST', `/listeners/laptop/attempts/${id}/response`, body)).toMatchObject({ status: 400 });
  });
});
