import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Harness, sharedTokenKey, useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from '../../testing/withdrawals.js';
import { FileStorage } from '../../storage/file/file-storage.js';
import { storageTo } from '../../testing/storage.js';
import { createdInWorld } from '../../testing/money.js';

const harness = useHarness();
const nothing = '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417';
const quote = (world: string, sourceAmount = '1.00', on = harness) => ({
  accountId: fixtureIds(on, world).accountId,
  sourceAsset: 'BRL',
  targetAsset: 'BRL',
  sourceAmount,
});

describe('an idempotency key', () => {
  // §D3-replay §D3-own-request-id
  it('returns the stored response to a retry, without a second effect', async () => {
    const world = await harness.world('replay');
    const key = randomUUID();
    const first = await harness.api('POST', '/api/quotes', { key, body: quote(world) }, world);
    const again = await harness.api('POST', '/api/quotes', { key, body: quote(world) }, world);
    expect([first.status, first.headers.get('x-idempotent-replay')]).toEqual([201, null]);
    expect([again.status, again.headers.get('x-idempotent-replay')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(createdInWorld(harness, world, 'quotes')).toHaveLength(1);
  });

  // §D13-key-case §D3-fingerprint
  it('matches regardless of its letter case and the field order of the body', async () => {
    const world = await harness.world('same');
    const key = randomUUID();
    const body = quote(world);
    await harness.api('POST', '/api/quotes', { key, body }, world);
    const reversed = Object.fromEntries(Object.entries(body).toReversed());
    const again = await harness.api('POST', '/api/quotes', { key: key.toUpperCase(), body: reversed }, world);
    expect(again.headers.get('x-idempotent-replay')).toBe('true');
  });

  // §D3-fingerprint
  it('matches a body with equal amounts, and with null instead of a missing field', async () => {
    const world = await harness.world('meant');
    const key = randomUUID();
    const send = (body: unknown) => harness.api('POST', '/api/quotes', { key, body }, world);
    const first = await send({ ...quote(world, '100.0'), targetAmount: null });
    for (const sourceAmount of ['100', '100.00']) {
      const again = await send(quote(world, sourceAmount));
      expect([again.status, again.headers.get('x-idempotent-replay'), again.body.id]).toEqual([201, 'true', first.body.id]);
    }
    expect((await send(quote(world, '100.01'))).status).toBe(409);
    const beneficiary = pixBeneficiary({});
    const keyed = { key: randomUUID() };
    const registered = await harness.api(
      'POST',
      '/api/beneficiaries',
      { ...keyed, body: { ...beneficiary, externalReference: '1.0' } },
      world,
    );
    expect(registered.status).toBe(201);
    // An unknown field is text, so these two differ.
    expect(
      (await harness.api('POST', '/api/beneficiaries', { ...keyed, body: { ...beneficiary, externalReference: '1.00' } }, world)).status,
    ).toBe(409);
  });

  // §D3-conflict §D3-fingerprint
  it.each([
    ['another amount', '/api/quotes', { sourceAmount: '2.00' }],
    ['an additional unknown field', '/api/quotes', { note: 'x' }],
    ['another query string', '/api/quotes?x=1', {}],
  ])('is rejected in a second request with %s', async (name, path, change) => {
    const world = await harness.world(`conflict-${name.length}`);
    const key = randomUUID();
    await harness.api('POST', '/api/quotes', { key, body: quote(world) }, world);
    const answer = await harness.api('POST', path, { key, body: { ...quote(world), ...change } }, world);
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT', details: { idempotencyKey: key, firstUsedAt: '2026-11-21T12:00:00.000Z' } },
    });
    const original = await harness.api('POST', '/api/quotes', { key, body: quote(world) }, world);
    expect(original.headers.get('x-idempotent-replay')).toBe('true');
  });

  // §D3-conflict §D3-fingerprint
  it('is rejected in a second request with another path', async () => {
    const world = await harness.world('conflict-path');
    const key = randomUUID();
    await harness.api('POST', '/api/quotes', { key, body: quote(world) }, world);
    const answer = await harness.api('POST', '/api/beneficiaries', { key, body: pixBeneficiary() }, world);
    expect(answer.body.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  // §D3-customer
  it('does not collide with an equal key of another customer', async () => {
    const [one, other] = [await harness.world('customer-one'), await harness.world('customer-other')];
    const key = randomUUID();
    await harness.api('POST', '/api/quotes', { key, body: quote(one) }, one);
    const answer = await harness.api('POST', '/api/quotes', { key, body: quote(other) }, other);
    expect([answer.status, answer.headers.get('x-idempotent-replay')]).toEqual([201, null]);
  });

  // §D3-kept
  it('replays the error of a business rule, even when a new request would succeed', async () => {
    const world = await harness.world('refused');
    const { accountId, approved, pending } = fixtureIds(harness, world);
    const { body: quoted } = await harness.api('POST', '/api/quotes', { body: quote(world) }, world);
    const body = withdrawalBody(accountId, quoted.id, pending);
    const key = randomUUID();
    const first = await harness.api('POST', '/api/operations/withdrawal', { key, body }, world);
    expect(first).toMatchObject({ status: 422, body: { code: 'PAYMENT_INSTRUCTION_NOT_APPROVED' } });
    await harness.control('POST', `/beneficiaries/${pending.id}/approve`, undefined, world);
    const again = await harness.api('POST', '/api/operations/withdrawal', { key, body }, world);
    expect([again.status, again.body, again.headers.get('x-idempotent-replay')]).toEqual([422, first.body, 'true']);
    expect(createdInWorld(harness, world, 'operations')).toHaveLength(0);
    const fresh = await harness.api('POST', '/api/operations/withdrawal', { body: withdrawalBody(accountId, quoted.id, approved) }, world);
    expect(fresh.status).toBe(201);
  });

  // §D3-kept §D3-not-kept
  it('replays a 404, but no validation errors', async () => {
    const world = await harness.world('kept');
    const key = randomUUID();
    const unknown = { ...quote(world), accountId: nothing };
    expect((await harness.api('POST', '/api/quotes', { key, body: { ...unknown, sourceAmount: 1 } }, world)).status).toBe(400);
    expect((await harness.api('POST', '/api/quotes', { key, body: unknown }, world)).headers.get('x-idempotent-replay')).toBeNull();
    const again = await harness.api('POST', '/api/quotes', { key, body: unknown }, world);
    expect([again.status, again.headers.get('x-idempotent-replay')]).toEqual([404, 'true']);
  });

  // §D3-not-kept
  it('is not used up by an internal error', async () => {
    const world = await harness.world('faulty');
    const { state } = harness.sandbox.world(world);
    const get = state.accounts.get.bind(state.accounts);
    const key = randomUUID();
    const body = quote(world);
    state.accounts.get = () => {
      throw new Error('a fault');
    };
    expect((await harness.api('POST', '/api/quotes', { key, body }, world)).status).toBe(500);
    state.accounts.get = get;
    harness.internalErrors.splice(0);
    const answer = await harness.api('POST', '/api/quotes', { key, body }, world);
    expect([answer.status, answer.headers.get('x-idempotent-replay')]).toEqual([201, null]);
  });

  // §D3-24-hours
  it('expires after exactly 24 hours of world time', async () => {
    const world = await harness.world('forgotten');
    const key = randomUUID();
    const body = quote(world);
    const call = async () => {
      harness.forget(world);
      return (await harness.api('POST', '/api/quotes', { key, body }, world)).headers.get('x-idempotent-replay');
    };
    expect(await call()).toBeNull();
    await harness.control('POST', '/clock/advance', { to: '2026-11-22T11:59:59.999Z' }, world);
    expect(await call()).toBe('true');
    await harness.control('POST', '/clock/advance', { by: '1ms' }, world);
    expect(await call()).toBeNull();
    expect(await call()).toBe('true');
  });
});

describe('concurrent requests with one idempotency key', () => {
  // §D3-at-once
  it('have one effect and one response', async () => {
    const world = await harness.world('crowd');
    await harness.token(world);
    const key = randomUUID();
    const body = quote(world);
    const answers = await Promise.all(Array.from({ length: 25 }, () => harness.api('POST', '/api/quotes', { key, body }, world)));
    expect(new Set(answers.map((each) => `${each.status} ${each.body.id}`)).size).toBe(1);
    expect(answers.filter((each) => each.headers.get('x-idempotent-replay') === null)).toHaveLength(1);
    expect(createdInWorld(harness, world, 'quotes')).toHaveLength(1);
  });

  // §D3-at-once
  it('wait until the response of the first is persisted, and get this response', async () => {
    const waiting: { keep: () => void; lose: (error: Error) => void }[] = [];
    let slow = false;
    const storage = storageTo(() => (slow ? new Promise((keep, lose) => waiting.push({ keep, lose })) : Promise.resolve()));
    const other = await new Harness().open(await sharedTokenKey(), { storage });
    await other.token();
    const body = quote('default', '1.00', other);
    const key = randomUUID();
    slow = true;
    const [first, second] = [other.api('POST', '/api/quotes', { key, body }), other.api('POST', '/api/quotes', { key, body })];
    let answered = 0;
    void first.then(() => (answered += 1));
    void second.then(() => (answered += 1));
    await expect.poll(() => waiting.length).toBe(1);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next));
    expect([waiting.length, answered]).toEqual([1, 0]);
    slow = false;
    waiting[0]!.keep();
    const [one, two] = [await first, await second];
    // Either request may be the first: the server decides which body it reads first.
    expect([one, two].filter(({ headers }) => headers.get('x-idempotent-replay') === 'true')).toHaveLength(1);
    expect(two.body).toEqual(one.body);
    await other.sandbox.close();
  });
});

// §D3-restart
it('an idempotency key returns its stored response after a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'idempotency-'));
  const key = randomUUID();
  const tokenKey = await sharedTokenKey();
  try {
    const before = await new Harness().open(tokenKey, { storage: await FileStorage.open(directory) });
    const body = quote('default', '1.00', before);
    const first = await before.api('POST', '/api/quotes', { key, body });
    await before.sandbox.close();
    const after = await new Harness().open(tokenKey, { storage: await FileStorage.open(directory) });
    const again = await after.api('POST', '/api/quotes', { key, body });
    expect([again.status, again.body, again.headers.get('x-idempotent-replay')]).toEqual([201, first.body, 'true']);
    await after.sandbox.close();
  } finally {
    rmSync(directory, { recursive: true });
  }
});
