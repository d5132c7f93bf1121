import type { LruMap, Remembered, SharedBudget } from './lru-map.js';
import { endShownAt, isLost, isNeverShown, type Payment, type Payments, type Sign } from './payments.js';
import type { WorldFacts } from './world-facts.js';

/** The last observation of the client about the first payment of a pair that can explain why it paid again. */
export type Cause = Sign | 'TIMEOUT' | 'LOST_RESPONSE' | 'NEW_TOKEN';

/**
 * The proof that the second payment of a pair repeats the first. CERTAIN: the client gave both the same purpose. LIKELY: the first was lost
 * and never shown to the client, or several pairs have a pattern. HINT: the client may have intended two equal payments.
 */
export type Level = 'CERTAIN' | 'LIKELY' | 'HINT';

/** Two equal payments of one test, of which the second was sent while the client did not know the end of the first. */
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
  readonly isOfOnePurpose: boolean;
  /** The counters that include the pair. */
  isTwice: boolean;
  isPlain: boolean;
  counted: Cause | null;
};

/** The payments with the same terms in one test. */
interface Equals extends Remembered {
  count: number;
  /** The newest payments whose end the client did not know when the next one was sent. */
  open: Payment[];
  pairs: OpenPair[];
}

/** Equal payments, each sent while the client did not know the end of the one before. */
interface Chain {
  length: number;
}

/** Payments with the same purpose. */
interface Purpose extends Remembered {
  readonly payments: readonly Payment[];
}

/** Maximum number of remembered payments with the same terms or the same purpose that a later payment can repeat. */
const maxOpen = 32;
/** A longer chain is no repetition: it comes from a suite or a load test whose payments are all equal. */
const maxChain = 4;
/** Longest time between the two payments of a pair whose first response was delivered, in milliseconds of world time. */
const spanMs = 7 * 24 * 3_600_000;
/** Number of pairs that make a pattern: for one cause, and for payments that come exactly twice. */
const leastOfCause = 2;
const leastTwice = 3;

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

