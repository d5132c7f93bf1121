import type { LruMap, Remembered, SharedBudget } from './lru-map.js';
import { endShownAt, isLost, isNeverShown, shownAt, type Payment, type Payments, type Sign } from './payments.js';
import type { WorldFacts } from './world-facts.js';

/** The last observation of the client about the first payment of a pair that can explain why it paid again. */
export type Cause = Sign | 'TIMEOUT' | 'LOST_RESPONSE' | 'NEW_TOKEN';

/**
 * The proof that the second payment of a pair repeats the first. CERTAIN: the client gave both the same purpose. LIKELY: the first was lost
 * and never shown to the client, or several pairs have a pattern. HINT: the client may have intended two equal payments. NONE: the client
 * knew the end of the first before it sent the second, and the pair is part of no pattern.
 */
export type Level = 'CERTAIN' | 'LIKELY' | 'HINT' | 'NONE';

/** Two equal payments of one test. The pair is suspect if the second was sent while the client did not know the end of the first. */
export interface SuspectPair extends Remembered {
  readonly first: Payment;
  readonly second: Payment;
  /** Null if nothing that the sandbox saw explains the second payment. */
  readonly cause: Cause | null;
  readonly level: Level;
  /** The pattern of which a LIKELY pair is part, as a sentence; null without one. */
  readonly pattern: string | null;
  /** True if the first payment failed, so that the money of only one payment moved. */
  readonly hasFirstFailed: boolean;
  /** True if the second payment is the reaction to the response to the first, which was lost or had an unknown field. */
  readonly isMishandled: boolean;
}

type OpenPair = { -readonly [K in keyof SuspectPair]: SuspectPair[K] } & {
  readonly equals: Equals;
  readonly chain: Chain;
  /** Null if the payments have no common purpose. */
  readonly purpose: Purpose | null;
  isSuspect: boolean;
  /** The counters that include the pair. */
  isPlain: boolean;
  counted: Cause | null;
};

/** The payments with the same terms in one test. */
interface Equals extends Remembered {
  readonly counts: Counts;
  count: number;
  /** The newest payments. */
  newest: Payment[];
  pairs: OpenPair[];
  /** Number of the payments if each is paired, and if there are few; otherwise 0. */
  times: number;
  /** True if a pair is suspect. */
  isSuspect: boolean;
}

/** Number of different payments of an operation, and of those that were made a given number of times: all of them, and those with a suspect pair. */
interface Counts {
  distinct: number;
  readonly times: number[];
  readonly suspectTimes: number[];
}

const newCounts = (): Counts => ({ distinct: 0, times: Array(mostTimes + 1).fill(0), suspectTimes: Array(mostTimes + 1).fill(0) });

/** Equal payments, each sent while the client did not know the end of the one before. */
interface Chain {
  length: number;
}

/** Payments with the same purpose. */
interface Purpose extends Remembered {
  count: number;
  payments: readonly Payment[];
}

/** Maximum number of remembered payments with the same terms or the same purpose that a later payment can repeat. */
const maxOpen = 32;
/** A longer chain is no repetition: it comes from a suite or a load test whose payments are all equal. */
const maxChain = 4;
const dayMs = 24 * 3_600_000;
/** Longest time between the two payments of a pair whose first response was delivered, in milliseconds of world time. */
const spanMs = 7 * dayMs;
/** The same if the client knew the end of the first: equal payments of each week or month are intended. */
const knownSpanMs = 3 * dayMs;
/** Maximum number of payments with one purpose, each after the end of the one before, of which the second is a repetition: tests repeat their data. */
const mostOfPurpose = 3;
/** Number of pairs with one cause that make a pattern. */
const leastOfCause = 2;
/** Number of different payments that come equally often, and of those with a suspect pair, that make a pattern. */
const leastTimes = 3;
const leastSuspect = 2;
/** Maximum number of times that a payment comes in a pattern. */
const mostTimes = 5;
const timesTexts = ['', '', 'twice', 'three times', 'four times', 'five times'];

