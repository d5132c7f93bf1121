import { describe, expect, it } from 'vitest';
import { maxAppendBytes } from '../../sandbox/row-limit.js';
import { StoredWorld } from '../../storage/stored-world.js';
import { useHarness } from '../../testing/harness.js';
import { weightOfState } from '../../world/state.js';
import { weightOf } from '../../world/table.js';

const maxBytes = 6 * 1024 * 1024;
const harness = useHarness({ maxBytes });

const message = (world: string) => harness.control('POST', '/inbox/in', { text: 'x'.repeat(200_000) }, world);

async function fill(world: string) {
  await expect.poll(async () => (await message(world)).status, { interval: 0 }).toBe(429);
}

async function subscribe(world: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { url: `http://localhost:9000/${index}`, includeAll: true };
    ids.push((await harness.api('POST', '/api/subscriptions', { body }, world)).body.id);
  }
  return ids;
}

const fire = (world: string, payload: object) => harness.control('POST', '/events', { eventType: 'OPERATION_COMPLETED', payload }, world);

describe('the limit of bytes', () => {
  it('rejects requests that add rows to any world, until a reset or a replacement frees space', async () => {
    const [full, other] = [await harness.world('heavy'), await harness.world('light', { fixtures: 'empty' })];
    const exported = (await harness.control('GET', '/state', undefined, full)).body;
    await fill(full);
    const refusal = await message(other);
    expect(refusal).toMatchObject({
      status: 429,
      body: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: expect.stringMatching(/bytes; SANDBOX_MAX_MIB allows 6291456\. The largest world is "heavy"/),
        details: { setting: 'SANDBOX_MAX_MIB', maximumBytes: maxBytes, largest: { world: full } },
      },
    });
    expect((await harness.api('GET', '/api/accounts', {}, full)).status).toBe(200);
    const large = { ...exported, tables: { ...exported.tables, inboxMessages: messagesOf(20) } };
    expect(await harness.control('PUT', '/state', large, other)).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
    expect((await harness.control('POST', '/reset', undefined, full)).status).toBe(200);
    expect((await message(other)).status).toBe(200);
    await fill(full);
    expect((await harness.control('PUT', `/worlds/${full}?ifExists=replace`, {})).status).toBe(200);
    expect((await message(other)).status).toBe(200);
    for (const name of [full, other]) await harness.control('DELETE', `/worlds/${name}`);
  });

  it('counts the bytes of snapshots; a snapshot that does not fit has no effect', async () => {
    const world = await harness.world('snapped');
    const { state } = harness.sandbox.world(world);
    const before = weightOfState(state);
    expect((await harness.control('POST', '/snapshots', { name: 'small' }, world)).status).toBe(201);
    expect(weightOfState(state) - before).toBeGreaterThan(1000);
    const random = () => Array.from({ length: 200_000 }, () => String.fromCodePoint(48 + Math.floor(Math.random() * 64))).join('');
    for (let count = 0; count < 17; count += 1) await harness.control('POST', '/inbox/in', { text: random() }, world);
    const parts = state.snapshotParts.size;
    expect(await harness.control('POST', '/snapshots', { name: 'large' }, world)).toMatchObject({ status: 429 });
    expect([state.snapshotParts.size, state.snapshots.size]).toEqual([parts, 1]);
    expect((await harness.control('POST', '/snapshots/small/restore', undefined, world)).status).toBe(200);
    await harness.control('DELETE', `/worlds/${world}`);
  });

  it('lets one request store at most 4 MiB, and rolls back a larger request', async () => {
    const world = harness.sandbox.world(await harness.world('at-once'));
    const session = harness.sandbox.enter(world, 'test', () => new Error('overtaken'));
    const store = (bytes: number) => session.commit((uow) => uow.put('payloads', { id: 'p', text: 'x'.repeat(bytes) }));
    const before = world.weight;
    await expect(store(maxAppendBytes)).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      message: expect.stringContaining('the maximum of one request is 4194304'),
    });
    expect([world.weight, world.state.payloads.size]).toEqual([before, 0]);
    await store(maxAppendBytes / 2);
    expect(world.weight - before).toBeGreaterThan(maxAppendBytes / 2);
    session.end();
    await harness.control('DELETE', '/worlds/at-once');
  });

  it('counts exactly the bytes of all rows, also after changes', async () => {
    const world = await harness.world('weighed');
    await subscribe(world, 2);
    await fire(world, { note: 'é'.repeat(100) });
    await harness.quiet(world);
    const { state } = harness.sandbox.world(world);
    for (const table of Object.values(state)) {
      let weight = 0;
      for (const row of table.values()) weight += weightOf(row);
      expect(table.weight).toBe(weight);
    }
    await harness.control('DELETE', `/worlds/${world}`);
  });
});

