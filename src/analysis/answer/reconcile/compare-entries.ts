import type { EntryRow } from '../../../contract/control/analysis/reconcile.js';
import { uuidOf } from '../../../contract/shared/common.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import { amountOfMinor, Decimal } from '../../../domain/money.js';
import { movementsOf } from '../../../domain/operations/movement.js';
import type { OperationRecord } from '../../../domain/operations/operation.js';
import { explainAmount, explanationText, feesOf, isEqual } from './amounts.js';
import type { Comparison } from './comparison.js';
import type { NewDifference } from './difference-list.js';
import { timeOf, type Fact } from './knowledge.js';
import { matchByLikeness, type KeylessRow } from './likeness.js';
import type { Match } from './match.js';
import { decimalText, isPostedByFixtures, itemsInStep, minorOf, postingId, type TruePosting } from './truth.js';

/** Compares rows with the postings of a world. @returns the number of rows without a difference */
export function* compareEntries(comparison: Comparison, rows: readonly EntryRow[]): Interruptible<number> {
  const work = new EntryComparison(comparison);
  yield* work.index();
  let count = 0;
  const pause = () => (count += 1) % itemsInStep === 0;
  const named: Named[] = [];
  for (const [index, row] of rows.entries()) {
    const found = work.name(row, row.ref ?? `entries[${index}]`);
    if (found) named.push(found);
    if (pause()) yield;
  }
  // Equal rows first: a wrong row must not take the posting of a right one.
  const rest: Named[] = [];
  for (const each of named) {
    if (!work.takeEqual(each)) rest.push(each);
    if (pause()) yield;
  }
  for (const each of rest) {
    work.compare(each);
    if (pause()) yield;
  }
  yield* work.compareKeyless();
  if (comparison.records.complete?.includes('entries')) yield* work.findMissing();
  return work.matched;
}

/** A row, and the operation or ledger entry that its key names. */
interface Named {
  readonly row: EntryRow;
  readonly ref: string;
  readonly by: Match['by'];
  readonly key: string;
  readonly id: string | null;
  readonly operation: OperationRecord | undefined;
}

/** Returns the fact that the client should know about a posting: the completion of its operation. */
export const factOf = ({ operation, at }: TruePosting): Fact => ({ operation, at, status: operation && 'COMPLETED' });

/** Returns the ids of the causes of a posting, the nearest first. */
export const causesOf = ({ causeId, operation }: TruePosting): string[] =>
  operation ? [causeId, operation.states[0]!.causeId] : [causeId];

export const amountOfPosting = ({ minor, asset }: TruePosting) => amountOfMinor(minor, asset);

/** Returns the amount of the other side of the operation of a posting; null without one. */
export function otherSideOf({ operation, account, asset, minor }: TruePosting) {
  if (!operation) return null;
  const { sourceAmount, targetAmount } = operation;
  const isOutflow = minor < 0n && operation.account.id === account && asset === sourceAmount.asset;
  return isOutflow ? targetAmount : sourceAmount;
}

