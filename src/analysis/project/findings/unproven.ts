import type { AssetCode } from '../../../contract/shared/common.js';
import type { World } from '../../../world/world.js';
import { moneyOf } from './present.js';
import type { Moved } from './rule.js';

/** Operations of a world about which nothing is proven, oldest first. */
export interface UnprovenOperations {
  /** False for an operation whose money does not count. */
  readonly listed: readonly (readonly [operationId: string, isCounted: boolean])[];
  /** The number of older operations, which are not listed, and their money. */
  readonly older: { readonly count: number; readonly money: readonly Moved[] };
}

/** The unproven operations of a world: payments that may be repetitions, and outcomes that the client may not have stored. */
export type UnprovenFacts = Readonly<Record<'pairs' | 'outcomes', UnprovenOperations>>;

/** Unproven operations as JSON. */
interface KeptOperations {
  readonly listed: UnprovenOperations['listed'];
  readonly older: { readonly count: number; readonly money: readonly (readonly [asset: AssetCode, minor: string])[] };
}

/** The unproven operations of a world as JSON, for the next node that has the world. */
export type KeptUnproven = Readonly<Record<'pairs' | 'outcomes', KeptOperations>>;

export const nothingUnproven: UnprovenOperations = { listed: [], older: { count: 0, money: [] } };

/** Returns the sum of amounts by asset. */
function sumOf(amounts: readonly Moved[]): Moved[] {
  const sums = new Map<AssetCode, bigint>();
  for (const { asset, minor } of amounts) sums.set(asset, (sums.get(asset) ?? 0n) + minor);
  return Array.from(sums, ([asset, minor]) => ({ asset, minor }));
}

/** Returns the money that unproven operations moved, by asset. */
export function unprovenMoney(world: World, { listed, older }: UnprovenOperations): Moved[] {
  return sumOf([...older.money, ...listed.flatMap(([id, isCounted]) => (isCounted ? moneyOf(world, id) : []))]);
}

/** Returns unproven operations as JSON, of which at most `most` are listed: the newest, because the client may still read these. */
export function keptOperations(world: World, { listed, older }: UnprovenOperations, most: number): KeptOperations {
  const at = Math.max(listed.length - most, 0);
  const money = unprovenMoney(world, { listed: listed.slice(0, at), older });
  return {
    listed: listed.slice(at),
    older: { count: older.count + at, money: money.map(({ asset, minor }) => [asset, String(minor)]) },
  };
}

/** Returns unproven operations that were stored. */
export function restoredOperations({ listed, older: { count, money } }: KeptOperations): UnprovenOperations {
  return { listed, older: { count, money: money.map(([asset, minor]) => ({ asset, minor: BigInt(minor) })) } };
}
