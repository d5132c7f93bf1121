import { Decimal as DecimalJs } from 'decimal.js';
import { assetDecimals, maxIntegerDigits, type Amount, type AssetCode } from '../contract/shared/common.js';

/** Decimals with enough digits for the exact product of all inputs of a price, including ten fees; never in exponential notation. */
export const Decimal = DecimalJs.clone({ precision: 160, rounding: DecimalJs.ROUND_DOWN, toExpNeg: -160, toExpPos: 160 });
export type Decimal = DecimalJs;

export type Rounding = 'DOWN' | 'UP' | 'HALF_EVEN';

const roundings = { DOWN: DecimalJs.ROUND_DOWN, UP: DecimalJs.ROUND_UP, HALF_EVEN: DecimalJs.ROUND_HALF_EVEN } as const;

/** Returns an amount with the decimal places of its asset. A value with more decimal places is rounded. */
export function amountOf(value: Decimal | string, asset: AssetCode, rounding: Rounding = 'DOWN'): Amount {
  const decimals = assetDecimals[asset];
  return { value: (typeof value === 'string' ? new Decimal(value) : value).toFixed(decimals, roundings[rounding]), asset, decimals };
}

/** Whether an amount is zero. */
export function isZero(amount: Amount): boolean {
  return !/[1-9]/.test(amount.value);
}

/** Whether an amount has more digits before the decimal point than the API accepts. */
export function overflows(amount: Amount): boolean {
  return (amount.value.replace('-', '').split('.')[0] ?? '').length > maxIntegerDigits;
}

/** Converts a value with all decimal places of its asset to minor units: cents, or millionths of a stablecoin. */
export function minorUnits(canonicalValue: string): bigint {
  return BigInt(canonicalValue.replace('.', ''));
}

/** Converts minor units to an amount. */
export function amountOfMinor(minor: bigint, asset: AssetCode): Amount {
  const decimals = assetDecimals[asset];
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const value = `${minor < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return { value, asset, decimals };
}

/** Formats a rate with 2 to 10 decimal places and without trailing zeros after the second. */
export function formatRate(rate: Decimal): string {
  return rate.toFixed(10, DecimalJs.ROUND_DOWN).replace(/0{1,8}$/, '');
}
