import { maxExplanations, type BalanceResult, type BalanceRow, type Money } from '../../../contract/control/analysis/reconcile.js';
import { uuidOf, type AssetCode } from '../../../contract/shared/common.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import { amountOfMinor, Decimal, minorUnits } from '../../../domain/money.js';
import { movementsOf } from '../../../domain/operations/movement.js';
import { feesOf } from './amounts.js';
import { causesOf, factOf, otherSideOf } from './compare-entries.js';
import type { Comparison } from './comparison.js';
import { explainGap, type BalanceError, type BalanceExplanation, type ExplainablePosting } from './explain-balance.js';
import { timeOf, type SuspectedReason } from './knowledge.js';
import { decimalOf, decimalText, isPostedByFixtures, itemsInStep, minorOf, postingId, type TruePosting } from './truth.js';

/** A posting with the data that explanations need. */
interface Explained extends ExplainablePosting {
  readonly posting: TruePosting;
  /** True if the operation of the posting has not settled. */
  readonly isUnsettled: boolean;
}

/** The result of a comparison of balances. */
export interface BalanceComparison {
  readonly matched: number;
  readonly balances: BalanceResult[];
  readonly unexplained: Money[];
}

/** Compares balances with the ledger, and searches for the errors that explain a difference. */
export function* compareBalances(comparison: Comparison, rows: readonly BalanceRow[]): Interruptible<BalanceComparison> {
  const work = new BalanceWork(comparison, new Set(rows.map(({ asset }) => asset)));
  yield* work.index();
  const balances: BalanceResult[] = [];
  for (const [index, row] of rows.entries()) {
    const result = yield* work.compare(row, row.ref ?? `balances[${index}]`);
    if (result) balances.push(result);
    yield;
  }
  const sums = new Map<AssetCode, Decimal>();
  for (const { asset, unexplained } of balances) sums.set(asset, (sums.get(asset) ?? new Decimal(0)).plus(unexplained));
  const unexplained = [...sums].filter(([, sum]) => !sum.isZero()).map(([asset, sum]) => ({ asset, value: decimalText(sum, asset) }));
  return { matched: rows.length - balances.length, balances, unexplained };
}

/** Maximum number of searches among the postings of other accounts: together they must take linear time. */
const maxWideSearches = 10;

const keyOf = (account: string, asset: AssetCode) => `${account} ${asset}`;

class BalanceWork {
  readonly #comparison: Comparison;
  readonly #assets: ReadonlySet<AssetCode>;
  readonly #postings = new Map<string, Explained[]>();
  readonly #unsettled = new Map<string, Explained[]>();
  readonly #ofAsset = new Map<AssetCode, Explained[]>();
  readonly #unknownIds = new Set<string>();
  #wideSearches = 0;

  constructor(comparison: Comparison, assets: ReadonlySet<AssetCode>) {
    this.#comparison = comparison;
    this.#assets = assets;
  }

