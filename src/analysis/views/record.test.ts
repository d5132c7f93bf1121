import { describe, expect, it } from 'vitest';
import { requestOf } from '../../testing/request-record.js';
import { useHarness } from '../../testing/harness.js';
import type { OpenRequest } from '../../exchange/exchange.js';
import type { World } from '../../world/world.js';
import { TestMarkers } from '../project/test-markers.js';
import { createAnalysis } from '../analysis.js';
import { EventDispatcher } from '../../exchange/event-dispatcher.js';
import { CallRecord } from './record.js';

const harness = useHarness();
const mib = 1024 * 1024;

function newRecord(maxBytes = 64 * mib, testMarkers = new TestMarkers()) {
  return new CallRecord({ testMarkers, maxBytes, secrets: [], realNow: Date.now });
}

/** Returns a finished request. */
function call(method: 'GET' | 'POST', { request = '', answer = '{}' } = {}): OpenRequest {
  const body = { mediaType: 'application/json', size: Buffer.byteLength(request), text: request, value: undefined, file: null };
  return requestOf({
    method,
    operationId: method === 'GET' ? 'getOperation' : 'createQuote',
    rawHeaders: ['Host', 'localhost:4010'],
    body: request === '' ? null : body,
    response: { headers: {}, body: answer, value: undefined },
  });
}

const kept = (record: CallRecord, world: World) => record.of(world).all();
const world = () => harness.sandbox.world('default');
const text = (bytes: number) => JSON.stringify('ü'.repeat(bytes / 2 - 1));

describe('the memory of recorded requests', () => {
  it('is limited for each world: reads do not evict writes', () => {
    const record = newRecord();
    const payment = call('POST', { request: text(2000) });
    record.responded(world(), payment);
    for (let polls = 0; polls < 20_000; polls += 1) record.responded(world(), call('GET', { answer: text(1000) }));
    expect(record.bytes).toBeLessThanOrEqual(1.5 * mib + 4000);
    expect(record.bytes).toBeGreaterThan(1.4 * mib);
    const [first, second] = kept(record, world());
    expect(first!.id).toBe(payment.id);
    expect(record.of(world()).gone).toMatchObject({ writes: { count: 0 }, reads: { seq: second!.seq - 1 } });
    for (let writes = 0; writes < 1000; writes += 1) record.responded(world(), call('POST', { request: text(16_000) }));
    expect(record.bytes).toBeLessThanOrEqual(10 * mib);
    expect(record.of(world()).find(payment.id)).toBeUndefined();
  });

  it('is limited over all worlds: the oldest reads of the largest world are evicted first', async () => {
    const record = newRecord(mib);
    const [small, large] = await Promise.all(['small', 'large'].map(async (name) => harness.sandbox.world(await harness.world(name))));
    record.responded(small!, call('GET'));
    record.responded(small!, call('POST'));
    const payment = call('POST');
    record.responded(large!, payment);
    for (let polls = 0; polls < 5000; polls += 1) record.responded(large!, call('GET', { answer: text(1000) }));
    expect(record.bytes).toBeLessThanOrEqual(mib);
    expect(kept(record, small!)).toHaveLength(2);
    expect(record.of(large!).find(payment.id)).toBeDefined();
    for (let writes = 0; writes < 200; writes += 1) record.responded(large!, call('POST', { request: text(16_000) }));
    expect(record.bytes).toBeLessThanOrEqual(mib);
    expect(kept(record, small!)).toHaveLength(2);
    record.deleted(large!);
    expect(record.bytes).toBe(record.of(small!).bytes);
  });

  it.each([
    ['GET', 4 * 1024],
    ['POST', 16 * 1024],
  ] as const)('cuts the response body of a %s at %d bytes, and the request body at 16 KiB', (method, limit) => {
    const record = newRecord();
    const long = call(method, { request: text(100_000), answer: text(100_000) });
    const short = call(method, { request: text(limit), answer: text(limit) });
    for (const each of [long, short]) record.responded(world(), each);
    expect(record.call(world(), long.id)).toMatchObject({
      body: { bytes: 100_000, truncated: true },
      response: { body: { bytes: 100_000, truncated: true } },
    });
    const { body, response } = record.call(world(), long.id)!;
    for (const [shown, most] of [[body!.text, 16 * 1024] as const, [response!.body!.text, limit] as const]) {
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(most + 2);
      expect(Buffer.byteLength(shown)).toBeGreaterThan(most - 4);
    }
    expect(record.call(world(), short.id)).toMatchObject({
      body: { text: text(limit), truncated: false },
      response: { body: { text: text(limit), truncated: false } },
    });
  });

  it('assigns a request to the test in which it began, even if the request is recorded during the next test', () => {
    const testMarkers = new TestMarkers();
    const record = newRecord(undefined, testMarkers);
    const queue = new EventDispatcher([testMarkers, record], [], (error) => expect.unreachable(String(error)));
    const [before, after] = [call('POST'), call('POST')];
    queue.entered(world(), before);
    queue.responded(world(), before);
    record.setTest(world(), 'next');
    queue.entered(world(), after);
    queue.responded(world(), after);
    queue.catchUp();
    expect([before, after].map(({ id }) => record.call(world(), id)?.test)).toEqual([null, 'next']);
  });

  it('contains no part of a secret where a body is cut', () => {
    const record = newRecord();
    const secret = world().identity.clientSecret;
    for (let before = 16 * 1024 - 20; before < 16 * 1024; before += 1) {
      const cut = call('POST', { request: `${'a'.repeat(before)}${secret}${'b'.repeat(100)}` });
      record.responded(world(), cut);
      const { text: shown } = record.call(world(), cut.id)!.body!;
      expect(`[secret]${'b'.repeat(100)}`.startsWith(shown.replace(/^a*/, ''))).toBe(true);
    }
  });

  it('holds the newest 200 unattributed requests, in at most 1 MiB', () => {
    const record = newRecord();
    for (let calls = 0; calls < 300; calls += 1) record.responded(null, call('GET'));
    expect(record.unattributed.map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, index) => index + 101));
    for (let calls = 0; calls < 300; calls += 1) record.responded(null, call('POST', { request: text(16_000), answer: text(4000) }));
    expect(record.unattributed.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(mib);
  });
});

describe('recording that is off', () => {
  const analysis = createAnalysis({
    recordBytes: 0,
    secrets: [],
    onFound: () => undefined,
    version: '0.0.0',
    contract: '1',
    profilesDirectory: '',
    realNow: Date.now,
    onInternalError: (error) => expect.unreachable(String(error)),
  });
  const off = useHarness({ observers: [analysis.dispatcher] });

  it('stores no data of a deleted world, even after a lookup of the world', async () => {
    const name = await off.world('short');
    analysis.record.of(off.sandbox.world(name));
    await off.control('DELETE', `/worlds/${name}`);
    expect(Array.from(analysis.record.otherWorlds, ({ identity }) => identity.name)).not.toContain(name);
  });
});
