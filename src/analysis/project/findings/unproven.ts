import type { World } from '../../../world/world.js';
import { restoredMoney, storedMoney, sumOf, type Moved, type StoredMoney } from './moved.js';
import { isNeverShown, type Payment } from './payments.js';
import { moneyOf } from './present.js';
import type { RuleRunner } from './rule-runner.js';
import type { WorldFacts } from './world-facts.js';

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

/** The unproven payments of a world that the next node gets. */
export interface UnprovenPayments extends Readonly<Record<UnprovenKind, UnprovenOperations>> {
  /** The second payments of equal pairs that may be intended. If the first payment failed, the money of the second does not count. */
  readonly pairs: UnprovenOperations;
  /** Payments whose final status the client never read: it accepted a webhook, or had no time to learn of it. */
  readonly outcomes: UnprovenOperations;
  /** Payments whose keys were repeated without need, once for each repetition: another payment may have been meant. */
  readonly repeats: UnprovenOperations;
}

/** All unproven payments of a world. */
export interface UnprovenFacts extends UnprovenPayments {
  /** Payments at this node of whole amounts that may have lost their cents. Their money does not count: the lost cents are unknown. */
  readonly whole: UnprovenOperations;
  /** Payments at this node that failed or were rejected, as the client knows, and that no later payment replaced. */
  readonly notMade: UnprovenOperations;
}

/** Unproven operations as JSON. */
interface StoredOperations {
  readonly listed: UnprovenOperations['listed'];
  readonly older: { readonly count: number; readonly money: StoredMoney };
}

/** The unproven operations of a world as JSON, for the next node that has the world. */
export type StoredUnproven = Readonly<Record<UnprovenKind, StoredOperations>>;

export const nothingUnproven: UnprovenOperations = { listed: [], older: { count: 0, money: [] } };

/** Number of different whole amounts from which the cents may have been cut off, and of those that do not end with 0 or 5. */
const [leastWhole, leastOdd] = [5, 2];
/** Number of different cents, and of different first digits of cents, of other amounts. Tests that choose the cents use fewer. */
const [leastCents, leastTens] = [5, 3];

/**
 * Returns the ids of payments of whole amounts that look as if the cents were cut off or a point was lost: several do not end with 0 or 5,
 * as amounts that people choose do. No other amount of the run in the same asset has cents that end with 0, although those of one in ten
 * prices do.
 */
function withoutCents(world: WorldFacts, payments: readonly Payment[]): string[] {
  const paid = payments.flatMap(({ id }) => world.row('operations', id) ?? []);
  const isWhole = (value: string) => /\.0+$/.test(value);
  const isSuspect = (asset: string) => {
    const values = [...new Set(paid.flatMap(({ requestedAmount: each }) => (each.asset === asset ? [each.value] : [])))];
    const whole = values.filter(isWhole);
    // The service writes 310.75 as 310.750000 in an asset with six decimals.
    const cents = [...new Set(values.filter((value) => !isWhole(value)).map((value) => value.split('.')[1]!.slice(0, 2)))];
    const haveCents = cents.length >= leastCents && new Set(cents.map((each) => each[0])).size >= leastTens;
    const odd = whole.filter((value) => /[1-46-9]\.0+$/.test(value));
    if (odd.length < leastOdd) return false;
    return cents.length === 0 ? whole.length >= leastWhole && world.hasCents() : haveCents && !cents.some((each) => each.endsWith('0'));
  };
  const suspects = new Set([...new Set(paid.map(({ requestedAmount: { asset } }) => asset))].filter(isSuspect));
  return paid.flatMap(({ id, requestedAmount: { asset, value } }) => (suspects.has(asset) && isWhole(value) ? [id] : []));
}

/** Returns the unproven payments of a world. @param former those that the previous node stored; undefined without one */
export function unprovenFacts(
  world: WorldFacts,
  runner: Pick<RuleRunner, 'pairs' | 'payments' | 'unmade'>,
  former: UnprovenPayments = { pairs: nothingUnproven, outcomes: nothingUnproven, repeats: nothingUnproven },
): UnprovenFacts {
  const { pairs, payments } = runner;
  const all = payments.all();
  const notMade = runner.unmade();
  // A payment that the client knew to have failed has to be made again.
  const equal = pairs.all().filter(({ level, hasFirstFailed }) => level === 'HINT' || (level === 'NONE' && !hasFirstFailed));
  const unread = all.filter((payment) => {
    if (payment.endReadBy !== null) return false;
    // A finding reports an overdue end, and a payment of which the client does not know.
    const isReported = isNeverShown(payment) || pairs.isReported(payment.id);
    return payment.endNoticed !== null || (!isReported && payments.missedEnd(payment)?.isOverdue === false);
  });
  const repeated = all.flatMap(({ id, needlessRepeats }) => Array.from({ length: needlessRepeats }, () => id));
  const counted = (id: string) => [id, true] as const;
  return {
    pairs: {
      ...former.pairs,
      listed: [...former.pairs.listed, ...equal.map(({ second, hasFirstFailed }) => [second.id, !hasFirstFailed] as const)],
    },
    outcomes: {
      ...former.outcomes,
      listed: [...former.outcomes.listed.filter(([id]) => !payments.isEndRead(id)), ...unread.map(({ id }) => counted(id))],
    },
    repeats: { ...former.repeats, listed: [...former.repeats.listed, ...repeated.map(counted)] },
    whole: { ...nothingUnproven, listed: withoutCents(world, all).map((id) => [id, false]) },
    notMade: {
      listed: notMade.map(({ ref }) => [ref, false]),
      older: { count: 0, money: sumOf(notMade.map(({ money }) => money)) },
    },
  };
}

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
export function storedUnproven(world: World, facts: UnprovenPayments, most: number): StoredUnproven {
  return ofEach(facts, (operations) => storedOperations(world, operations, most));
}

/** Returns unproven operations that were stored. */
export function restoredUnproven(stored: StoredUnproven): UnprovenPayments {
  return ofEach(stored, restoredOperations);
}
