import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetCodes, assetDecimals, type AssetCode } from '../../contract/shared/common.js';
import type { FeeSetting } from '../../contract/scenario/settings.js';
import { loadReferenceData } from '../../fixtures/reference-data.js';
import { root } from '../../testing/root.js';
import { DomainError } from '../errors.js';
import { amountOfMinor } from '../money.js';
import { priceAgain, priceOf, type Price, type Pricing } from './pricing.js';

const { pricing: market } = loadReferenceData(join(root, 'fixtures'));
const accountId = '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417';

/** An exact fraction of integers, which does not use the decimal library of the product. */
interface Exact {
  readonly n: bigint;
  readonly d: bigint;
}
const exact = (text: string): Exact => {
  const [whole = '', fraction = ''] = text.split('.');
  return { n: BigInt(whole + fraction), d: 10n ** BigInt(fraction.length) };
};
const plus = (a: Exact, b: Exact): Exact => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const minus = (a: Exact, b: Exact): Exact => plus(a, { n: -b.n, d: b.d });
const times = (a: Exact, b: Exact): Exact => ({ n: a.n * b.n, d: a.d * b.d });
const over = (a: Exact, b: Exact): Exact => ({ n: a.n * b.d, d: a.d * b.n });
/** Multiplies a positive number by 10^`digits` and rounds the product down. */
const floor = ({ n, d }: Exact, digits: number) => (n * 10n ** BigInt(digits)) / d;
const ceil = ({ n, d }: Exact, digits: number) => (n * 10n ** BigInt(digits) + d - 1n) / d;
const halfEven = (value: Exact, digits: number) => {
  const down = floor(value, digits);
  const rest = minus(times(value, { n: 10n ** BigInt(digits), d: 1n }), { n: down, d: 1n });
  const twice = 2n * rest.n - rest.d;
  return twice > 0n || (twice === 0n && down % 2n === 1n) ? down + 1n : down;
};
const one = exact('1');

const asset = fc.constantFrom(...assetCodes);
const share = fc.integer({ min: 0, max: 2500 }).map((tenThousandths) => `0.${String(tenThousandths).padStart(4, '0')}`);
const feeSource = fc.constantFrom('PLATFORM', 'RAIL', 'PARTNER');
const fee: fc.Arbitrary<FeeSetting> = fc.oneof(
  fc.record({ type: fc.constant('PERCENTAGE' as const), percentage: share, source: feeSource }),
  fc.record({
    type: fc.constant('ABSOLUTE' as const),
    amount: asset.chain((of) =>
      fc
        .bigInt({ min: 1n, max: 50n * 10n ** BigInt(assetDecimals[of]) })
        .map((minor) => ({ value: amountOfMinor(minor, of).value, asset: of })),
    ),
    source: feeSource,
  }),
);
const fees = fc.array(fee, { maxLength: 4 });
const rates = fc.constantFrom<Record<string, string>>({}, { 'BRL/USD': '0.2' }, { 'USD/BRL': '3' }, { 'EUR/USD': '1.1', 'GBP/EUR': '7' });

interface Order {
  readonly from: AssetCode;
  readonly to: AssetCode;
  readonly minor: bigint;
  readonly pricing: Pricing;
}
const order = (fixes: 'from' | 'to'): fc.Arbitrary<Order> =>
  fc.tuple(asset, asset, fc.boolean(), fees, rates, share).chain(([from, other, isSame, charged, set, spread]) => {
    const to = isSame ? from : other;
    const scale = 10n ** BigInt(assetDecimals[fixes === 'from' ? from : to]);
    return fc
      .bigInt({ min: 1n, max: 1_000_000n * scale })
      .map((minor) => ({ from, to, minor, pricing: { ...market, fees: charged, rates: set, spread } }));
  });

function midRate({ rates: set, usdValues }: Pricing, from: AssetCode, to: AssetCode): Exact {
  if (from === to) return one;
  const [direct, reverse] = [set[`${from}/${to}`], set[`${to}/${from}`]];
  if (direct !== undefined) return exact(direct);
  return reverse === undefined ? over(exact(usdValues[from]), exact(usdValues[to])) : over(one, exact(reverse));
}

/** The inputs of the specified formula: the rate, the fixed fees in the source asset, and the share that remains after percentage fees. */
function terms({ from, to, pricing }: Order): { rate: Exact; fixed: Exact; left: Exact } {
  const kept = times(midRate(pricing, from, to), minus(one, exact(pricing.spread)));
  let [fixed, left] = [exact('0'), one];
  for (const each of pricing.fees) {
    if (each.type === 'PERCENTAGE') left = minus(left, exact(each.percentage));
    else fixed = plus(fixed, times(exact(each.amount.value), midRate(pricing, each.amount.asset, from)));
  }
  return { rate: from === to ? one : { n: floor(kept, 10), d: 10n ** 10n }, fixed, left };
}

const valueOf = (minor: bigint, of: AssetCode) => amountOfMinor(minor, of).value;