const causeTexts: Readonly<Record<Cause, string>> = {
  LOST_RESPONSE: 'a lost response',
  TIMEOUT: 'a response for which the client did not wait',
  NOT_FOUND: 'a read with the response 404',
  ON_HOLD: 'the status ON_HOLD or ACTION_REQUIRED',
  PROCESSING: 'a status that is not final',
  UNKNOWN_FIELD: 'a response with an unknown field',
  NEW_TOKEN: 'a new token just before the second payment',
};

/** Describes a cause. */
export const causeText = (cause: Cause) => causeTexts[cause];

const signs = ['UNKNOWN_FIELD', 'NOT_FOUND', 'ON_HOLD', 'PROCESSING'] as const;

/** True if a sign can be the reason why a payment was made again. */
const canExplain = (sign: Sign, { isTolerant }: Payment) => sign !== 'UNKNOWN_FIELD' || !isTolerant;

/** Returns the observation that explains the second payment of a pair; null without one. */
function causeOf(first: Payment, second: Payment): Cause | null {
  // A payment that was shown before the second is no longer lost.
  if (isLost(first) && (shownAt(first) ?? Infinity) >= second.beganOrder) return first.loss ?? 'LOST_RESPONSE';
  const sign = signs.find((each) => (first.signs[each] ?? Infinity) < second.beganOrder && canExplain(each, first));
  const isAfterNewToken = second.isFirstOfToken && second.token !== first.token && second.beganOrder > first.endedOrder;
  return sign ?? (isAfterNewToken ? 'NEW_TOKEN' : null);
}

/** True if the client did not know the end of the first payment when it sent the second. */
const isUnsettled = (first: Payment, second: Payment) => (endShownAt(first) ?? Infinity) >= second.beganOrder;

/** True if the second of two payments may repeat the first, which was lost, or which the client knew to be on its way. */
function isSuspect(first: Payment, second: Payment): boolean {
  if (!isUnsettled(first, second)) return false;
  return isLost(first) || (second.operationId !== 'createDeposit' && second.atMs - first.atMs <= spanMs);
}

/** True if the second of two equal payments can be part of a pattern of repetitions. */
function isPossible(first: Payment, second: Payment): boolean {
  // Two purposes are never a pair, and payments with one purpose are paired by it.
  if (first.purpose !== null && second.purpose !== null) return false;
  return isSuspect(first, second) || (second.operationId !== 'createDeposit' && second.atMs - first.atMs <= knownSpanMs);
}

/** True if more than half of the different payments of an operation were made exactly a given number of times. */
function isTimesPattern({ counts, times }: Pick<Equals, 'counts' | 'times'>): boolean {
  const count = counts.times[times] ?? 0;
  return times > 1 && count >= leastTimes && 2 * count > counts.distinct;
}

/**
 * True if a pair must be judged again after a further equal payment: its purpose has one more payment, its chain may just have become too
 * long, or the connection of its first payment may have been reset meanwhile.
 */
const canChange = ({ purpose, chain, first }: OpenPair) => purpose !== null || chain.length <= maxChain + 2 || isLost(first);

/** Called when a pair is new or has changed. */
type Listener = (pair: SuspectPair) => void;

/** Finds the suspect pairs among the payments of a client. */
export class SuspectPairs {
  readonly #world: WorldFacts;
  readonly #equals: LruMap<Equals>;
  readonly #purposes: LruMap<Purpose>;
  /** The pairs by the id of their second payment. */
  readonly #pairs: LruMap<OpenPair>;
  /** The pairs by the id of their first payment. */
  readonly #byFirst: LruMap<Remembered & { readonly pairs: readonly OpenPair[] }>;
  readonly #listeners: Listener[] = [];
  /** The counts of different payments, by operation. */
  readonly #counts = new Map<string, Counts>();
  /** Number of suspect pairs for which no cause explains the repetition. */
  #plain = 0;
  /** Number of payments, and of pairs, by cause. */
  readonly #occasions = new Map<Cause | null, number>();
  readonly #caused = new Map<Cause, number>();
  /** The cause under which {@link #occasions} counts a payment. */
  readonly #causes = new WeakMap<Payment, Cause | null>();
  /** The patterns that exist. */
  #patterns = '';

