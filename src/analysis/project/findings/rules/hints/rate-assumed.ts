import { assetDecimals, type AssetCode } from '../../../../../contract/shared/common.js';
import { Decimal } from '../../../../../domain/money.js';
import { objectOf, textOf } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { control, quote } from '../../script.js';

/** The rates of the latest quotes of a pair, newest first. */
interface Seen extends Remembered {
  readonly rates: readonly { readonly ref: string; readonly value: string }[];
}

/** Number of rates to remember for each pair. */
const remembered = 5;

/** Maximum number of significant digits of a round amount. */
const roundDigits = 3;
/** A computed amount has more significant digits than this. */
const computedDigits = 4;

const between = (fields: Record<string, string>) =>
  quote({ body: { accountId: '{{account}}', sourceAsset: 'BRL', targetAsset: 'USD', ...fields } });
const market = (rate: string) => control('PUT', '/settings', { rates: { 'BRL/USD': rate } });

export const rateAssumed = defineRule({
  id: 'quote.rate-assumed',
  confidence: 'LIKELY',
  severity: 'WARNING',
  isHint: true,
  title: 'A target amount was computed from the rate of an older quote',
  advice: 'Rates move between quotes. Fix the amount that you know with sourceAmount, and take the target amount from the response.',
  alternativeExplanation: 'The amount is due in the target asset and only happens to be the product of a round amount and that rate.',
  examples: {
    // 7300.00 BRL at 0.1850, less the spread of 0.5 %.
    invalid: [market('0.1850'), between({ sourceAmount: '150.00' }), market('0.1900'), between({ targetAmount: '1343.74' })],
    valid: [market('0.1850'), between({ sourceAmount: '150.00' }), market('0.1900'), between({ sourceAmount: '7300.00' })],
  },
  create({ lruMap, report }) {
    const pairs = lruMap<Seen>(400);
    return {
      operations: new Set(['createQuote']),
      exchange(call) {
        if (!call.done || call.done.status >= 300) return;
        const { value, base, quote: target } = objectOf(call.responseBody['effectiveRate']);
        const [rate, pair] = [textOf(value), `${String(base)}/${String(target)}`];
        if (rate === undefined || base === target) return;
        const older = pairs.get(pair)?.rates ?? [];
        const amount = textOf(call.body['targetAmount']);
        const used = older.find(
          (each) => each.value !== rate && amount !== undefined && isComputed(amount, each.value, target as AssetCode),
        );
        if (used) {
          const what = `targetAmount ${amount} is a round source amount times ${used.value}, the rate of an older quote; the rate is now ${rate}.`;
          report({
            ...call.place,
            evidence: [
              { ref: used.ref, what: `This quote had the rate ${used.value}.` },
              { ref: call.id, what },
            ],
          });
        }
        const rates = [{ ref: call.id, value: rate }, ...older.filter((each) => each.value !== rate)].slice(0, remembered);
        pairs.set(pair, { ref: call.id, rates });
      },
    };
  },
});

/** True if an amount is not round, but the amount divided by the rate is. */
function isComputed(amount: string, rate: string, target: AssetCode): boolean {
  const value = new Decimal(amount);
  if (value.precision() <= computedDigits) return false;
  const source = value.div(rate).toSignificantDigits(roundDigits, Decimal.ROUND_HALF_UP);
  const decimals = assetDecimals[target];
  return [Decimal.ROUND_DOWN, Decimal.ROUND_HALF_UP, Decimal.ROUND_UP].some((rounding) =>
    source.times(rate).toDecimalPlaces(decimals, rounding).equals(value),
  );
}
