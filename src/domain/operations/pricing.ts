import { maxIntegerDigits, type Amount, type AssetCode, type Rate } from '../../contract/shared/common.js';
import type { Fee } from '../../contract/public/operations.js';
import type { FeeSetting } from '../../contract/scenario/settings.js';
import type { QuoteRequest } from '../../contract/public/quotes.js';
import { DomainError } from '../errors.js';
import { walkFactor, type RateModel, type WalkPoint } from './rate-walk.js';
import { Decimal, amountOf, formatRate, isZero, overflows } from '../money.js';

/** The settings that determine prices. Decimals are strings. */
export interface Pricing {
  /** The value of one unit of each asset in USD. */
  readonly usdValues: Readonly<Record<AssetCode, string>>;
  /** Mid rates that replace the computed ones, by pair, for example `BRL/USD`. Each also defines the reverse pair. */
  readonly rates: Readonly<Record<string, string>>;
  /** Share of the mid rate that the service keeps in a conversion. */
  readonly spread: string;
  readonly quoteTtlMs: number;
  /** Fees in addition to the spread; also charged without a conversion. */
  readonly fees: readonly FeeSetting[];
}

const one = new Decimal(1);

/** Digits after the decimal point of a moved value or rate, as many as the settings allow. */
const movedPlaces = 18;

/** Returns the pricing after its values and configured rates have moved along the random walks of a world. */
export function pricingAt(pricing: Pricing, model: RateModel, point: WalkPoint): Pricing {
  const factors = new Map<string, Decimal>();
  const factorOf = (asset: AssetCode) => {
    const known = factors.get(asset) ?? new Decimal(walkFactor(model, point, asset));
    factors.set(asset, known);
    return known;
  };
  return {
    ...pricing,
    usdValues: lazyRecord<AssetCode>(pricing.usdValues, (asset, value) => moved(factorOf(asset), one, value)),
    rates: lazyRecord(pricing.rates, (pair, rate) => {
      const [base, quote] = pair.split('/') as [AssetCode, AssetCode];
      return moved(factorOf(base), factorOf(quote), rate);
    }),
  };
}

/** Returns a record whose values are computed when they are read, because a price needs few of them. */
function lazyRecord<K extends string>(source: Readonly<Record<K, string>>, compute: (key: K, value: string) => string): Record<K, string> {
  const properties = Object.entries(source) as [K, string][];
  return Object.defineProperties(
    {} as Record<K, string>,
    Object.fromEntries(properties.map(([key, value]) => [key, { enumerable: true, get: () => compute(key, value) }])),
  );
}

/** Returns a value above zero after a move by `factor / divisor`, as text. */
function moved(factor: Decimal, divisor: Decimal, value: string): string {
  if (factor.equals(divisor)) return value;
  return factor.times(value).div(divisor).toDecimalPlaces(movedPlaces, Decimal.ROUND_UP).toFixed();
}

/** The amounts, rate and fees of a quote. */
export interface Price {
  /** The amount that the client specified. The other amount is computed. */
  readonly requestedAmount: Amount;
  readonly sourceAmount: Amount;
  readonly targetAmount: Amount;
  readonly effectiveRate: Rate;
  readonly fees: readonly Fee[];
  /** Set if the settings have fees, because then the effective rate alone does not determine the price of another amount. */
  readonly terms?: Terms;
}

/** The rate and fixed fees which, with the percentage fees, determine the target amount of any source amount. Decimals are strings. */
export interface Terms {
  /** The rate of the conversion, without fees of the settings. */
  readonly rate: string;
  /** The fixed fees, in the source asset. */
  readonly fixed: string;
}

/** Decimal places of {@link Terms}. */
const termPlaces = 18;

/** Values of `details.reason` for a failed quote, with messages. */
const failures = {
  NO_RATE: 'there is no usable rate between these assets',
  FEES_EXCEED_AMOUNT: 'the fees are at least as high as the amount',
  ZERO_AMOUNT: 'one of the amounts would be zero',
  AMOUNT_TOO_LARGE: `one of the amounts would have more than ${maxIntegerDigits} digits before the decimal point`,
} as const;

