import type { AssetCode } from '../../../contract/shared/common.js';
import { amountOfMinor } from '../../../domain/money.js';

/** An amount in the ledger, in minor units. */
export interface Moved {
  readonly asset: AssetCode;
  readonly minor: bigint;
}

/** Amounts as JSON, in minor units. */
export type StoredMoney = readonly (readonly [asset: AssetCode, minor: string])[];

/** Returns the sums of amounts by asset, without those that are zero. */
export function sumOf(amounts: readonly Moved[]): Moved[] {
  const sums = new Map<AssetCode, bigint>();
  for (const { asset, minor } of amounts) sums.set(asset, (sums.get(asset) ?? 0n) + minor);
  return Array.from(sums, ([asset, minor]) => ({ asset, minor })).filter(({ minor }) => minor !== 0n);
}

/** Returns amounts as JSON. */
export function storedMoney(amounts: readonly Moved[]): StoredMoney {
  return amounts.map(({ asset, minor }) => [asset, String(minor)]);
}

/** Returns amounts that were stored. */
export function restoredMoney(stored: StoredMoney): Moved[] {
  return stored.map(([asset, minor]) => ({ asset, minor: BigInt(minor) }));
}

/** Returns amounts as the control API shows them. */
export function moneyView(amounts: readonly Moved[]): { asset: AssetCode; value: string }[] {
  return amounts.map(({ asset, minor }) => ({ asset, value: amountOfMinor(minor, asset).value }));
}
