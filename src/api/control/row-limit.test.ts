import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';

const maxRows = 500;
const harness = useHarness({ maxRows });

const rowsOf = async (name: string) =>
  (await harness.control('GET', '/worlds?limit=100')).body.data.find((each: { name: string }) => each.name === name).rows as number;
const beneficiary = (world: string) => harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);

/** Fills a world up to the row limit. @returns the error of a request beyond the limit */
async function fill(world: string) {
  const receive = () => harness.control('POST', '/inbox/in', {}, world);
  await receive();
  // Each inbox message after the first adds one row, and so fills the last rows.
  for (const call of [() => beneficiary(world), receive]) await expect.poll(async () => (await call()).status, { interval: 0 }).toBe(429);
  return beneficiary(world);
}

describe('the row limit', () => {
  it('rejects only requests that would add rows, but in every world', async () => {
    const [full, other] = [await harness.world('full', { scenario: 'manual' }), await harness.world('other', { fixtures: 'empty' })];
    await harness.control('PUT', '/settings', { spread: '0.001' }, full);
    await harness.control('POST', '/snapshots', { name: 'before' }, full);
    const operation = await withdraw(harness, full);
    const exported = (await harness.control('GET', '/state', undefined, other)).body;
    const url = 'http://localhost:9000/';
    const subscription = (
      await harness.api('POST', '/api/subscriptions', { body: { url, resources: [{ name: 'OPERATION' }], allowRetry: true } }, full)
    ).body;
    harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
    await harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, full);
    await harness.quiet(full);

    const refusal = await fill(full);
    const most = await rowsOf(full);
    expect(refusal).toMatchObject({
      status: 429,
      body: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: expect.stringMatching(/SANDBOX_MAX_ROWS.*"full".*Reset/),
        details: { setting: 'SANDBOX_MAX_ROWS', maximum: maxRows, largest: { world: full, rows: most } },
      },
    });
    const worlds = (await harness.control('GET', '/worlds?limit=100')).body.data as { rows: number }[];
    const total = worlds.reduce((sum, { rows }) => sum + rows, 0);
    expect([total, refusal.body.details.rows]).toEqual([maxRows, maxRows]);

    const before = await rowsOf(other);
    const refused = { status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } };
    const key = '7d0e4d4e-36ab-4c39-9d4c-0e2a4a9a3f10';
    for (let times = 0; times < 2; times += 1)
      expect(await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true }, key }, full)).toMatchObject(refused);
    expect(await harness.control('POST', '/worlds', { name: 'another' })).toMatchObject(refused);
    expect(await harness.control('POST', `/operations/${operation.id}/complete`, undefined, full)).toMatchObject(refused);
    expect(await harness.control('POST', '/snapshots', { name: 'after' }, full)).toMatchObject(refused);
    expect(await harness.control('POST', '/inbox/in', { any: 'thing' }, full)).toMatchObject({ status: 429 });
    expect(await rowsOf(other)).toBe(before);

    // The first hit of a rule needs no space.
    await harness.control(
      'PUT',
      '/scenario',
      { inline: { rules: [{ on: 'REQUEST', when: { method: 'GET' }, effect: { delay: '0s' } }] } },
      full,
    );
    expect((await harness.api('GET', '/api/accounts', {}, full)).status).toBe(200);

    // Time, retries and changes of existing rows continue.
    const { accountId } = fixtureIds(harness, full);
    expect((await harness.api('GET', `/api/operations/${operation.id}`, {}, full)).status).toBe(200);
    expect((await harness.control('PUT', '/settings', { spread: '0.002' }, full)).status).toBe(200);
    expect((await harness.control('GET', `/accounts/${accountId}`, undefined, full)).status).toBe(200);
    harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
    const advanced = await harness.control('POST', '/clock/advance', { by: 'PT5S' }, full);
    expect(advanced).toMatchObject({ status: 200, body: { fired: [{ kind: 'RETRY' }], deliveries: [{ httpStatus: 200 }] } });

    // Reset, restore and deletion free space.
    expect((await harness.control('DELETE', `/subscriptions/${subscription.id}`, undefined, full)).status).toBe(204);
    expect((await harness.control('PUT', '/state', exported, other)).status).toBe(200);
    expect((await harness.control('POST', '/snapshots/before/restore', undefined, full)).status).toBe(200);
    expect((await beneficiary(full)).status).toBe(201);
    await fill(full);
    expect((await harness.control('POST', '/reset', undefined, full)).status).toBe(200);
    expect((await beneficiary(full)).status).toBe(201);
    await fill(full);
    expect((await harness.control('DELETE', `/worlds/${full}`)).status).toBe(204);
    expect((await harness.control('POST', '/worlds', { name: 'another' })).status).toBe(201);
    for (const name of ['another', other]) await harness.control('DELETE', `/worlds/${name}`);
  });

  it('rejects the import of a state that does not fit', async () => {
    const big = await harness.world('big', { scenario: 'manual' });
    for (let count = 0; count < 60; count += 1) await beneficiary(big);
    const state = (await harness.control('GET', '/state', undefined, big)).body;
    const small = await harness.world('small', { fixtures: 'empty' });
    await fill(small);
    await harness.control('POST', '/reset', undefined, small);
    const filler = await harness.world('filler', { fixtures: 'empty' });
    await fill(filler);
    const before = await rowsOf(small);
    expect(await harness.control('PUT', '/state', state, small)).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
    expect(await rowsOf(small)).toBe(before);
  });
});
