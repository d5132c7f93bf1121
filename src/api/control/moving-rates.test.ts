import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds } from '../../testing/withdrawals.js';
import { lastPostings, operationIn, quoteIn, request } from '../../testing/money.js';

const harness = useHarness();

async function rateIn(world: string, sourceAsset = 'BRL', targetAsset = 'USD'): Promise<string> {
  const { accountId } = fixtureIds(harness, world);
  const { effectiveRate } = await quoteIn(harness, world, { accountId, sourceAsset, targetAsset, sourceAmount: '100000.00' });
  return effectiveRate.value as string;
}

/** Advances a world, and drops its access token, which may have expired. */
async function advance(world: string, by: string): Promise<void> {
  await harness.control('POST', '/clock/advance', { by }, world);
  harness.forget(world);
}

it('rates move with world time only, and a quote keeps its amounts', async () => {
  const [still, moving] = [await harness.world('rates-still'), await harness.world('rates-moving', { scenario: 'moving-rates' })];
  const first = await rateIn(moving);
  expect(first).toBe(await rateIn(still));
  expect(await rateIn(moving)).toBe(first);
  const { accountId } = fixtureIds(harness, moving);
  const quote = await quoteIn(harness, moving, { accountId, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '1000.00' });
  await advance(moving, '10s');
  const swap = await request(harness, moving, 'swap', { accountId, quoteId: quote.id });
  await advance(moving, '6h');
  expect(await rateIn(moving)).not.toBe(first);
  const settled = await operationIn(harness, moving, swap.body.id);
  expect(settled).toMatchObject({ currentState: { status: 'COMPLETED' }, targetAmount: quote.targetAmount });
  expect(lastPostings(harness, moving)).toContain(`customer:${accountId} USD ${quote.targetAmount.value}`);
  await advance(still, '6h');
  expect(await rateIn(still)).toBe(first);
});

it('rates depend only on the seed, name and time of the world, not on the steps of the clock', async () => {
  const run = async (steps: readonly string[]) => {
    await harness.world('rates-seeded', { scenario: 'moving-rates', seed: '7' });
    for (const by of steps) {
      await advance('rates-seeded', by);
      await rateIn('rates-seeded', 'EUR', 'BRL');
    }
    const rates = [await rateIn('rates-seeded'), await rateIn('rates-seeded', 'EUR', 'PHP'), await rateIn('rates-seeded', 'USDT', 'BRL')];
    await harness.control('DELETE', '/worlds/rates-seeded');
    harness.forget('rates-seeded');
    return rates;
  };
  expect(await run(['1d', '1h', '1s'])).toEqual(await run(['25h', '1s']));
});

it('a reset or the restore of a snapshot also restores the rates', async () => {
  const world = await harness.world('rates-reset', { scenario: 'moving-rates' });
  const first = await rateIn(world);
  await advance(world, '3d');
  const third = await rateIn(world);
  await harness.control('POST', '/snapshots', { name: 'third' }, world);
  await advance(world, '3d');
  await harness.control('POST', '/snapshots/third/restore', undefined, world);
  harness.forget(world);
  expect(await rateIn(world)).toBe(third);
  await harness.control('POST', '/reset', undefined, world);
  harness.forget(world);
  expect(await rateIn(world)).toBe(first);
});

it('the settings show the current values of assets, and reject an invalid rate model', async () => {
  const world = await harness.world('rates-shown', { scenario: 'moving-rates' });
  const shown = async () => (await harness.control('GET', '/settings', undefined, world)).body;
  expect(await shown()).toMatchObject({ rateModel: { volatility: '0.4', tick: '1s' }, usdValues: { BRL: '0.1850', USD: '1' } });
  await advance(world, '1d');
  const { usdValues } = await shown();
  expect(usdValues.USD).toBe('1');
  expect(usdValues.BRL).not.toBe('0.1850');
  expect(usdValues.BRL).toMatch(/^0\.[0-9]{3,18}$/);
  for (const [rateModel, field] of [
    [{ volatility: 0.4 }, 'volatility'],
    [{ volatility: '40' }, 'volatility'],
    [{ volatility: '0.4', tick: '0s' }, 'tick'],
    [{ volatility: '0.4', tick: 'daily' }, 'tick'],
  ] as const) {
    const { status, body } = await harness.control('PUT', '/settings', { rateModel }, world);
    expect([status, body.details.errors[0].field]).toEqual([400, `body:rateModel.${field}`]);
    expect(body.details.errors[0].message).toMatch(/expected .* such as ".*"; got /);
  }
  await harness.control('PUT', '/settings', { rateModel: { volatility: '0' } }, world);
  expect((await shown()).usdValues.BRL).toBe('0.1850');
});

it('the scenario "with-fees" charges fees in the source and the target asset, and books them', async () => {
  const world = await harness.world('with-fees', { scenario: 'with-fees' });
  const { accountId } = fixtureIds(harness, world);
  const quote = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '1000.00' });
  const swap = await request(harness, world, 'swap', { accountId, quoteId: quote.id });
  await advance(world, '5s');
  const { fees, targetAmount } = await operationIn(harness, world, swap.body.id);
  expect(fees).toEqual([
    { type: 'PERCENTAGE', amount: { value: '5.00', asset: 'BRL', decimals: 2 }, source: 'FX_SPREAD', percentage: '0.0050' },
    { type: 'PERCENTAGE', amount: { value: '2.50', asset: 'BRL', decimals: 2 }, source: 'PLATFORM', percentage: '0.0025' },
    { type: 'ABSOLUTE', amount: { value: '1.90', asset: 'BRL', decimals: 2 }, source: 'RAIL' },
    { type: 'ABSOLUTE', amount: { value: '0.75', asset: 'USD', decimals: 2 }, source: 'PARTNER' },
  ]);
  // The formula of the price: (1000 - 2.50 - 1.90 - 0.75/0.185) * 0.185 * 0.995.
  expect(targetAmount.value).toBe('182.51');
  expect(lastPostings(harness, world)).toEqual(
    expect.arrayContaining(['fees:FX_SPREAD BRL 5.00', 'fees:PLATFORM BRL 2.50', 'fees:RAIL BRL 1.90', 'fees:PARTNER USD 0.75']),
  );
});
