import { maxIntegerDigits, type Amount, type AssetCode, type Rate } from '../../contract/shared/common.js';
import type { Fee } from '../../contract/public/operations.js';
import type { FeeSetting } from '../../contract/scenario/settings.js';
import type { QuoteRequest } from '../../contract/public/quotes.js';
import { DomainError } from '../errors.js';
import { Decimal, amountOf, formatRate, isZero, overflows } from '../money.js';

/** What prices depend on. Decimals are strings, the TTL is in milliseconds. */
export interface Pricing {
  /** What one unit of each asset is worth in USD. */
  readonly usdValues: Readonly<Record<AssetCode, string>>;
  /** Mid rates that replace the computed one, by pair: `BRL/USD`. Each also sets its reciprocal. */
  readonly rates: Readonly<Record<string, string>>;
  /** Share of the mid rate that the service keeps across assets. */
  readonly spread: string;
  readonly quoteTtlMs: number;
  /** Charged besides the spread, within one asset too. */
  readonly fees: readonly FeeSetting[];
}

/** What a quote takes and gives, at which rate. */
export interface Price {
  /** The amount that the client fixed, as opposed to the one that followed. */
  readonly requestedAmount: Amount;
  readonly sourceAmount: Amount;
  readonly targetAmount: Amount;
  readonly effectiveRate: Rate;
  readonly fees: readonly Fee[];
}

/** Why a quote cannot be made: what `details.reason` says of it, and the same for people. */
const failures = {
  NO_RATE: 'there is no usable rate between the two',
  FEES_EXCEED_AMOUNT: 'its fees leave nothing of it',
  ZERO_AMOUNT: 'one side comes out as zero',
  AMOUNT_TOO_LARGE: `one side comes out with more than ${maxIntegerDigits} digits before the point`,
} as const;

const one = new Decimal(1);

/**
 * Prices a request. Fees are taken from the source: what is left of it converts. A fixed source rounds the target down, a fixed target
 * the source up; where there are fees, the rate is that of the two amounts.
 * @throws DomainError QUOTE_CREATION_FAILED when there is no rate, or an amount comes out as zero or too large
 */
export function priceOf(request: QuoteRequest, pricing: Pricing): Price {
  const { sourceAsset, targetAsset } = request;
  const failed = (reason: keyof typeof failures) =>
    new DomainError('QUOTE_CREATION_FAILED', `No quote from ${sourceAsset} to ${targetAsset} for this amount: ${failures[reason]}.`, {
      reason,
      sourceAsset,
      targetAsset,
    });
  const rate = conversionRate(pricing, sourceAsset, targetAsset);
  if (rate.isZero()) throw failed('NO_RATE');

  const fixesSource = request.sourceAmount !== undefined;
  const requestedAmount = amountOf(request.sourceAmount ?? request.targetAmount ?? '0', fixesSource ? sourceAsset : targetAsset);
  const requested = new Decimal(requestedAmount.value);
  const { fixed, divisor, left } = chargedOn(sourceAsset, pricing);
  if (left.lessThanOrEqualTo(0)) throw failed('FEES_EXCEED_AMOUNT');
  let [sourceAmount, targetAmount] = [requestedAmount, requestedAmount];
  if (fixesSource) {
    const net = requested.times(left).times(divisor).minus(fixed);
    if (net.lessThanOrEqualTo(0) && pricing.fees.length > 0) throw failed('FEES_EXCEED_AMOUNT');
    targetAmount = amountOf(net.times(rate).div(divisor), targetAsset, 'DOWN');
  } else {
    const gross = requested.times(divisor).plus(fixed.times(rate));
    sourceAmount = amountOf(gross.div(divisor.times(rate).times(left)), sourceAsset, 'UP');
  }
  if (isZero(sourceAmount) || isZero(targetAmount)) throw failed('ZERO_AMOUNT');
  if (overflows(sourceAmount) || overflows(targetAmount)) throw failed('AMOUNT_TOO_LARGE');

  const effective = pricing.fees.length === 0 ? rate : new Decimal(targetAmount.value).div(sourceAmount.value);
  const value = formatRate(effective);
  if (!/[1-9]/.test(value)) throw failed('NO_RATE');
  return {
    requestedAmount,
    sourceAmount,
    targetAmount,
    effectiveRate: { value, base: sourceAsset, quote: targetAsset },
    fees: feesOf(sourceAmount, targetAsset, pricing),
  };
}

/** Units of `target` for one of `source` before anything is kept: a dividend and a divisor, so that only the end of a reckoning is rounded. */
function midRate({ rates, usdValues }: Pricing, source: AssetCode, target: AssetCode): readonly [Decimal, Decimal] {
  if (source === target) return [one, one];
  const set = rates[`${source}/${target}`];
  if (set !== undefined) return [new Decimal(set), one];
  const reverse = rates[`${target}/${source}`];
  if (reverse !== undefined) return [one, new Decimal(reverse)];
  return [new Decimal(usdValues[source]), new Decimal(usdValues[target])];
}

/** The rate that converts: mid less the spread, cut to 10 fractional digits; exactly 1 within one asset. */
function conversionRate(pricing: Pricing, source: AssetCode, target: AssetCode): Decimal {
  if (source === target) return one;
  const [dividend, divisor] = midRate(pricing, source, target);
  return dividend.times(one.minus(pricing.spread)).div(divisor).toDecimalPlaces(10, Decimal.ROUND_DOWN);
}

/**
 * What the fees of the settings take from a source: `fixed / divisor` of its asset at mid rates, and all but the share that is left. The
 * fixed part stays a fraction, so that only the end of a reckoning is rounded.
 */
function chargedOn(source: AssetCode, pricing: Pricing): { fixed: Decimal; divisor: Decimal; left: Decimal } {
  let [fixed, divisor, left] = [new Decimal(0), one, one];
  for (const fee of pricing.fees) {
    if (fee.type === 'PERCENTAGE') left = left.minus(fee.percentage);
    else {
      const [units, per] = midRate(pricing, fee.amount.asset, source);
      const amount = units.times(fee.amount.value);
      if (per.equals(divisor)) fixed = fixed.plus(amount);
      else [fixed, divisor] = [fixed.times(per).plus(amount.times(divisor)), divisor.times(per)];
    }
  }
  return { fixed, divisor, left };
}

/** The fees of a quote: the spread across assets, and those of the settings, absolute ones in their own asset. */
function feesOf(sourceAmount: Amount, targetAsset: AssetCode, { spread, fees }: Pricing): Fee[] {
  const share = (percentage: string, source: Fee['source']): Fee => {
    const part = new Decimal(percentage);
    return {
      type: 'PERCENTAGE',
      amount: amountOf(part.times(sourceAmount.value), sourceAmount.asset, 'HALF_EVEN'),
      source,
      percentage: part.toFixed(Math.max(4, part.decimalPlaces())),
    };
  };
  const charged = fees.map((fee): Fee => {
    if (fee.type === 'PERCENTAGE') return share(fee.percentage, fee.source);
    return { type: 'ABSOLUTE', amount: amountOf(fee.amount.value, fee.amount.asset), source: fee.source };
  });
  return sourceAmount.asset === targetAsset ? charged : [share(spread, 'FX_SPREAD'), ...charged];
}