  constructor(world: WorldFacts, payments: Payments, budget: SharedBudget) {
    this.#world = world;
    this.#equals = budget.lruMap(260);
    this.#purposes = budget.lruMap(160);
    this.#pairs = budget.lruMap(200);
    this.#byFirst = budget.lruMap(60);
    payments.onChange((payment, isNew) => {
      this.#countOccasion(payment);
      if (isNew) this.#add(payment);
      else
        for (const pair of this.#byFirst.get(payment.id)?.pairs ?? []) {
          this.#judge(pair);
          this.#countTimes(pair.equals);
        }
      this.#judgePatterns();
    });
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Returns the pairs, the least recently used first. */
  all(): readonly SuspectPair[] {
    return this.#pairs.values();
  }

  /** True if a finding other than a hint is about a pair with this payment. */
  isReported(id: string): boolean {
    const own = this.#pairs.get(id);
    return [...(own ? [own] : []), ...(this.#byFirst.get(id)?.pairs ?? [])].some(({ level }) => level === 'CERTAIN' || level === 'LIKELY');
  }

  /** True if an equal payment was made after the one with this id. */
  isFollowed(id: string): boolean {
    return this.#byFirst.get(id) !== undefined;
  }

  /** Called when a payment has failed. */
  failed(id: string): void {
    for (const pair of this.#byFirst.get(id)?.pairs ?? []) {
      if (pair.hasFirstFailed) continue;
      pair.hasFirstFailed = true;
      this.#countTimes(pair.equals);
      this.#judgePatterns();
      this.#tell(pair);
    }
  }

  /** Forgets the counts of all payments, which are no longer remembered. */
  clear(): void {
    [this.#plain, this.#patterns] = [0, ''];
    this.#counts.clear();
    this.#occasions.clear();
    this.#caused.clear();
  }

  #add(payment: Payment): void {
    const place = `${payment.test ?? ''}\n${payment.terms}`;
    let equals = this.#equals.get(place);
    if (!equals) {
      const counts = this.#counts.get(payment.operationId) ?? newCounts();
      this.#counts.set(payment.operationId, counts);
      counts.distinct += 1;
      this.#equals.set(place, (equals = { ref: '', counts, count: 0, newest: [], pairs: [], times: 0, isSuspect: false }));
    }
    equals.count += 1;
    const others = equals.newest;
    equals.newest = [...others, payment].slice(-maxOpen);
    const isEarlier = (other: Payment) => other.beganOrder < payment.beganOrder && other.key !== payment.key && isPossible(other, payment);
    if (!this.#addByPurpose(payment, equals)) {
      const first = others.findLast((other) => isEarlier(other) && isSuspect(other, payment)) ?? others.findLast(isEarlier);
      if (first) this.#pair(first, payment, equals, null);
    }
    // The record of a request can end after that of a later one.
    const later = others.find(
      (other) =>
        other.beganOrder > payment.beganOrder && other.key !== payment.key && !this.#pairs.get(other.id) && isPossible(payment, other),
    );
    if (later) this.#pair(payment, later, equals, null);
    for (const pair of equals.pairs) if (canChange(pair)) this.#judge(pair);
    this.#countTimes(equals);
  }

  /** Pairs a payment with an earlier one that has the same purpose. @returns false without one */
  #addByPurpose(payment: Payment, equals: Equals): boolean {
    const { test, parties } = payment;
    if (payment.purpose === null) return false;
    const place = `${test ?? ''}\n${parties}\n${payment.purpose}`;
    const known = this.#purposes.get(place) ?? { ref: '', count: 0, payments: [] };
    const first = known.payments.find(
      (other) =>
        other.key !== payment.key &&
        !this.#hasFailed(other, payment.atMs) &&
        (isUnsettled(other, payment) || Math.abs(payment.atMs - other.atMs) <= knownSpanMs),
    );
    known.count += 1;
    known.payments = [...known.payments, payment].slice(-maxOpen);
    this.#purposes.set(place, known);
    if (!first) return false;
    const [earlier, later] = first.beganOrder < payment.beganOrder ? [first, payment] : [payment, first];
    this.#pair(earlier, later, equals, known);
    return true;
  }

  /** True if a payment had failed at a world time, so that paying again was right. */
  #hasFailed({ id }: Payment, atMs: number): boolean {
    const last = this.#world.row('operations', id)?.states.at(-1);
    return last?.status === 'FAILED' && Date.parse(last.createdAt) <= atMs;
  }

  #pair(first: Payment, second: Payment, equals: Equals, purpose: Purpose | null): void {
    const known = this.#pairs.get(first.id);
    const chain = known?.isSuspect ? known.chain : { length: 1 };
    if (isSuspect(first, second)) chain.length += 1;
    const pair: OpenPair = {
      ref: '',
      first,
      second,
      cause: causeOf(first, second),
      level: 'NONE',
      pattern: null,
      equals,
      chain,
      purpose,
      hasFirstFailed: this.#hasFailed(first, Infinity),
      isMishandled: false,
      isSuspect: false,
      isPlain: false,
      counted: null,
    };
    equals.pairs = [...equals.pairs, pair].slice(-maxOpen);
    this.#pairs.set(second.id, pair);
    this.#byFirst.set(first.id, { ref: '', pairs: [...(this.#byFirst.get(first.id)?.pairs ?? []), pair] });
    this.#judge(pair);
  }

