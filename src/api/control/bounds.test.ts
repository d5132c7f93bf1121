import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

/** Rows that are set without a request, because a thousand requests take seconds. */
type RowsOf = Map<string, { readonly id: string; readonly seq: number; readonly name?: string }>;

it.each(['../..', '.a', '-a', 'a/b', 'a b', '', 'ä', 'a'.repeat(65)])('a snapshot cannot have the name %j', async (name) => {
  const { status, body } = await harness.control('POST', '/snapshots', { name });
  expect([status, body.details.errors[0].field]).toEqual([400, 'body:name']);
});

it.each(['a', '0.1_b-C', 'a'.repeat(64)])('a snapshot can have the name %j, and be deleted', async (name) => {
  expect((await harness.control('POST', '/snapshots', { name })).status).toBe(201);
  expect((await harness.control('DELETE', `/snapshots/${name}`)).status).toBe(204);
});

it('a clock cannot advance beyond the year 9990, so that no timer reaches a year with five digits', async () => {
  const world = await harness.world('late');
  for (const [path, body] of [
    ['/clock', { mode: 'FROZEN', now: '9999-12-31T23:59:59Z' }],
    ['/clock/advance', { to: '9990-01-01T00:00:00.001Z' }],
  ] as const)
    expect((await harness.control(path === '/clock' ? 'PUT' : 'POST', path, body, world)).status).toBe(400);
  expect((await harness.control('PUT', '/clock', { mode: 'FROZEN', now: '9990-01-01T00:00:00Z' }, world)).status).toBe(200);
  const beyond = await harness.control('POST', '/clock/advance', { by: '1s' }, world);
  expect([beyond.status, beyond.body.code]).toEqual([422, 'INVALID_STATUS_CHANGE']);
  const { body: document } = await harness.control('GET', '/state', undefined, world);
  expect((await harness.control('PUT', '/state', document, world)).status).toBe(200);
});

it('a world has at most a thousand faults and a thousand snapshots', async () => {
  const world = await harness.world('crowded', { fixtures: 'empty' });
  const add = {
    faults: () => ({ on: 'DELIVERY', effect: { drop: true } }),
    snapshots: (index: number) => ({ name: `s${index}` }),
  };
  for (const [what, body] of Object.entries(add)) {
    expect((await harness.control('POST', `/${what}`, body(0), world)).status).toBe(201);
    const rows = harness.sandbox.world(world).state[what as keyof typeof add] as unknown as RowsOf;
    const [first] = [...rows.values()];
    for (let index = 1; index < 999; index += 1) {
      const id = randomUUID();
      rows.set(id, { ...first!, id, ...(what === 'snapshots' ? { name: `s${index}` } : {}), seq: first!.seq + index });
    }
    expect((await harness.control('POST', `/${what}`, body(999), world)).status).toBe(201);
    expect(await harness.control('POST', `/${what}`, body(1000), world)).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMIT_EXCEEDED', details: { maximum: 1000 } },
    });
    expect((await harness.control('GET', `/${what}`, undefined, world)).body.data).toHaveLength(1000);
  }
  const { body: document } = await harness.control('GET', '/state', undefined, world);
  const [first] = document.tables.faults;
  document.tables.faults.push({ ...first, id: 'a8a4dbf0-5b93-4f1e-8d1c-111111111111', seq: 5000 });
  expect((await harness.control('PUT', '/state', document, world)).body.message).toContain('at most 1000 faults');
});

it('a world stores only the newest hundred faults that are used up or expired', async () => {
  const world = await harness.world('spent');
  await harness.control('PUT', '/clock', { mode: 'FROZEN' }, world);
  const ids: string[] = [];
  const add = async (more: object) => {
    const { status, body } = await harness.control('POST', '/faults', { on: 'DELIVERY', effect: { drop: true }, ...more }, world);
    expect(status).toBe(201);
    ids.push(body.id);
  };
  await add({});
  for (let count = 0; count < 103; count += 1) await add({ ttl: '1s' });
  await harness.control('POST', '/clock/advance', { by: '2s' }, world);
  await add({});
  const { body } = await harness.control('GET', '/faults', undefined, world);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([ids[0], ...ids.slice(4)]);
});
