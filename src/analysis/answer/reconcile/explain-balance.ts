import type { AmountExplanation, DifferenceKind } from '../../../contract/control/analysis/reconcile.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import { itemsInStep } from './truth.js';

/** The data of a balance change that explanations need. Amounts are in minor units. */
export interface ExplainablePosting {
  readonly minor: bigint;
  /** Fees of the operation in the asset of the posting. */
  readonly fees: bigint;
  /** Absolute amount of the other side of the operation; null without one, or if it has more decimal places than this asset. */
  readonly otherSide: bigint | null;
  /** True if the fixtures made the posting: it can be missing only together with all later postings. */
  readonly isGiven: boolean;
}

/** An error in the records of a client, and its effect on the balance. */
export interface BalanceError<P> {
  readonly kind: DifferenceKind;
  readonly explanation: AmountExplanation | null;
  readonly posting: P;
  readonly minor: bigint;
}

/** Errors that together explain the difference of a balance. */
export type BalanceExplanation<P> = readonly BalanceError<P>[];

/** Maximum number of postings that are searched for two errors. */
const maxPairPostings = 2000;

/** A wrong balance, and the postings that may explain it. */
export interface BalanceCase<P extends ExplainablePosting> {
  /** Postings of the account and asset, oldest first. */
  readonly postings: readonly P[];
  /** Movements of operations that have not settled: a client may book them too early. */
  readonly unsettled: readonly P[];
  /** Postings of the asset on other accounts. */
  readonly elsewhere: readonly P[];
  /** Postings that the client cannot know yet. */
  readonly unknown: readonly P[];
  /** The claimed balance minus the true one. */
  readonly gap: bigint;
}

/**
 * Returns the explanations of a gap, the simplest first: the records stopped at an earlier time, one error, two errors.
 * @param most maximum number of explanations
 */
export function* explainGap<P extends ExplainablePosting>(
  { postings, unsettled, elsewhere, unknown, gap }: BalanceCase<P>,
  most: number,
): Interruptible<BalanceExplanation<P>[]> {
  const unknownSum = sumOf(unknown);
  if (unknown.length > 0 && gap === -unknownSum) return [unknown.map(absent)];
  const found: BalanceExplanation<P>[] = [];
  // Postings that the client cannot know yet may explain a part of the gap; the rest then needs another explanation.
  const bases =
    unknown.length === 0
      ? [{ rest: gap, known: [] }]
      : [
          { rest: gap, known: [] },
          { rest: gap + unknownSum, known: unknown },
        ];
  for (const { rest, known } of bases) {
    const isKnown = new Set<P>(known);
    const left = known.length === 0 ? postings : postings.filter((each) => !isKnown.has(each));
    const more = (explanation: BalanceExplanation<P>) => {
      if (found.length < most) found.push([...known.map(absent), ...explanation]);
    };
    const stopped = yield* stoppedAt(left, rest);
    if (stopped) more(stopped);
    for (const each of yield* singles(left, unsettled, elsewhere, rest)) more([each]);
    if (found.length === 0) for (const each of yield* pairs(left, unsettled, rest, most)) more(each);
    if (found.length > 0) break;
  }
  return found;
}

const sumOf = (postings: readonly ExplainablePosting[]) => postings.reduce((sum, { minor }) => sum + minor, 0n);

const absent = <P extends ExplainablePosting>(posting: P): BalanceError<P> => ({
  kind: 'NOT_BOOKED',
  explanation: null,
  posting,
  minor: -posting.minor,
});

/** Returns the last postings as missing, if together they explain the gap; otherwise undefined. */
function* stoppedAt<P extends ExplainablePosting>(postings: readonly P[], gap: bigint): Interruptible<BalanceExplanation<P> | undefined> {
  let sum = 0n;
  for (let at = postings.length - 1; at >= 0; at -= 1) {
    sum += postings[at]!.minor;
    if (sum === -gap) return postings.slice(at).map(absent);
    if (at % itemsInStep === 0) yield;
  }
  return undefined;
}

