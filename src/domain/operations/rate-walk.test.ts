import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetCodes, type AssetCode } from '../../contract/shared/common.js';
import { loadReferenceData } from '../../fixtures/reference-data.js';
import { root } from '../../testing/root.js';
import { Decimal } from '../money.js';
import { pricingAt, priceOf, type Pricing } from './pricing.js';
import { walkFactor, type RateModel } from './rate-walk.js';

const { pricing: market } = loadReferenceData(join(root, 'fixtures'));
const accountId = '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417';
const seed = ['42', 'default'];
const model: RateModel = { volatility: '0.4', tickMs: 1000 };
const dayMs = 86_400_000;

/** Returns the rate of a quote for a large amount, so that rounding hardly matters. */
function rateOf(pricing: Pricing, sourceAsset: AssetCode, targetAsset: AssetCode): Decimal {
  const { effectiveRate } = priceOf({ accountId, sourceAsset, targetAsset, sourceAmount: '10000000' }, pricing);
  return new Decimal(effectiveRate.value);
}

const age = fc.oneof(fc.integer({ min: -dayMs, max: dayMs }), fc.integer({ min: 0, max: 3650 * dayMs }));
const anyModel = fc.record({
  volatility: fc.constantFrom('0.01', '0.4', '2.5', '9'),
  tickMs: fc.constantFrom(1, 250, 1000, 3_600_000),
});

describe('moving rates', () => {
  it('are consistent between any three assets within the spread, at any time', () => {
    const three = fc.uniqueArray(fc.constantFrom(...assetCodes), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(three, anyModel, age, fc.string(), (assets, used, ageMs, name) => {
        const [a, b, c] = assets as [AssetCode, AssetCode, AssetCode];
        const pricing = pricingAt(market, used, { seed: ['1', name], ageMs });
        const kept = new Decimal(1).minus(market.spread);
        const around = rateOf(pricing, a, b).times(rateOf(pricing, b, c));
        const direct = rateOf(pricing, a, c);
        // A conversion through a third asset costs one more spread. Each rate is exact to the tenth decimal place.
        const tolerance = new Decimal('1e-9').div(Decimal.min(rateOf(pricing, a, b), rateOf(pricing, b, c), direct)).plus('1e-9');
        expect(around.div(direct.times(kept)).minus(1).abs().lessThan(tolerance)).toBe(true);
        // A conversion back and forth never gains money.
        expect(
          rateOf(pricing, a, b)
            .times(rateOf(pricing, b, a))
            .lessThan(1),
        ).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('are the market rates until the end of the first tick of the world', () => {
    for (const ageMs of [-5 * dayMs, -1, 0, 999]) {
      const pricing = pricingAt(market, model, { seed, ageMs });
      for (const asset of assetCodes) expect(new Decimal(pricing.usdValues[asset]).equals(market.usdValues[asset]), asset).toBe(true);
    }
    expect(walkFactor(model, { seed, ageMs: 1000 }, 'BRL')).not.toBe('1');
  });

  it('do not depend on the order of reads', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 * dayMs }), { minLength: 2, maxLength: 8 }), (ages) => {
        const read = (list: readonly number[]) => new Map(list.map((ageMs) => [ageMs, walkFactor(model, { seed, ageMs }, 'BRL')]));
        expect(read(ages.toReversed())).toEqual(new Map([...read(ages)].toReversed()));
      }),
      { numRuns: 20 },
    );
  });

  it('move by steps whose sum has the variance of the model, and neither drift nor jump', () => {
    const hourly: RateModel = { volatility: '0.4', tickMs: 3_600_000 };
    const worlds = Array.from({ length: 60 }, (_, index) => [String(index), 'default']);
    const logs = worlds.map((of) => Math.log(Number(walkFactor(hourly, { seed: of, ageMs: 365 * dayMs }, 'EUR'))));
    const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
    const deviation = Math.sqrt(logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / logs.length);
    expect(Math.abs(mean)).toBeLessThan(0.16);
    expect(deviation).toBeGreaterThan(0.28);
    expect(deviation).toBeLessThan(0.52);
    const path = Array.from({ length: 49 }, (_, hour) =>
      Math.log(Number(walkFactor(hourly, { seed, ageMs: (hour + 1) * 3_600_000 }, 'EUR'))),
    );
    const steps = path.slice(1).map((each, index) => each - path[index]!);
    const step = Math.sqrt(steps.reduce((sum, each) => sum + each ** 2, 0) / steps.length);
    expect(step).toBeGreaterThan((0.4 / Math.sqrt(365 * 24)) * 0.7);
    expect(step).toBeLessThan((0.4 / Math.sqrt(365 * 24)) * 1.3);
  });

  it('differ between worlds and assets, and a stablecoin stays near its currency', () => {
    const at = (of: readonly string[], asset: AssetCode) => walkFactor(model, { seed: of, ageMs: 30 * dayMs }, asset);
    expect(at(seed, 'BRL')).not.toBe(at(['43', 'default'], 'BRL'));
    expect(at(seed, 'BRL')).not.toBe(at(seed, 'EUR'));
    for (const [coin, currency] of [
      ['BRLT', 'BRL'],
      ['EURC', 'EUR'],
      ['USDT', 'USD'],
    ] as const) {
      const ratio = Number(at(seed, coin)) / Number(at(seed, currency));
      expect(Math.abs(ratio - 1)).toBeLessThan(0.02);
      expect(ratio).not.toBe(1);
    }
  });

  it('are fast to evaluate after ten years of milliseconds', () => {
    const started = performance.now();
    for (let count = 0; count < 20; count += 1) walkFactor({ volatility: '0.4', tickMs: 1 }, { seed, ageMs: 3650 * dayMs + count }, 'BRL');
    // Computing every step of the walk would take days.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('include configured rates, which move from their configured value', () => {
    const pricing = pricingAt({ ...market, rates: { 'BRL/USD': '0.2' } }, model, { seed, ageMs: 9 * dayMs });
    const factor = new Decimal(walkFactor(model, { seed, ageMs: 9 * dayMs }, 'BRL'));
    expect(new Decimal(pricing.rates['BRL/USD']!).minus(factor.times('0.2')).abs().lessThan('1e-15')).toBe(true);
  });
});
