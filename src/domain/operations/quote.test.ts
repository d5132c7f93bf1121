import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetCodes, assetDecimals, type Amount, type AssetCode } from '../../contract/shared/common.js';
import { root } from '../../testing/root.js';
import { loadReferenceData } from '../../fixtures/reference-data.js';
import type { AccountRecord } from '../accounts/account.js';
import type { Context } from '../context.js';
import { Decimal, amountOfMinor } from '../money.js';
import { decideQuote } from './quote.js';

const { pricing } = loadReferenceData(join(root, 'fixtures'));
const context: Context = {
  now: '2026-11-21T12:00:00.000Z',
  causeId: 'test',
  newId: (kind) => kind,
  newCode: () => '',
  deriveId: () => '',
};
const account = { id: 'a', customerId: 'c', owner: { type: 'COMPANY', legalName: 'Aurora' } } as unknown as AccountRecord;

type Fixed = 'sourceAmount' | 'targetAmount';

function quote(source: AssetCode, target: AssetCode, fixed: Fixed, value: string) {
  return decideQuote(context, account, { accountId: 'a', sourceAsset: source, targetAsset: target, [fixed]: value }, pricing, 1);
}

const unit = (asset: AssetCode) => new Decimal(10).pow(-assetDecimals[asset]);
const isCanonical = ({ value, asset, decimals }: Amount) =>
  decimals === assetDecimals[asset] && new RegExp(`^[0-9]+\\.[0-9]{${decimals}}$`).test(value);

const asset = fc.constantFrom(...assetCodes);
/** Amounts from one unit to a trillion, so that both amounts of a quote stay within the limits for every pair. */
const amount = (of: AssetCode) => fc.bigInt({ min: 10n ** BigInt(assetDecimals[of]), max: 10n ** BigInt(assetDecimals[of] + 12) });

const order = (of: 'source' | 'target') =>
  fc
    .tuple(asset, asset)
    .chain(([source, target]) => fc.tuple(fc.constant(source), fc.constant(target), amount(of === 'source' ? source : target)));

const pairs = assetCodes.flatMap((source) => assetCodes.map((target) => [source, target] as const));

describe('quotes', () => {
  it('are tested for all 400 pairs of assets', () => expect(pairs).toHaveLength(400));

  // §D8-rate
  it.each(['sourceAmount', 'targetAmount'] as const)('exist for every pair of assets with a fixed %s', (fixed) => {
    for (const [source, target] of pairs) {
      const { sourceAmount, targetAmount, effectiveRate, fees } = quote(source, target, fixed, '1000');
      expect([sourceAmount.asset, targetAmount.asset, effectiveRate.base, effectiveRate.quote]).toEqual([source, target, source, target]);
      expect(effectiveRate.value).toMatch(source === target ? /^1\.00$/ : /^[0-9]+\.[0-9]{2,10}$/);
      expect(fees).toHaveLength(source === target ? 0 : 1);
    }
  });

  // §D8-rounding
  it('round a computed target down by less than one minor unit', () => {
    fc.assert(
      fc.property(order('source'), ([source, target, minor]) => {
        const { sourceAmount, targetAmount, effectiveRate } = quote(source, target, 'sourceAmount', amountOfMinor(minor, source).value);
        const exact = new Decimal(sourceAmount.value).times(effectiveRate.value);
        const short = exact.minus(targetAmount.value);
        expect([sourceAmount, targetAmount].every(isCanonical)).toBe(true);
        expect(short.gte(0) && short.lt(unit(target))).toBe(true);
      }),
    );
  });

  // §D8-rounding
  it('round a computed source up by less than one minor unit, enough for the target', () => {
    fc.assert(
      fc.property(order('target'), ([source, target, minor]) => {
        const { sourceAmount, targetAmount, effectiveRate } = quote(source, target, 'targetAmount', amountOfMinor(minor, target).value);
        const beyond = new Decimal(sourceAmount.value).minus(new Decimal(targetAmount.value).div(effectiveRate.value));
        expect([sourceAmount, targetAmount].every(isCanonical)).toBe(true);
        expect(beyond.gte(0) && beyond.lt(unit(source))).toBe(true);
        const back = quote(source, target, 'sourceAmount', sourceAmount.value).targetAmount.value;
        expect(new Decimal(back).gte(targetAmount.value)).toBe(true);
        const less = new Decimal(sourceAmount.value).minus(unit(source)).times(effectiveRate.value);
        expect(less.lt(targetAmount.value)).toBe(true);
      }),
    );
  });

  it('that fix the target of an earlier quote need at most the source of the earlier quote, at its rate', () => {
    fc.assert(
      fc.property(order('source'), ([source, target, minor]) => {
        const forth = quote(source, target, 'sourceAmount', amountOfMinor(minor, source).value);
        const back = quote(source, target, 'targetAmount', forth.targetAmount.value);
        expect(new Decimal(back.sourceAmount.value).lte(forth.sourceAmount.value)).toBe(true);
        expect(back.effectiveRate).toEqual(forth.effectiveRate);
        expect(quote(source, target, 'sourceAmount', back.sourceAmount.value).targetAmount).toEqual(forth.targetAmount);
      }),
    );
  });
});