/** Returns the possible errors about one posting. */
function* errorsOf<P extends ExplainablePosting>(posting: P): Generator<BalanceError<P>> {
  const { minor, fees, otherSide, isGiven } = posting;
  if (isGiven) return;
  yield absent(posting);
  yield { kind: 'BOOKED_TWICE', explanation: null, posting, minor };
  const wrong = (explanation: AmountExplanation, difference: bigint): BalanceError<P> => ({
    kind: 'WRONG_AMOUNT',
    explanation,
    posting,
    minor: difference,
  });
  yield wrong('SIGN', -2n * minor);
  if (fees !== 0n) yield wrong('FEE', fees);
  const sign = minor < 0n ? -1n : 1n;
  if (otherSide !== null && otherSide !== sign * minor) yield wrong('OTHER_SIDE', sign * otherSide - minor);
  yield wrong('SCALE', 99n * minor);
  if (minor % 100n === 0n) yield wrong('SCALE', minor / 100n - minor);
}

/** Returns the single errors that explain a gap, the likelier kinds first. */
function* singles<P extends ExplainablePosting>(
  postings: readonly P[],
  unsettled: readonly P[],
  elsewhere: readonly P[],
  gap: bigint,
): Interruptible<BalanceError<P>[]> {
  const found: BalanceError<P>[] = [];
  let count = 0;
  for (const posting of postings.toReversed()) {
    for (const each of errorsOf(posting)) if (each.minor === gap && each.minor !== 0n) found.push(each);
    if ((count += 1) % itemsInStep === 0) yield;
  }
  const rank = ({ kind, explanation }: BalanceError<P>) => ranks.indexOf(explanation ?? kind);
  found.sort((a, b) => rank(a) - rank(b));
  for (const [others, kind] of [
    [unsettled, 'WRONG_STATUS'],
    [elsewhere, 'WRONG_ACCOUNT'],
  ] as const) {
    for (const posting of others) {
      if (posting.minor === gap && !posting.isGiven) found.push({ kind, explanation: null, posting, minor: gap });
      if ((count += 1) % itemsInStep === 0) yield;
    }
  }
  return found;
}

const ranks: readonly string[] = ['NOT_BOOKED', 'BOOKED_TWICE', 'SIGN', 'FEE', 'OTHER_SIDE', 'SCALE'];

/** Returns pairs of errors about two postings that explain a gap, in linear time. */
function* pairs<P extends ExplainablePosting>(
  postings: readonly P[],
  unsettled: readonly P[],
  gap: bigint,
  most: number,
): Interruptible<BalanceExplanation<P>[]> {
  const found: BalanceExplanation<P>[] = [];
  /** The first two errors about different postings, by their effect on the balance. */
  const byMinor = new Map<bigint, BalanceError<P>[]>();
  let count = 0;
  const early = unsettled
    .slice(-maxPairPostings)
    .map((posting): BalanceError<P>[] => [{ kind: 'WRONG_STATUS', explanation: null, posting, minor: posting.minor }]);
  for (const errors of [...postings.slice(-maxPairPostings).map((each) => [...errorsOf(each)]), ...early]) {
    for (const each of errors) {
      const other = byMinor.get(gap - each.minor)?.find(({ posting }) => posting !== each.posting);
      if (other) found.push([other, each]);
    }
    for (const each of errors) {
      const alike = byMinor.get(each.minor);
      if (!alike) byMinor.set(each.minor, [each]);
      else if (alike.length < 2 && alike[0]!.posting !== each.posting) alike.push(each);
    }
    if ((count += 1) % itemsInStep === 0) yield;
  }
  const rank = (pair: BalanceExplanation<P>) => pair.reduce((sum, { kind, explanation }) => sum + ranks.indexOf(explanation ?? kind), 0);
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, most);
}