describe('the payload of an event', () => {
  it('is stored once for all subscriptions, and deleted with the last delivery', async () => {
    const world = await harness.world('shared');
    const subscriptions = await subscribe(world, 3);
    const note = 'n'.repeat(5000);
    const { body } = await fire(world, { note });
    await harness.quiet(world);
    const { state } = harness.sandbox.world(world);
    const ofEvent = [...state.payloads.values()].filter(({ text }) => text.includes(note));
    expect([body.data.length, ofEvent.length]).toEqual([3, 1]);
    expect(body.data.map((each: { payload: string }) => each.payload)).toEqual(Array(3).fill(ofEvent[0]!.text));
    expect(harness.attempts.filter((attempt) => attempt.body === ofEvent[0]!.text)).toHaveLength(3);
    for (const [index, id] of subscriptions.entries()) {
      expect((await harness.control('DELETE', `/subscriptions/${id}`, undefined, world)).status).toBe(204);
      expect(state.payloads.has(ofEvent[0]!.id)).toBe(index < 2);
    }
    await harness.control('DELETE', `/worlds/${world}`);
  });

  it('has at most 65,536 bytes for an event on demand, and 4 MiB for all subscriptions together', async () => {
    const world = await harness.world('on-demand');
    await subscribe(world, 300);
    const { state } = harness.sandbox.world(world);
    const before = weightOfState(state);
    const tooLarge = await fire(world, { note: 'é'.repeat(33_000) });
    expect([tooLarge.status, tooLarge.body.details.errors[0]]).toMatchObject([400, { field: 'body:payload', code: 'OUT_OF_RANGE' }]);
    const tooMany = await fire(world, { note: 'n'.repeat(60_000) });
    expect(tooMany).toMatchObject({ status: 429, body: { message: expect.stringMatching(/and 300 subscriptions/) } });
    expect(weightOfState(state)).toBe(before);
    await harness.control('DELETE', `/worlds/${world}`);
  });

  it('that an earlier version stored in the delivery moves to a separate row', async () => {
    const world = await harness.world('older');
    await subscribe(world, 1);
    await fire(world, { note: 'from before' });
    await harness.quiet(world);
    const shown = (await harness.control('GET', '/deliveries', undefined, world)).body.data;
    const { tables, ...head } = (await harness.control('GET', '/state', undefined, world)).body;
    const { payloads, deliveries, ...others } = tables;
    const older = deliveries.map(({ payloadId, ...row }: { payloadId: string }) => ({
      ...row,
      payload: payloads.find(({ id }: { id: string }) => id === payloadId).text,
    }));
    expect((await harness.control('PUT', '/state', { ...head, tables: { ...others, deliveries: older } }, world)).status).toBe(200);
    expect((await harness.control('GET', '/deliveries', undefined, world)).body.data).toEqual(shown);
    const stored = new Map(StoredWorld.of([['deliveries', older]]).capture());
    expect([stored.get('payloads'), stored.get('deliveries')]).toEqual([
      older.map(({ id, payload: text }: { id: string; payload: string }) => ({ id, text })),
      older.map(({ payload: _payload, ...row }: { id: string; payload: string }) => ({ ...row, payloadId: row.id })),
    ]);
    await harness.control('DELETE', `/worlds/${world}`);
  });
});

describe('a fault', () => {
  it('has conditions of at most 16,384 characters', async () => {
    const fault = (path: string) => harness.control('POST', '/faults', { on: 'REQUEST', when: { path }, effect: { status: 500 } });
    const { status, body } = await fault('p'.repeat(17_000));
    expect([status, body.details.errors[0].field]).toEqual([400, 'body:when']);
    expect((await fault('p'.repeat(1000))).status).toBe(201);
  });
});

/** Inbox messages in an export. */
function messagesOf(count: number) {
  return Array.from({ length: count }, (_each, index) => ({
    id: `in/${index}`,
    seq: index,
    inbox: 'in',
    headers: {},
    body: 'x'.repeat(400_000),
    signatureValid: false,
    createdAt: '2026-11-21T12:00:00.000Z',
  }));
}