  *index(): Interruptible<void> {
    const { truth, knowledge } = this.#comparison;
    let count = 0;
    const pause = () => (count += 1) % itemsInStep === 0;
    for (const posting of truth.postings) {
      if (pause()) yield;
      if (!this.#assets.has(posting.asset)) continue;
      const explained = explainable(posting, false);
      add(this.#postings, keyOf(posting.account, posting.asset), explained);
      add(this.#ofAsset, posting.asset, explained);
    }
    for (const operation of truth.operations.values()) {
      if (pause()) yield;
      const state = truth.stateOf(operation);
      if (!state || state.status === 'COMPLETED') continue;
      for (const { direction, accountId: account, amount } of movementsOf(operation)) {
        if (!this.#assets.has(amount.asset)) continue;
        const minor = direction === 'OUTFLOW' ? -minorUnits(amount.value) : minorUnits(amount.value);
        const { asset } = amount;
        const { createdAt: at, causeId } = state;
        const posting: TruePosting = { seq: operation.seq, at, entryId: operation.id, operation, account, asset, minor, causeId };
        add(this.#unsettled, keyOf(account, asset), explainable(posting, true));
      }
    }
    for (const id of knowledge.waiting()) {
      if (pause()) yield;
      const operation = truth.operations.get(id);
      if (operation && knowledge.isStillUnknown(operation, truth.stateOf(operation)?.createdAt ?? truth.asOf)) this.#unknownIds.add(id);
    }
  }

  /** Returns the result for a balance that differs from the ledger; null if the balance agrees. */
  *compare(row: BalanceRow, ref: string): Interruptible<BalanceResult | null> {
    const { asset } = row;
    const account = uuidOf(row.account) ?? row.account;
    const postings = this.#postings.get(keyOf(account, asset)) ?? [];
    let sum = 0n;
    for (const [index, { minor }] of postings.entries()) {
      sum += minor;
      if (index % itemsInStep === 0) yield;
    }
    const truth = decimalOf(sum, asset);
    const claimed = new Decimal(row.value);
    const gap = claimed.minus(truth);
    if (gap.abs().lte(this.#comparison.records.tolerance?.[asset] ?? 0)) return null;
    const minor = minorOf(row.value, asset);
    const found = minor === null ? [] : yield* this.#explain(account, asset, postings, minor - sum);
    const chosen = found.find((each) => each.every((error) => this.#knownOf(error).suspect !== null)) ?? found[0];
    if (chosen) this.#addErrors(chosen, ref, account);
    else this.#addUnexplained(row, ref, account, truth, postings);
    const zero = new Decimal(0);
    return {
      account,
      asset,
      claimed: decimalText(claimed, asset),
      truth: decimalText(truth, asset),
      explained: decimalText(chosen ? gap : zero, asset),
      unexplained: decimalText(chosen ? zero : gap, asset),
      explanations: (chosen ? [chosen, ...found.filter((each) => each !== chosen)] : []).map((each) => each.map(explanationView)),
    };
  }

  *#explain(
    account: string,
    asset: AssetCode,
    postings: readonly Explained[],
    gap: bigint,
  ): Interruptible<BalanceExplanation<Explained>[]> {
    const isWide = (this.#wideSearches += 1) <= maxWideSearches;
    const elsewhere = isWide ? (this.#ofAsset.get(asset) ?? []).filter((each) => each.posting.account !== account) : [];
    return yield* explainGap(
      {
        postings,
        unsettled: this.#unsettled.get(keyOf(account, asset)) ?? [],
        elsewhere,
        unknown: postings.filter(({ posting }) => posting.operation && this.#unknownIds.has(posting.operation.id)),
        gap,
      },
      maxExplanations,
    );
  }

  #knownOf({ kind, posting: { posting, isUnsettled } }: BalanceError<Explained>): SuspectedReason {
    const { knowledge, truth } = this.#comparison;
    const status = isUnsettled ? truth.stateOf(posting.operation!)!.status : factOf(posting).status;
    const circumstances = { isTwice: kind === 'BOOKED_TWICE', isLacking: kind === 'NOT_BOOKED', isOtherOutcome: kind === 'WRONG_STATUS' };
    return knowledge.of({ ...factOf(posting), status }, circumstances);
  }

  /** Adds the errors as differences. Of more than two missing postings, adds only the first: the records stop there. */
  #addErrors(errors: BalanceExplanation<Explained>, ref: string, account: string): void {
    const known = new Map(errors.map((each) => [each, this.#knownOf(each)]));
    const isSuffix = errors.length > 2 && errors.every(({ kind }) => kind === 'NOT_BOOKED');
    const deciding = errors.filter((each) => known.get(each)!.suspect !== 'NOT_YET_NOTIFIED');
    const shown = isSuffix && deciding.length > 0 ? deciding.slice(0, 1) : errors;
    for (const error of shown) this.#addError(error, known.get(error)!, ref, account, isSuffix ? errors.length - 1 : 0);
  }

  #addError(error: BalanceError<Explained>, known: SuspectedReason, ref: string, account: string, further: number): void {
    const { kind, explanation, minor } = error;
    const { posting, isUnsettled } = error.posting;
    const { list } = this.#comparison;
    const id = postingId(posting);
    if (list.isShownByEntries(kind, id, account)) return;
    const amount = amountOfMinor(minor < 0n ? -minor : minor, posting.asset);
    const moved = amountOfMinor(posting.minor, posting.asset);
    list.add({
      section: 'balances',
      kind,
      explanation,
      known,
      at: posting.at,
      ref,
      operation: id,
      account,
      expected: isUnsettled ? this.#comparison.truth.stateOf(posting.operation!)!.status : moved.value,
      found: null,
      money: { value: amount.value, asset: amount.asset },
      what: `the balance of account ${account} fits if ${wordsOf(error)}, ${moved.value} ${moved.asset} at ${timeOf(posting.at)}${
        further > 0 ? `, and ${further} later postings are missing: your records stop before that time` : ''
      }.`,
      causes: causesOf(posting),
      matchedBy: null,
      order: posting.seq,
    });
  }

  #addUnexplained({ value, asset }: BalanceRow, ref: string, account: string, truth: Decimal, postings: readonly Explained[]): void {
    const gap = new Decimal(value).minus(truth);
    const last = postings.at(-1)?.posting;
    this.#comparison.list.add({
      section: 'balances',
      kind: 'BALANCE',
      explanation: gap.abs().lte('0.01') ? 'ROUNDING' : null,
      known: this.#comparison.knowledge.none,
      at: last?.at ?? null,
      ref,
      operation: null,
      account,
      expected: decimalText(truth, asset),
      found: value,
      money: { value: decimalText(gap.abs(), asset), asset },
      what: `the balance of account ${account} is ${decimalText(truth, asset)} ${asset}, your records say ${value} ${asset}; no single or double error explains the difference.`,
      causes: [],
      matchedBy: null,
      order: last?.seq ?? 0,
    });
  }
}

function add<K>(map: Map<K, Explained[]>, key: K, posting: Explained): void {
  const all = map.get(key);
  if (all) all.push(posting);
  else map.set(key, [posting]);
}

function explainable(posting: TruePosting, isUnsettled: boolean): Explained {
  const { operation, asset, minor } = posting;
  const otherSide = isUnsettled ? null : otherSideOf(posting);
  return {
    posting,
    isUnsettled,
    minor,
    fees: operation ? (minorOf(feesOf(operation, asset).toFixed(), asset) ?? 0n) : 0n,
    otherSide: otherSide && minorOf(otherSide.value, asset),
    isGiven: isPostedByFixtures(posting),
  };
}

const explanationView = ({ kind, explanation, minor, posting: { posting } }: BalanceError<Explained>) => ({
  kind,
  explanation,
  operation: postingId(posting),
  value: amountOfMinor(minor, posting.asset).value,
});

/** Describes an error in the records of the client. */
function wordsOf({ kind, explanation, posting: { posting } }: BalanceError<Explained>): string {
  const name = posting.operation ? `operation ${posting.operation.id}` : `ledger entry ${posting.entryId}`;
  switch (kind) {
    case 'NOT_BOOKED':
      return `your records lack ${name}`;
    case 'BOOKED_TWICE':
      return `your records have ${name} twice`;
    case 'WRONG_STATUS':
      return `your records have booked ${name}, which has moved no money`;
    case 'WRONG_ACCOUNT':
      return `your records have booked ${name} on this account instead of ${posting.account}`;
    default:
      return `your records have ${name} ${amountWords[explanation ?? 'SCALE']}`;
  }
}

const amountWords = {
  SIGN: 'with the opposite sign',
  FEE: 'without its fee',
  OTHER_SIDE: 'with the amount of its other side',
  SCALE: 'with its decimal point moved by two places',
  ROUNDING: 'rounded',
} as const;