class EntryComparison {
  readonly #comparison: Comparison;
  matched = 0;
  readonly #byId = new Map<string, TruePosting[]>();
  readonly #taken = new Set<TruePosting>();
  readonly #keyless: (KeylessRow<EntryRow> & { readonly ref: string })[] = [];
  #possible: ReadonlySet<TruePosting> = new Set();

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
  }

  *index(): Interruptible<void> {
    let count = 0;
    for (const posting of this.#comparison.truth.postings) {
      const id = postingId(posting);
      const all = this.#byId.get(id);
      if (all) all.push(posting);
      else this.#byId.set(id, [posting]);
      if ((count += 1) % itemsInStep === 0) yield;
    }
  }

  /** Returns a row with the operation or entry that it names; null for a row without keys. */
  name(row: EntryRow, ref: string): Named | null {
    const { truth, matcher } = this.#comparison;
    const { operation: named, ...keys } = row;
    if (named !== undefined) {
      const id = uuidOf(named) ?? named;
      const operation = truth.operations.get(id);
      const isKnown = operation !== undefined || this.#byId.has(id) || truth.laterIds.has(id);
      return { row, ref, by: 'ID', key: named, id: isKnown ? id : null, operation };
    }
    const match = matcher.match(keys);
    if (match) return { row, ref, by: match.by, key: match.key, id: match.operation?.id ?? null, operation: match.operation };
    this.#keyless.push({ row, ref, key: keyOf(row.asset, minorOf(row.value, row.asset) ?? row.value), at: row.at });
    return null;
  }

  /** Assigns the free posting that equals a row to this row. @returns false without one */
  takeEqual({ row, id }: Named): boolean {
    const posting = this.#freeOf(id).find((each) => isAt(each, row) && this.#isSameAmount(row, each));
    if (!posting) return false;
    this.#taken.add(posting);
    this.matched += 1;
    return true;
  }

  compare(named: Named): void {
    const { row, ref, by, key, id, operation } = named;
    if (id === null)
      return this.#addUnknown(
        row,
        ref,
        `names an operation by ${by.toLowerCase().replaceAll('_', ' ')} ${key}, which does not exist in this world`,
        null,
      );
    const all = this.#byId.get(id) ?? [];
    if (all.length === 0) return this.#comparison.truth.laterIds.has(id) ? undefined : this.#addTooEarly(row, ref, operation!, by);
    const free = this.#freeOf(id);
    const posting =
      free.find((each) => isAt(each, row)) ??
      free.find((each) => this.#isSameAmount(row, each)) ??
      free.find(({ asset, account }) => asset === row.asset || account === uuidOf(row.account)) ??
      free[0];
    const twice = all.find((each) => isAt(each, row) && this.#taken.has(each));
    // A row that repeats an already booked side is a duplicate, even if the posting of the other side is still free.
    if (posting && (isAt(posting, row) || !twice)) this.#addWrong(row, ref, posting, by);
    else this.#addTwice(ref, twice ?? all[0]!, by);
  }

  *compareKeyless(): Interruptible<void> {
    if (this.#keyless.length === 0) return;
    const facts = new Map<string, TruePosting[]>();
    let count = 0;
    for (const posting of this.#comparison.truth.postings) {
      if ((count += 1) % itemsInStep === 0) yield;
      if (this.#taken.has(posting)) continue;
      const key = keyOf(posting.asset, posting.minor);
      const alike = facts.get(key);
      if (alike) alike.push(posting);
      else facts.set(key, [posting]);
    }
    const { matched, ambiguous, possible } = yield* matchByLikeness(this.#keyless, facts);
    this.#possible = possible;
    for (const { row, ref } of this.#keyless) {
      if ((count += 1) % itemsInStep === 0) yield;
      const found = matched.get(row);
      if (found && isAt(found, row)) {
        this.#taken.add(found);
        this.matched += 1;
      } else if (found) this.#addWrong(row, ref, found, 'LIKENESS');
      else if (ambiguous.has(row)) this.#addUnknown(row, ref, 'has no id, and several postings have its amount', 'LIKENESS');
      else this.#addUnknown(row, ref, 'has no id, and no unmatched posting has its amount', null);
    }
  }

  /** Adds the postings that the records lack. */
  *findMissing(): Interruptible<void> {
    const { truth, knowledge, list } = this.#comparison;
    let count = 0;
    for (const posting of truth.postings) {
      if ((count += 1) % itemsInStep === 0) yield;
      if (this.#taken.has(posting) || isPostedByFixtures(posting)) continue;
      const amount = amountOfPosting(posting);
      list.add({
        ...placeOf(posting),
        kind: 'NOT_BOOKED',
        known: knowledge.of(factOf(posting), { isLacking: true }),
        ref: null,
        expected: amount.value,
        found: null,
        money: absolute(posting),
        what: `${nameOf(posting)} moved ${amount.value} ${amount.asset} on account ${posting.account} at ${timeOf(posting.at)}; your entries lack it.`,
        matchedBy: this.#possible.has(posting) ? 'LIKENESS' : null,
      });
    }
  }

  #freeOf(id: string | null): TruePosting[] {
    return (this.#byId.get(id ?? '') ?? []).filter((each) => !this.#taken.has(each));
  }

  #isSameAmount({ value, asset }: EntryRow, posting: TruePosting): boolean {
    return isEqual({ value, asset }, amountOfPosting(posting), this.#comparison.records.tolerance ?? {});
  }

  /** Adds the differences in the account and in the amount. */
  #addWrong(row: EntryRow, ref: string, posting: TruePosting, matchedBy: Match['by']): void {
    const { knowledge, list } = this.#comparison;
    this.#taken.add(posting);
    const truth = amountOfPosting(posting);
    const facts = { ...placeOf(posting), known: knowledge.of(factOf(posting)), ref, matchedBy };
    if (uuidOf(row.account) !== posting.account) {
      list.add({
        ...facts,
        kind: 'WRONG_ACCOUNT',
        expected: posting.account,
        found: row.account,
        money: absolute(posting),
        what: `${nameOf(posting)} moved ${truth.value} ${truth.asset} on account ${posting.account}, your records say account ${row.account}.`,
      });
    }
    if (this.#isSameAmount(row, posting)) return;
    const { value, asset } = row;
    const { operation } = posting;
    const fees = operation ? feesOf(operation, truth.asset) : new Decimal(0);
    const gap = new Decimal(value).minus(truth.value).abs();
    const explanation = explainAmount({ value, asset }, truth, otherSideOf(posting), fees);
    list.add({
      ...facts,
      kind: 'WRONG_AMOUNT',
      explanation,
      expected: `${truth.value} ${truth.asset}`,
      found: `${value} ${asset}`,
      money: asset === truth.asset ? { value: decimalText(gap, asset), asset } : absolute(posting),
      what: `${nameOf(posting)} moved ${truth.value} ${truth.asset} at ${timeOf(posting.at)}, your records say ${value} ${asset}${explanationText(explanation, { value, asset }, truth)}.`,
    });
  }

  #addTwice(ref: string, posting: TruePosting, matchedBy: Match['by']): void {
    const { knowledge, list } = this.#comparison;
    const { value, asset } = amountOfPosting(posting);
    list.add({
      ...placeOf(posting),
      kind: 'BOOKED_TWICE',
      known: knowledge.of(factOf(posting), { isTwice: true }),
      ref,
      expected: '1',
      found: '2 or more',
      money: absolute(posting),
      what: `${nameOf(posting)} is in your entries more than once, here as ${ref} (${value} ${asset}).`,
      matchedBy,
    });
  }

  /** Adds a difference for an entry whose operation has moved no money. */
  #addTooEarly({ account, value, asset }: EntryRow, ref: string, operation: OperationRecord, matchedBy: Match['by']): void {
    const { truth, knowledge, list } = this.#comparison;
    const state = truth.stateOf(operation);
    if (!state) return;
    const { id, seq, states } = operation;
    const movement = movementsOf(operation).find(({ amount }) => amount.asset === asset);
    list.add({
      section: 'entries',
      kind: 'WRONG_STATUS',
      known: knowledge.of({ operation, at: state.createdAt, status: state.status }, { isOtherOutcome: true }),
      at: state.createdAt,
      ref,
      operation: id,
      account,
      expected: state.status,
      found: 'booked',
      money: { value: movement?.amount.value ?? new Decimal(value).abs().toFixed(), asset },
      what: `operation ${id} has been ${state.status} since ${timeOf(state.createdAt)} and has moved no money, your entries have ${value} ${asset}.`,
      causes: [state.causeId, states[0]!.causeId],
      matchedBy,
      order: seq,
    });
  }

  #addUnknown({ account, value, asset }: EntryRow, ref: string, why: string, matchedBy: Match['by'] | null): void {
    this.#comparison.list.add({
      section: 'entries',
      kind: 'UNKNOWN_OPERATION',
      known: this.#comparison.knowledge.none,
      at: null,
      ref,
      operation: null,
      account,
      expected: null,
      found: `${value} ${asset}`,
      money: { value: new Decimal(value).abs().toFixed(), asset },
      what: `${ref} ${why}.`,
      causes: [],
      matchedBy,
      order: 0,
    });
  }
}

const keyOf = (asset: string, minor: bigint | string) => `${minor} ${asset}`;

const isAt = ({ account, asset }: TruePosting, row: EntryRow) => account === uuidOf(row.account) && asset === row.asset;

const nameOf = ({ operation, entryId }: TruePosting) => (operation ? `operation ${operation.id}` : `ledger entry ${entryId}`);

const placeOf = (posting: TruePosting): Pick<NewDifference, 'section' | 'at' | 'operation' | 'causes' | 'order'> & { account: string } => ({
  section: 'entries',
  at: posting.at,
  operation: postingId(posting),
  account: posting.account,
  causes: causesOf(posting),
  order: posting.seq,
});

function absolute({ minor, asset }: TruePosting) {
  return { value: amountOfMinor(minor < 0n ? -minor : minor, asset).value, asset };
}