/** Returns the observation that explains the second payment of a pair; null without one. */
function causeOf(first: Payment, second: Payment): Cause | null {
  if (isLost(first)) return first.loss ?? 'LOST_RESPONSE';
  const sign = signs.find((each) => (first.signs[each] ?? Infinity) < second.beganOrder);
  return sign ?? (second.isFirstOfToken && second.token !== first.token ? 'NEW_TOKEN' : null);
}

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
  /** Number of different terms, and of those that came exactly twice as a suspect pair. */
  #distinct = 0;
  #twice = 0;
  /** Number of pairs without a cause. */
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
      else for (const pair of this.#byFirst.get(payment.id)?.pairs ?? []) this.#judge(pair);
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
    return [...(own ? [own] : []), ...(this.#byFirst.get(id)?.pairs ?? [])].some(({ level }) => level !== 'HINT');
  }

  /** Called when a payment has failed. */
  failed(id: string): void {
    for (const pair of this.#byFirst.get(id)?.pairs ?? []) {
      if (pair.hasFirstFailed) continue;
      pair.hasFirstFailed = true;
      this.#tell(pair);
    }
  }

  /** Forgets the counts of all payments, which are no longer remembered. */
  clear(): void {
    [this.#distinct, this.#twice, this.#plain, this.#patterns] = [0, 0, 0, ''];
    this.#occasions.clear();
    this.#caused.clear();
  }

  #add(payment: Payment): void {
    const place = `${payment.test ?? ''}\n${payment.terms}`;
    let equals = this.#equals.get(place);
    if (!equals) {
      this.#distinct += 1;
      this.#equals.set(place, (equals = { ref: '', count: 0, open: [], pairs: [] }));
    }
    equals.count += 1;
    const others = equals.open.filter((other) => other.key !== payment.key);
    equals.open = [...equals.open, payment].slice(-maxOpen);
    const isPaired = this.#addByPurpose(payment, equals);
    if (!isPaired) {
      const earlier = others.findLast((other) => other.beganOrder < payment.beganOrder && this.#isSuspect(other, payment));
      if (earlier) this.#pair(earlier, payment, equals, false);
    }
    // The record of a request can end after that of a later one.
    const later = others.find(
      (other) => other.beganOrder > payment.beganOrder && !this.#pairs.get(other.id) && this.#isSuspect(payment, other),
    );
    if (later) this.#pair(payment, later, equals, false);
    for (const pair of equals.pairs) this.#judge(pair);
  }

  /** Pairs a payment with an earlier one that has the same purpose. @returns false without one */
  #addByPurpose(payment: Payment, equals: Equals): boolean {
    const { purpose, test, parties } = payment;
    if (purpose === null) return false;
    const place = `${test ?? ''}\n${parties}\n${purpose}`;
    const known = this.#purposes.get(place)?.payments ?? [];
    this.#purposes.set(place, { ref: '', payments: [...known, payment].slice(-maxOpen) });
    const first = known.find((other) => other.key !== payment.key && !this.#hasFailed(other, payment.atMs));
    if (!first) return false;
    const [earlier, later] = first.beganOrder < payment.beganOrder ? [first, payment] : [payment, first];
    this.#pair(earlier, later, equals, true);
    return true;
  }

  /** True if a payment had failed at a world time, so that paying again was right. */
  #hasFailed({ id }: Payment, atMs: number): boolean {
    const last = this.#world.row('operations', id)?.states.at(-1);
    return last?.status === 'FAILED' && Date.parse(last.createdAt) <= atMs;
  }

  /** True if the second of two equal payments was sent while the client did not know the end of the first. */
  #isSuspect(first: Payment, second: Payment): boolean {
    if (first.purpose !== null && second.purpose !== null) return false;
    if ((endShownAt(first) ?? Infinity) < second.beganOrder) return false;
    return isLost(first) || second.atMs - first.atMs <= spanMs;
  }

  #pair(first: Payment, second: Payment, equals: Equals, isOfOnePurpose: boolean): void {
    const chain = this.#pairs.get(first.id)?.chain ?? { length: 1 };
    chain.length += 1;
    const pair: OpenPair = {
      ref: '',
      first,
      second,
      cause: causeOf(first, second),
      level: 'HINT',
      pattern: null,
      equals,
      chain,
      isOfOnePurpose,
      hasFirstFailed: this.#hasFailed(first, Infinity),
      isMishandled: false,
      isTwice: false,
      isPlain: false,
      counted: null,
    };
    equals.pairs = [...equals.pairs, pair].slice(-maxOpen);
    this.#pairs.set(second.id, pair);
    this.#byFirst.set(first.id, { ref: '', pairs: [...(this.#byFirst.get(first.id)?.pairs ?? []), pair] });
    this.#judge(pair, true);
  }

  /** Counts a payment under the cause that it would be for a repetition. */
  #countOccasion(payment: Payment): void {
    const seen = signs.find((each) => payment.signs[each] !== undefined) ?? null;
    const cause = isLost(payment) ? (payment.loss ?? 'LOST_RESPONSE') : seen;
    const before = this.#causes.get(payment);
    if (cause === before) return;
    if (before !== undefined) this.#occasions.set(before, this.#occasions.get(before)! - 1);
    this.#causes.set(payment, cause);
    this.#occasions.set(cause, (this.#occasions.get(cause) ?? 0) + 1);
    if (before === undefined && payment.isFirstOfToken) this.#occasions.set('NEW_TOKEN', (this.#occasions.get('NEW_TOKEN') ?? 0) + 1);
  }

  /** Updates the counts of a pair, and its level. */
  #judge(pair: OpenPair, isNew = false): void {
    const { first, second, equals, chain, isOfOnePurpose } = pair;
    pair.cause = causeOf(first, second);
    const isTwice = !isOfOnePurpose && equals.count === 2;
    if (isTwice !== pair.isTwice) this.#twice += isTwice ? 1 : -1;
    pair.isTwice = isTwice;
    const isPlain = !isOfOnePurpose && pair.cause === null;
    if (isPlain !== pair.isPlain) this.#plain += isPlain ? 1 : -1;
    pair.isPlain = isPlain;
    // A client that repeats or reads the first payment after the second has not replaced the first by the second.
    const isPursued = first.repeated > second.beganOrder || first.lastRead > second.beganOrder;
    const counted = isOfOnePurpose || chain.length > maxChain || isPursued ? null : pair.cause;
    if (counted !== pair.counted) {
      if (pair.counted !== null) this.#caused.set(pair.counted, this.#caused.get(pair.counted)! - 1);
      if (counted !== null) this.#caused.set(counted, (this.#caused.get(counted) ?? 0) + 1);
      pair.counted = counted;
    }
    this.#level(pair, isNew);
  }

  #level(pair: OpenPair, isNew = false): void {
    const { level, isMishandled, first } = pair;
    const isStrict = first.signs.UNKNOWN_FIELD === first.endedOrder && first.usedBy === null && pair.chain.length === 2;
    pair.isMishandled = isStrict || isNeverShown(first);
    pair.pattern = pair.isOfOnePurpose ? null : this.#patternOf(pair);
    pair.level = pair.isOfOnePurpose ? 'CERTAIN' : pair.pattern !== null || isNeverShown(first) ? 'LIKELY' : 'HINT';
    if (isNew || pair.level !== level || pair.isMishandled !== isMishandled) this.#tell(pair);
  }

  #tell(pair: SuspectPair): void {
    for (const listener of this.#listeners) listener(pair);
  }

  /** Describes the pattern of which a pair is part; null without one. */
  #patternOf({ counted, isTwice }: OpenPair): string | null {
    if (counted !== null && this.#isPattern(counted))
      return `${this.#caused.get(counted)} payments were made again after ${causeText(counted)}.`;
    return isTwice && this.#isTwicePattern ? `${this.#twice} of ${this.#distinct} different payments were made exactly twice.` : null;
  }

  /** True if payments with a cause are repeated, and more often than others. */
  #isPattern(cause: Cause): boolean {
    const pairs = this.#caused.get(cause) ?? 0;
    if (pairs < leastOfCause) return false;
    let others = 0;
    for (const [each, count] of this.#occasions) if (each !== cause && each !== 'NEW_TOKEN') others += count;
    return others === 0 || pairs * others > 2 * this.#plain * (this.#occasions.get(cause) ?? 0);
  }

  get #isTwicePattern(): boolean {
    return this.#twice >= leastTwice && 2 * this.#twice > this.#distinct;
  }

  /** Updates the levels of all pairs if a pattern has appeared or disappeared. */
  #judgePatterns(): void {
    const existing = [...this.#caused.keys()].filter((cause) => this.#isPattern(cause));
    const patterns = `${existing.join(' ')} ${this.#isTwicePattern}`;
    if (patterns === this.#patterns) return;
    this.#patterns = patterns;
    for (const pair of this.#pairs.values()) this.#level(pair);
  }
}
