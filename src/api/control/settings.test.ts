import { describe, expect, it } from 'vitest';
import { assetCodes } from '../../contract/shared/common.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();
const put = (world: string, body: unknown) => harness.control('PUT', '/settings', body, world);

async function quote(world: string, sourceAsset: string, targetAsset: string, sourceAmount = '100.00') {
  const { accountId } = fixtureIds(harness, world);
  return (await harness.api('POST', '/api/quotes', { body: { accountId, sourceAsset, targetAsset, sourceAmount } }, world)).body;
}

describe('settings', () => {
  it('have default values', async () => {
    expect((await harness.control('GET', '/settings')).body).toEqual({
      rates: expect.objectContaining({ 'BRL/USD': '0.185', 'EUR/USD': expect.any(String) }),
      rateModel: { volatility: '0', tick: '1s' },
      spread: '0.005',
      quoteTtl: '30s',
      fees: [],
      retry: { retries: 3, interval: '5s' },
      deliveryTimeout: '10s',
      urlPolicy: 'local',
      standardWebhooks: true,
      traceContext: true,
      payloadExtras: true,
      listenerGrace: '5s',
      delays: {},
      usdValues: expect.any(Object),
    });
  });

  it('of several requests are merged, override those of the scenario and the reference data, and are removed by null', async () => {
    const world = await harness.world('layers');
    const inline = {
      extends: 'default',
      settings: { quoteTtl: '1m', spread: '0.01', rates: { 'BRL/USD': '0.2', 'EUR/USD': '1.1' } },
      rules: [],
    };
    await harness.control('PUT', '/scenario', { inline }, world);
    expect((await put(world, { spread: '0', rates: { 'USD/BRL': '4' } })).body).toMatchObject({
      quoteTtl: '1m',
      spread: '0',
      rates: { 'USD/BRL': '4', 'EUR/USD': '1.1' },
    });
    expect((await put(world, { quoteTtl: '2m' })).body).toMatchObject({ quoteTtl: '2m', spread: '0' });
    const back = (await put(world, { quoteTtl: null, spread: null, rates: null })).body;
    expect(back).toMatchObject({ quoteTtl: '1m', spread: '0.01', rates: { 'BRL/USD': '0.2', 'EUR/USD': '1.1' } });
    await harness.control('PUT', '/scenario', { name: 'default' }, world);
    expect((await harness.control('GET', '/settings', undefined, world)).body).toMatchObject({ quoteTtl: '30s', rates: {} });
  });

  it('determine the rates, reciprocal rates, spread and expiry of quotes', async () => {
    const world = await harness.world('prices');
    await put(world, { rates: { 'BRL/USD': '0.25' }, spread: '0', quoteTtl: '5s' });
    expect(await quote(world, 'BRL', 'USD')).toMatchObject({ targetAmount: { value: '25.00' }, expiresAt: '2026-11-21T12:00:05.000Z' });
    const { id, effectiveRate } = await quote(world, 'USD', 'BRL');
    expect(effectiveRate).toEqual({ value: '4.00', base: 'USD', quote: 'BRL' });
    expect(harness.sandbox.world(world).state.quotes.get(id)).toMatchObject({
      targetAmount: { value: '400.00' },
      fees: [{ type: 'PERCENTAGE', source: 'FX_SPREAD', amount: { value: '0.00' }, percentage: '0.0000' }],
    });
  });

  it('are shown with their current values and the USD value of each asset', async () => {
    const world = await harness.world('shown');
    const fees = [{ type: 'PERCENTAGE', percentage: '0.01', source: 'PLATFORM' }];
    await put(world, { rates: { 'BRL/USD': '0.25' }, fees });
    const { body } = await harness.control('GET', '/settings', undefined, world);
    expect(body).toMatchObject({ rates: { 'BRL/USD': '0.25' }, fees, usdValues: { USD: '1', BRL: '0.1850', BRLT: '0.1848' } });
    expect(Object.keys(body.usdValues)).toEqual(assetCodes);
  });

  it('determine webhook retries', async () => {
    const world = await harness.world('retries', { scenario: 'manual' });
    await put(world, { retry: { retries: 1, interval: '1m' } });
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', includeAll: true, allowRetry: true } }, world);
    harness.attempts.length = 0;
    harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    const { body } = await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    expect(body.now).toBe('2026-11-21T12:01:00.000Z');
    expect(harness.attempts).toHaveLength(2);
    expect(harness.attempts[0]!.timeoutMs).toBe(10_000);
  });

  it('determine the allowed webhook URLs', async () => {
    const world = await harness.world('policy');
    const subscribe = () => harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', includeAll: true } }, world);
    expect((await subscribe()).status).toBe(201);
    await put(world, { urlPolicy: 'strict' });
    expect((await subscribe()).body.details.errors).toMatchObject([{ code: 'URL_NOT_ALLOWED', field: 'body:url' }]);
  });

  it('change the delays of resources that are created later', async () => {
    const world = await harness.world('delays');
    await put(world, { delays: { OPERATION: '10s' } });
    const { id } = await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    const { states } = harness.sandbox.world(world).state.operations.get(id)!;
    expect(states.map((each) => each.createdAt.slice(17, 19))).toEqual(['00', '10', '20']);
  });

  it.each([
    { spread: '0.999999999999999999', rates: { 'BRL/USD': `${'9'.repeat(15)}.${'9'.repeat(18)}`, 'USD/EUR': '0.000000000000000001' } },
    { quoteTtl: '0ms', retry: { retries: 20, interval: '0s' }, deliveryTimeout: '1ms' },
    { quoteTtl: '365d', retry: { retries: 0, interval: '365d' }, deliveryTimeout: '2m', delays: { OPERATION: '365d' } },
    { fees: Array.from({ length: 10 }, () => ({ type: 'PERCENTAGE', percentage: '0.0999', source: 'RAIL' })) },
  ])('can have the extreme values %j, with which the world still works', async (body) => {
    const world = await harness.world(`limits-${Object.keys(body).join('-').toLowerCase()}`);
    expect((await put(world, body)).status).toBe(200);
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', includeAll: true, allowRetry: true } }, world);
    const { accountId } = fixtureIds(harness, world);
    for (const [sourceAsset, targetAsset] of [
      ['BRL', 'USD'],
      ['USD', 'EUR'],
      ['BRL', 'BRL'],
    ]) {
      const answer = await harness.api(
        'POST',
        '/api/quotes',
        { body: { accountId, sourceAsset, targetAsset, sourceAmount: '100.00' } },
        world,
      );
      expect([201, 422]).toContain(answer.status);
    }
    await withdraw(harness, world);
    expect((await harness.control('POST', '/clock/advance', { untilIdle: true }, world)).status).toBe(200);
  });

  it.each([
    [{ spread: '1.5' }, 'body:spread'],
    [{ rates: { 'BRL/XXX': '1' } }, 'body:rates.BRL/XXX'],
    [{ rates: { 'BRL/USD': '0' } }, 'body:rates.BRL/USD'],
    [{ quoteTtl: 'long' }, 'body:quoteTtl'],
    [{ fees: [{ type: 'ABSOLUTE', amount: { value: '1.001', asset: 'BRL' }, source: 'RAIL' }] }, 'body:fees[0].amount.value'],
    [{ retry: { retries: 99, interval: '1s' } }, 'body:retry.retries'],
    [{ spread: '1' }, 'body:spread'],
    [{ spread: '-0.1' }, 'body:spread'],
    [{ rates: { 'BRL/BRL': '1' } }, 'body:rates.BRL/BRL'],
    [{ rates: { 'BRL/USD': `0.${'1'.repeat(19)}` } }, 'body:rates.BRL/USD'],
    [{ rates: { 'BRL/USD': '1'.repeat(16) } }, 'body:rates.BRL/USD'],
    [{ quoteTtl: '366d' }, 'body:quoteTtl'],
    [{ retry: { retries: 1, interval: 'P365DT1S' } }, 'body:retry.interval'],
    [{ delays: { OPERATION: '366d' } }, 'body:delays.OPERATION'],
    [{ fees: Array.from({ length: 11 }, () => ({ type: 'PERCENTAGE', percentage: '0.001', source: 'RAIL' })) }, 'body:fees'],
    [{ retry: { retries: -1, interval: '1s' } }, 'body:retry.retries'],
    [{ deliveryTimeout: '0ms' }, 'body:deliveryTimeout'],
    [{ deliveryTimeout: '121s' }, 'body:deliveryTimeout'],
    [{ delays: { OPERATION: '-1s' } }, 'body:delays.OPERATION'],
    [{ urlPolicy: 'none' }, 'body:urlPolicy'],
    [{ delays: { NOTHING: '1s' } }, 'body:delays.NOTHING'],
    [{ unknown: 1 }, 'body:unknown'],
  ])('reject %j', async (body, field) => {
    const answer = await put('default', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_DATA', details: { errors: [{ field }] } } });
  });

  it.each([
    [{ spred: '0.1' }, 'body:spred', { nearest: 'spread' }],
    [{ retry: { retries: 1, interval: '1s', untill: '1h' } }, 'body:retry.untill', {}],
  ])('reject %j, which has an unknown field', async (body, field, params) => {
    const { details } = (await put('default', body)).body;
    expect(details.errors).toMatchObject([{ code: 'UNKNOWN_FIELD', field, params }]);
  });
});
