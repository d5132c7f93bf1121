import { hash } from 'node:crypto';
import { Decimal as DecimalJs } from 'decimal.js';
import type { AssetCode } from '../../contract/shared/common.js';

/** How rates move: the yearly volatility as a decimal, and the world time between two rates in milliseconds. */
export interface RateModel {
  readonly volatility: string;
  readonly tickMs: number;
}

/** The seed of the random walks of a world, and the time since its beginning in milliseconds. */
export interface WalkPoint {
  readonly seed: readonly string[];
  readonly ageMs: number;
}

const yearMs = 365 * 86_400_000;

/** Digits enough for rates of 10 decimal places, few enough to evaluate a rate in less than a millisecond. */
const Walk = DecimalJs.clone({ precision: 32, rounding: DecimalJs.ROUND_HALF_EVEN });

/** Largest exponent of a change, so that a value stays between about a twentieth and twenty times its initial value. */
const maxExponent = 3;

/** Digits after the decimal point of a factor. */
const factorPlaces = 15;

/** The currency that a stablecoin follows. */
const pegs: Partial<Record<AssetCode, AssetCode>> = { USDC: 'USD', USDT: 'USD', EURC: 'EUR', BRLT: 'BRL' };

/** Share of the volatility by which a stablecoin moves around its currency. */
const pegShare = '0.02';

/**
 * Returns the factor by which the USD value of an asset has changed since the world began. The factor depends only on seed, asset and time,
 * not on the order of calls. Pair rates are computed from the USD values, so they are consistent.
 */
export function walkFactor({ volatility, tickMs }: RateModel, { seed, ageMs }: WalkPoint, asset: AssetCode): string {
  const ticks = Math.floor(ageMs / tickMs);
  if (ticks <= 0 || asset === 'USD') return '1';
  const scale = new Walk(volatility).times(new Walk(tickMs).div(yearMs).sqrt());
  const moved = (code: AssetCode) => (code === 'USD' ? new Walk(0) : positionAt([...seed, code], ticks).times(scale));
  const peg = pegs[asset];
  const exponent = peg === undefined ? moved(asset) : moved(peg).plus(moved(asset).times(pegShare));
  // Without this bound, high volatilities over many years would exceed the range of prices.
  const bounded = Walk.max(-maxExponent, Walk.min(maxExponent, exponent));
  return bounded.exp().toFixed(factorPlaces);
}

/**
 * Returns the position of a random walk after `steps` steps of variance 1. Uses a Brownian bridge over a tree of doubled and then halved
 * intervals, so that the number of draws is logarithmic in `steps`.
 */
function positionAt(seed: readonly string[], steps: number): DecimalJs {
  let [from, to] = [0, 1];
  let [low, high] = [new Walk(0), normal(seed, 0, 1)];
  while (to < steps) {
    const length = to;
    [from, to] = [to, to * 2];
    [low, high] = [high, high.plus(normal(seed, from, to).times(rootOf(length)))];
  }
  while (to !== steps && from !== steps) {
    const middle = from + (to - from) / 2;
    const spread = rootOf(to - from).times(half);
    const between = low
      .plus(high)
      .times(half)
      .plus(normal(seed, from, to, middle).times(spread));
    if (steps < middle) [to, high] = [middle, between];
    else [from, low] = [middle, between];
  }
  return from === steps ? low : high;
}

const half = new Walk('0.5');
/** Square roots of the powers of two, by exponent. They are computed once, because they take longer than all other steps. */
const roots: DecimalJs[] = [];

/** Returns the square root of a power of two. */
function rootOf(length: number): DecimalJs {
  return (roots[Math.round(Math.log2(length))] ??= new Walk(length).sqrt());
}

/** Number of uniform numbers whose sum approximates a normal one. */
const uniforms = 16;
/** Number of possible values of one uniform number. */
const values = 65_536;
/** One divided by the standard deviation of the sum of `uniforms` integers from 0 to below `values`. */
const unit = new Walk(1).div(new Walk(uniforms).div(12).sqrt()).div(values);

/** Returns a random number of mean 0 and variance 1 that the seed and the position in the tree determine. */
function normal(seed: readonly string[], ...place: readonly number[]): DecimalJs {
  const parts = [...seed, 'rate', ...place.map(String)].map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  const bytes = hash('sha256', parts, 'buffer');
  let sum = 0;
  for (let index = 0; index < uniforms; index += 1) sum += bytes.readUInt16BE(index * 2);
  // Each integer k stands for k + 1/2, the middle of its interval. The mean of the sum is subtracted.
  return unit.times(sum + uniforms / 2 - (uniforms / 2) * values);
}