/** Returns the price of an order, or the reason of its failure. */
function priced({ from, to, minor, pricing }: Order, fixes: 'from' | 'to'): Price | string {
  const amount = valueOf(minor, fixes === 'from' ? from : to);
  const request = { accountId, sourceAsset: from, targetAsset: to, [fixes === 'from' ? 'sourceAmount' : 'targetAmount']: amount };
  try {
    return priceOf(request, pricing);
  } catch (error) {
    if (error instanceof DomainError) return String(error.details['reason']);
    throw error;
  }
}

/** Returns both amounts of a price, or the reason of its failure. */
const amountsOf = (price: Price | string) =>
  typeof price === 'string' ? price : `${price.sourceAmount.value} ${price.targetAmount.value}`;

/** Returns both amounts by the formula; NO_RATE if their ratio is below 1e-10, the smallest rate. */
function expectedOf({ from, to }: Order, source: bigint, target: bigint): string {
  const amounts = [valueOf(source, from), valueOf(target, to)] as const;
  return floor(over(exact(amounts[1]), exact(amounts[0])), 10) === 0n ? 'NO_RATE' : amounts.join(' ');
}

const trimmed = (digits: bigint) => {
  const text = digits.toString().padStart(11, '0');
  return `${text.slice(0, -10)}.${text.slice(-10)}`.replace(/0{1,8}$/, '');
};

describe('a price with fees', () => {
  // §D8-fees
  it('is rounded only once, so that an absolute fee in another asset loses no precision', () => {
    const charged: FeeSetting[] = [{ type: 'ABSOLUTE', amount: { value: '0.01', asset: 'USD' }, source: 'PLATFORM' }];
    const pricing = { ...market, fees: charged, spread: '0.0005' };
    expect(amountsOf(priced({ from: 'EUR', to: 'USDT', minor: 2n, pricing }, 'from'))).toBe('0.02 0.011740');
    expect(amountsOf(priced({ from: 'EUR', to: 'USDT', minor: 11_740n, pricing }, 'to'))).toBe('0.02 0.011740');
  });

  // §D8-fees
  it('has as target the source minus fees, converted and rounded down, if the source is fixed', () => {
    fc.assert(
      fc.property(order('from'), (each) => {
        const { rate, fixed, left } = terms(each);
        const net = minus(times(exact(valueOf(each.minor, each.from)), left), fixed);
        const minor = left.n > 0n && net.n > 0n ? floor(times(net, rate), assetDecimals[each.to]) : 0n;
        const expected = minor > 0n ? [expectedOf(each, each.minor, minor)] : ['FEES_EXCEED_AMOUNT', 'ZERO_AMOUNT'];
        expect(expected).toContain(amountsOf(priced(each, 'from')));
      }),
      { numRuns: 1000 },
    );
  });

  // §D8-fees
  it('has as source the converted target plus fees, rounded up, if the target is fixed', () => {
    fc.assert(
      fc.property(order('to'), (each) => {
        const { rate, fixed, left } = terms(each);
        const source = over(plus(over(exact(valueOf(each.minor, each.to)), rate), fixed), left);
        const expected = left.n > 0n ? expectedOf(each, ceil(source, assetDecimals[each.from]), each.minor) : 'FEES_EXCEED_AMOUNT';
        expect(amountsOf(priced(each, 'to'))).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  // §D8-fees §D8-spread-fee
  it('has the ratio of its amounts as rate, and lists every fee', () => {
    fc.assert(
      fc.property(fc.oneof(order('from'), order('to')), fc.constantFrom('from' as const, 'to' as const), (each, fixes) => {
        const price = priced(each, fixes);
        if (typeof price === 'string') return;
        const { sourceAmount, targetAmount, effectiveRate, fees: charged } = price;
        const ratio = floor(over(exact(targetAmount.value), exact(sourceAmount.value)), 10);
        if (each.pricing.fees.length > 0) expect(effectiveRate.value).toBe(trimmed(ratio));
        const part = (percentage: string) =>
          valueOf(halfEven(times(exact(percentage), exact(sourceAmount.value)), assetDecimals[each.from]), each.from);
        const spread = {
          type: 'PERCENTAGE',
          percentage: each.pricing.spread,
          amount: { value: part(each.pricing.spread) },
          source: 'FX_SPREAD',
        };
        expect(charged).toMatchObject([
          ...(each.from === each.to ? [] : [spread]),
          ...each.pricing.fees.map((set) =>
            set.type === 'PERCENTAGE' ? { ...set, amount: { value: part(set.percentage), asset: each.from } } : set,
          ),
        ]);
      }),
      { numRuns: 1000 },
    );
  });
});

it('the price of another amount charges no fixed fee that the amount does not cover', () => {
  const fixed: FeeSetting[] = [{ type: 'ABSOLUTE', amount: { value: '5.00', asset: 'BRL' }, source: 'PLATFORM' }];
  const quoted = priceOf({ accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '100.00' }, { ...market, fees: fixed });
  const paid = (value: string) => priceAgain(quoted, { value, asset: 'BRL', decimals: 2 });
  expect(paid('50.00')).toMatchObject({ targetAmount: { value: '45.00' }, fees: [{ type: 'ABSOLUTE', amount: { value: '5.00' } }] });
  expect(paid('4.00')).toMatchObject({ targetAmount: { value: '0.00' }, fees: [] });
});
