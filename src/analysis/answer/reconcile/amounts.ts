import type { AmountExplanation } from '../../../contract/control/analysis/reconcile.js';
import { assetDecimals, type Amount, type AssetCode } from '../../../contract/shared/common.js';
import { Decimal } from '../../../domain/money.js';
import type { OperationRecord } from '../../../domain/operations/operation.js';

/** An amount without a fixed number of decimal places. */
export interface LooseAmount {
  readonly value: string;
  readonly asset: AssetCode;
}

/** A difference up to this amount may come from rounding. */
const roundingLimit = new Decimal('0.01');

/** Returns the sum of the fees of an operation in one asset. */
export function feesOf({ fees }: Pick<OperationRecord, 'fees'>, asset: AssetCode): Decimal {
  return fees.reduce((sum, { amount }) => (amount.asset === asset ? sum.plus(amount.value) : sum), new Decimal(0));
}

/**
 * True if two amounts have the same asset and differ by at most the tolerance.
 * @param tolerance maximum difference, by asset; 0 for other assets
 */
export function isEqual(claimed: LooseAmount, truth: LooseAmount, tolerance: Readonly<Record<string, string>>): boolean {
  if (claimed.asset !== truth.asset) return false;
  return new Decimal(claimed.value)
    .minus(truth.value)
    .abs()
    .lte(tolerance[truth.asset] ?? 0);
}

/** Returns the likely reason for a wrong amount; null if no known reason fits.
 * @param otherSide the amount of the other side of the operation; null without one
 * @param fees fees of the operation in the asset of `truth`
 */
export function explainAmount(claimed: LooseAmount, truth: LooseAmount, otherSide: Amount | null, fees: Decimal): AmountExplanation | null {
  const [c, t] = [new Decimal(claimed.value), new Decimal(truth.value)];
  const other = otherSide && new Decimal(otherSide.value);
  if (claimed.asset !== truth.asset) return other && otherSide.asset === claimed.asset && c.abs().eq(other) ? 'OTHER_SIDE' : null;
  if (c.eq(t.neg())) return 'SIGN';
  if (!fees.isZero() && c.minus(t).abs().eq(fees)) return 'FEE';
  if (other && c.abs().eq(other)) return 'OTHER_SIDE';
  if (powerOfTen(c, t)) return 'SCALE';
  return c.minus(t).abs().lte(roundingLimit) ? 'ROUNDING' : null;
}

/** Returns the power of ten by which the larger amount exceeds the smaller one; null if they do not differ by a power of ten alone. */
function powerOfTen(claimed: Decimal, truth: Decimal): Decimal | null {
  if (claimed.isZero() || truth.isZero()) return null;
  for (let places = 1; places <= 2 * maxDecimals; places += 1) {
    const factor = new Decimal(10).pow(places);
    if (claimed.eq(truth.times(factor)) || truth.eq(claimed.times(factor))) return factor;
  }
  return null;
}

/** Describes the likely reason for a wrong amount, as the end of a sentence that names both amounts; empty without a known reason. */
export function explanationText(explanation: AmountExplanation | null, claimed: LooseAmount, truth: LooseAmount): string {
  switch (explanation) {
    case null:
      return '';
    case 'SCALE': {
      const [c, t] = [new Decimal(claimed.value), new Decimal(truth.value)];
      const factor = powerOfTen(c, t)!.toFixed();
      return c.abs().gt(t.abs()) ? `: ${factor} times as much (SCALE)` : `: ${factor} times too little (SCALE)`;
    }
    case 'SIGN':
      return ': the opposite sign (SIGN)';
    case 'OTHER_SIDE':
      return ': the amount of the other side of the operation (OTHER SIDE)';
    case 'FEE':
      return ': the fees make the difference (FEE)';
    case 'ROUNDING':
      return ': rounded (ROUNDING)';
  }
}

const maxDecimals = Math.max(...Object.values(assetDecimals));