/**
 * Prices a request. Fees are deducted from the source amount before the conversion. The computed amount is rounded: a target down, a source
 * up. With fees, the effective rate is the target amount divided by the source amount.
 * @throws DomainError QUOTE_CREATION_FAILED if there is no rate, or an amount would be zero or too large
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
    ...(pricing.fees.length === 0
      ? {}
      : { terms: { rate: rate.toFixed(), fixed: fixed.div(divisor).toDecimalPlaces(termPlaces, Decimal.ROUND_UP).toFixed() } }),
  };
}

/** The amounts and fees of an operation. */
interface Priced {
  readonly sourceAmount: Amount;
  readonly targetAmount: Amount;
  readonly fees: readonly Fee[];
}

/**
 * Returns the amounts and fees for a source amount other than the quoted one, at the quoted rate and with the quoted fees. Fixed fees that
 * the amount does not cover are not charged, and the target amount is then zero.
 */
export function priceAgain(quoted: Priced & { readonly effectiveRate: Rate; readonly terms?: Terms }, sourceAmount: Amount): Priced {
  const { targetAmount, fees, effectiveRate, terms } = quoted;
  const source = new Decimal(sourceAmount.value);
  let net = source;
  if (terms) {
    for (const fee of fees) if (fee.type === 'PERCENTAGE' && fee.source !== 'FX_SPREAD') net = net.minus(source.times(fee.percentage));
    net = net.minus(terms.fixed);
  }
  const isCovered = net.greaterThan(0);
  const charged = fees.flatMap((fee): Fee[] => {
    if (fee.type === 'ABSOLUTE') return isCovered ? [fee] : [];
    return [{ ...fee, amount: amountOf(source.times(fee.percentage), sourceAmount.asset, 'HALF_EVEN') }];
  });
  const target = isCovered ? net.times(terms?.rate ?? effectiveRate.value) : new Decimal(0);
  return { sourceAmount, targetAmount: amountOf(target, targetAmount.asset, 'DOWN'), fees: charged };
}

/** Returns units of `target` for one of `source` at the mid rate, as dividend and divisor: a division here would round too early. */
function midRate({ rates, usdValues }: Pricing, source: AssetCode, target: AssetCode): readonly [Decimal, Decimal] {
  if (source === target) return [one, one];
  const set = rates[`${source}/${target}`];
  if (set !== undefined) return [new Decimal(set), one];
  const reverse = rates[`${target}/${source}`];
  if (reverse !== undefined) return [one, new Decimal(reverse)];
  return [new Decimal(usdValues[source]), new Decimal(usdValues[target])];
}

/** Returns the mid rate of every asset to USD, except those that are configured in either direction. */
export function ratesToUsd(pricing: Pricing): Record<string, string> {
  const { rates, usdValues } = pricing;
  const assets = (Object.keys(usdValues) as AssetCode[]).filter((asset) => asset !== 'USD' && rates[`USD/${asset}`] === undefined);
  return Object.fromEntries(
    assets.map((asset) => {
      const [dividend, divisor] = midRate(pricing, asset, 'USD');
      return [`${asset}/USD`, dividend.div(divisor).toDecimalPlaces(18, Decimal.ROUND_DOWN).toFixed()];
    }),
  );
}

/** Returns the mid rate minus the spread, cut to 10 decimal places; exactly 1 for equal assets. */
function conversionRate(pricing: Pricing, source: AssetCode, target: AssetCode): Decimal {
  if (source === target) return one;
  const [dividend, divisor] = midRate(pricing, source, target);
  return dividend.times(one.minus(pricing.spread)).div(divisor).toDecimalPlaces(10, Decimal.ROUND_DOWN);
}

/**
 * Returns the fixed fees as `fixed / divisor` units of the source asset at mid rates, and the share of an amount that remains after
 * percentage fees. The fixed part remains a fraction, because a division here would round too early.
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

/** Returns the fees of a quote: the spread of a conversion, and the fees of the settings. Absolute fees keep their own asset. */
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