  /** Updates how often equal payments were made. */
  #countTimes(equals: Equals): void {
    const { count, counts, pairs, times: before, isSuspect: wasSuspect } = equals;
    // An announced deposit moves no money of the client, and a payment that the client knew to have failed has to be made again.
    const isPlain = pairs.every(
      (pair) => pair.purpose === null && pair.second.operationId !== 'createDeposit' && (pair.isSuspect || !pair.hasFirstFailed),
    );
    const times = count <= mostTimes && pairs.length === count - 1 && isPlain ? count : 0;
    const isAnySuspect = pairs.some((pair) => pair.isSuspect);
    if (times === before && isAnySuspect === wasSuspect) return;
    if (before > 1) counts.times[before]! -= 1;
    if (before > 1 && wasSuspect) counts.suspectTimes[before]! -= 1;
    if (times > 1) counts.times[times]! += 1;
    if (times > 1 && isAnySuspect) counts.suspectTimes[times]! += 1;
    equals.times = times;
    equals.isSuspect = isAnySuspect;
    // The pattern may have existed before these payments became part of it.
    for (const pair of pairs) this.#level(pair);
  }

  /** Counts a payment under the cause that it would be for a repetition. */
  #countOccasion(payment: Payment): void {
    const seen = signs.find((each) => payment.signs[each] !== undefined && canExplain(each, payment)) ?? null;
    const cause = isLost(payment) ? (payment.loss ?? 'LOST_RESPONSE') : seen;
    const before = this.#causes.get(payment);
    if (cause === before) return;
    if (before !== undefined) this.#occasions.set(before, this.#occasions.get(before)! - 1);
    this.#causes.set(payment, cause);
    this.#occasions.set(cause, (this.#occasions.get(cause) ?? 0) + 1);
    if (before === undefined && payment.isFirstOfToken) this.#occasions.set('NEW_TOKEN', (this.#occasions.get('NEW_TOKEN') ?? 0) + 1);
  }

  /** Updates the counts of a pair, and its level. */
  #judge(pair: OpenPair): void {
    const { first, second, chain, purpose } = pair;
    pair.cause = causeOf(first, second);
    pair.isSuspect = isSuspect(first, second);
    const isPlain = purpose === null && pair.isSuspect && pair.cause === null;
    if (isPlain !== pair.isPlain) this.#plain += isPlain ? 1 : -1;
    pair.isPlain = isPlain;
    // A client that repeats or reads the first payment after the second has not replaced the first by the second.
    const isPursued = first.repeated > second.beganOrder || first.lastRead > second.beganOrder;
    const counted = purpose !== null || !pair.isSuspect || chain.length > maxChain || isPursued ? null : pair.cause;
    if (counted !== pair.counted) {
      if (pair.counted !== null) this.#caused.set(pair.counted, this.#caused.get(pair.counted)! - 1);
      if (counted !== null) this.#caused.set(counted, (this.#caused.get(counted) ?? 0) + 1);
      pair.counted = counted;
    }
    this.#level(pair);
  }

  #level(pair: OpenPair): void {
    const { level, isMishandled, first, purpose, chain } = pair;
    const isStrict = !first.isTolerant && first.signs.UNKNOWN_FIELD === first.endedOrder && first.usedBy === null && chain.length === 2;
    pair.isMishandled = pair.isSuspect && (isStrict || isNeverShown(first));
    pair.pattern = purpose === null ? this.#patternOf(pair) : null;
    pair.level = this.#levelOf(pair);
    if (pair.level !== level || pair.isMishandled !== isMishandled) this.#tell(pair);
  }

  #levelOf({ purpose, isSuspect: isOpen, pattern, first, equals }: OpenPair): Level {
    if (purpose !== null) return isOpen || purpose.count <= mostOfPurpose ? 'CERTAIN' : 'HINT';
    if (pattern !== null || (isOpen && isNeverShown(first))) return 'LIKELY';
    return isOpen || isTimesPattern(equals) ? 'HINT' : 'NONE';
  }

  /** Describes the pattern of which a pair is part; null without one. */
  #patternOf({ counted, equals }: OpenPair): string | null {
    if (counted !== null && this.#isPattern(counted))
      return `${this.#caused.get(counted)} payments were made again after ${causeText(counted)}.`;
    const { times, counts } = equals;
    if (!isTimesPattern(equals) || counts.suspectTimes[times]! < leastSuspect) return null;
    return `${counts.times[times]} of ${counts.distinct} different payments were made exactly ${timesTexts[times]}.`;
  }

  /** True if payments with a cause are repeated, and more often than others. */
  #isPattern(cause: Cause): boolean {
    const pairs = this.#caused.get(cause) ?? 0;
    if (pairs < leastOfCause) return false;
    // Workers share tokens: for most of them, a new token has nothing to do with the payment that they make next.
    if (cause === 'NEW_TOKEN' && 2 * pairs <= (this.#occasions.get(cause) ?? 0)) return false;
    let others = 0;
    for (const [each, count] of this.#occasions) if (each !== cause && each !== 'NEW_TOKEN') others += count;
    return others === 0 || pairs * others > 2 * this.#plain * (this.#occasions.get(cause) ?? 0);
  }

  /** Updates the levels of all pairs if a pattern has appeared or disappeared. */
  #judgePatterns(): void {
    const causes = [...this.#caused.keys()].filter((cause) => this.#isPattern(cause));
    const counts = [...this.#counts.values()].map((each) =>
      each.times.map((_count, times) => isTimesPattern({ counts: each, times }) && Math.min(each.suspectTimes[times]!, leastSuspect)),
    );
    const patterns = `${causes.join(' ')} ${counts.join(' ')}`;
    if (patterns === this.#patterns) return;
    this.#patterns = patterns;
    for (const pair of this.#pairs.values()) this.#level(pair);
  }

  #tell(pair: SuspectPair): void {
    for (const listener of this.#listeners) listener(pair);
  }
}
