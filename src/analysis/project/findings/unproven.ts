import type { World } from '../../../world/world.js';
import { restoredMoney, storedMoney, sumOf, type Moved, type StoredMoney } from './moved.js';
import { moneyOf } from './present.js';

/** Operations of a world about which nothing is proven, oldest first. */
export interface UnprovenOperations {
  /** False for an operation whose money does not count. */
  readonly listed: readonly (readonly [operationId: string, isCounted: boolean])[];
  /** The number of older operations, which are not listed, and their money. */
  readonly older: { readonly count: number; readonly money: readonly Moved[] };
}

/** The kinds of unproven operations that the next node of a world gets. */
const unprovenKinds = ['pairs', 'outcomes', 'repeats'] as const;
type UnprovenKind = (typeof unprovenKinds)[number];

/**
 * The unproven operations of a world: payments that may be repetitions, outcomes that the client may not have stored, payments whose keys were
 * repeated without need, and payments with whole amounts.
 */
export type UnprovenFacts = Readonly<Record<UnprovenKind | 'whole', UnprovenOperations>>;

/** Unproven operations as JSON. */
interface StoredOperations {
  readonly listed: UnprovenOperations['listed'];
  readonly older: { readonly count: number; readonly money: StoredMoney };
}

/** The unproven operations of a world as JSON, for the next node that has the world. */
export type StoredUnproven = Readonly<Record<UnprovenKind, StoredOperations>>;

export const nothingUnproven: UnprovenOperations = { listed: [], older: { count: 0, money: [] } };

/** Returns the money that unproven operations moved, by asset. */
export function unprovenMoney(world: World, { listed, older }: UnprovenOperations): Moved[] {
  return sumOf([...older.money, ...listed.flatMap(([id, isCounted]) => (isCounted ? moneyOf(world, id) : []))]);
}

/** Returns unproven operations as JSON, of which at most `most` are listed: the newest, because the client may still read these. */
function storedOperations(world: World, { listed, older }: UnprovenOperations, most: number): StoredOperations {
  const at = Math.max(listed.length - most, 0);
  const money = unprovenMoney(world, { listed: listed.slice(0, at), older });
  return {
    listed: listed.slice(at),
    older: { count: older.count + at, money: storedMoney(money) },
  };
}

function restoredOperations({ listed, older: { count, money } }: StoredOperations): UnprovenOperations {
  return { listed, older: { count, money: restoredMoney(money) } };
}

const ofEach = <From, To>(facts: Readonly<Record<UnprovenKind, From>>, made: (operations: From) => To) =>
  Object.fromEntries(unprovenKinds.map((kind) => [kind, made(facts[kind])])) as Record<UnprovenKind, To>;

/** Returns unproven operations as JSON. @param most the number of listed operations of each kind; the older ones are only counted */
export function storedUnproven(world: World, facts: Omit<UnprovenFacts, 'whole'>, most: number): StoredUnproven {
  return ofEach(facts, (operations) => storedOperations(world, operations, most));
}

/** Returns unproven operations that were stored. */
export function restoredUnproven(stored: StoredUnproven): Omit<UnprovenFacts, 'whole'> {
  return ofEach(stored, restoredOperations);
}
