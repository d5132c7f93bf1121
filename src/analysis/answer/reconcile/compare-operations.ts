import type { OperationRow } from '../../../contract/control/analysis/reconcile.js';
import { uuidOf } from '../../../contract/shared/common.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import { isFinal } from '../../../domain/machine.js';
import { operationTransitions, type OperationRecord, type OperationStatus } from '../../../domain/operations/operation.js';
import { Decimal } from '../../../domain/money.js';
import { explainAmount, explanationText, feesOf, isEqual, type LooseAmount } from './amounts.js';
import type { Comparison } from './comparison.js';
import { timeOf } from './knowledge.js';
import { matchByLikeness, type KeylessRow } from './likeness.js';
import type { Match } from './match.js';
import { decimalText, isFromFixtures, itemsInStep, minorOf } from './truth.js';

/** An operation that existed at the time of the comparison. */
interface Candidate {
  readonly operation: OperationRecord;
  readonly at: string;
}

/** Compares rows with the operations of a world. @returns the number of rows without a difference */
export function* compareOperations(comparison: Comparison, rows: readonly OperationRow[]): Interruptible<number> {
  const work = new OperationComparison(comparison);
  let count = 0;
  for (const [index, row] of rows.entries()) {
    work.compare(row, row.ref ?? `operations[${index}]`);
    if ((count += 1) % itemsInStep === 0) yield;
  }
  yield* work.compareKeyless();
  if (comparison.records.complete?.includes('operations')) yield* work.findMissing();
  return work.matched;
}

class OperationComparison {
  readonly #comparison: Comparison;
  /** Number of rows without a difference. */
  matched = 0;
  readonly #booked = new Set<OperationRecord>();
  /** The operation of the first row with each purpose. */
  readonly #byPurpose = new Map<string, OperationRecord>();
  readonly #keyless: (KeylessRow<OperationRow> & { readonly ref: string })[] = [];
  /** Operations that may match a row without keys. */
  #possible: ReadonlySet<Candidate> = new Set();

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
  }

  compare(row: OperationRow, ref: string): void {
    const match = this.#comparison.matcher.match(row);
    if (match === null) this.#keyless.push({ row, ref, key: keyOf(row.source, row.target), at: row.at });
    else if (match.operation) this.#compareWith(row, ref, match.operation, match.by);
    else this.#addUnknown(row, ref, match);
  }

  /** Compares the rows without keys with the operations that no other row names. */
  *compareKeyless(): Interruptible<void> {
    if (this.#keyless.length === 0) return;
    const facts = new Map<string, Candidate[]>();
    let count = 0;
    for (const operation of this.#comparison.truth.operations.values()) {
      if ((count += 1) % itemsInStep === 0) yield;
      if (this.#booked.has(operation) || operation.createdAt > this.#comparison.truth.asOf) continue;
      const { sourceAmount, targetAmount, createdAt } = operation;
      const candidate = { operation, at: createdAt };
      for (const key of [keyOf(sourceAmount, targetAmount), keyOf(sourceAmount, undefined), keyOf(undefined, targetAmount)]) {
        const alike = facts.get(key);
        if (alike) alike.push(candidate);
        else facts.set(key, [candidate]);
      }
    }
    const { matched, ambiguous, possible } = yield* matchByLikeness(this.#keyless, facts);
    this.#possible = possible;
    for (const { row, ref } of this.#keyless) {
      const found = matched.get(row);
      if (found) this.#compareWith(row, ref, found.operation, 'LIKENESS');
      else this.#addUnlike(row, ref, ambiguous.has(row));
      if ((count += 1) % itemsInStep === 0) yield;
    }
  }

  /** Adds the operations that the records lack. */
  *findMissing(): Interruptible<void> {
    const { truth, knowledge, list } = this.#comparison;
    const possible = new Set(Array.from(this.#possible, ({ operation }) => operation));
    let count = 0;
    for (const operation of truth.operations.values()) {
      if ((count += 1) % itemsInStep === 0) yield;
      const { id, createdAt: at, seq, sourceAmount } = operation;
      if (this.#booked.has(operation) || at > truth.asOf || isFromFixtures(operation)) continue;
      const state = truth.stateOf(operation)!;
      list.add({
        section: 'operations',
        kind: 'NOT_BOOKED',
        known: knowledge.of({ operation, at, status: null }, { isLacking: true }),
        at,
        ref: null,
        operation: id,
        expected: state.status,
        found: null,
        money: money(sourceAmount),
        what: `operation ${id} of ${timeOf(at)} is missing in your records; it is ${state.status} (${amountText(sourceAmount)}).`,
        causes: [operation.states[0]!.causeId],
        matchedBy: possible.has(operation) ? 'LIKENESS' : null,
        order: seq,
      });
    }
  }

  #compareWith(row: OperationRow, ref: string, operation: OperationRecord, matchedBy: Match['by']): void {
    if (this.#booked.has(operation)) return this.#addTwice(ref, operation, matchedBy);
    this.#booked.add(operation);
    const state = this.#comparison.truth.stateOf(operation);
    // The operation did not exist at `asOf`: the records are newer, so there is nothing to compare.
    if (!state) return;
    const wrong = [
      this.#comparePurpose(row, ref, operation, matchedBy),
      this.#compareStatus(row, ref, operation, matchedBy),
      this.#compareAccount(row, ref, operation, matchedBy),
      this.#compareAmount('source', row, ref, operation, matchedBy),
      this.#compareAmount('target', row, ref, operation, matchedBy),
    ];
    if (!wrong.includes(true)) this.matched += 1;
  }

  #compareStatus({ status }: OperationRow, ref: string, operation: OperationRecord, matchedBy: Match['by']): boolean {
    if (status === undefined) return false;
    const { truth, knowledge, list, records } = this.#comparison;
    const state = truth.stateOf(operation)!;
    const meant = records.statuses?.[status] ?? [status as OperationStatus];
    if (meant.includes(state.status)) return false;
    const { id, sourceAmount, seq, states } = operation;
    const isOtherOutcome = meant.length > 0 && meant.every((each) => isFinal(operationTransitions, each));
    list.add({
      section: 'operations',
      kind: 'WRONG_STATUS',
      known: knowledge.of({ operation, at: state.createdAt, status: state.status }, { isOtherOutcome }),
      at: state.createdAt,
      ref,
      operation: id,
      expected: state.status,
      found: status,
      money: money(sourceAmount),
      what: `operation ${id} has been ${state.status} since ${timeOf(state.createdAt)}, your records say "${status}" (${amountText(sourceAmount)}).`,
      causes: [state.causeId, states[0]!.causeId],
      matchedBy,
      order: seq,
    });
    return true;
  }

  /** Adds a difference if an earlier row with the same purpose has another operation. An operation that failed paid nothing. */
  #comparePurpose({ purpose }: OperationRow, ref: string, operation: OperationRecord, matchedBy: Match['by']): boolean {
    if (purpose === undefined || this.#comparison.truth.stateOf(operation)!.status === 'FAILED') return false;
    const known = this.#byPurpose.get(purpose);
    if (!known) {
      this.#byPurpose.set(purpose, operation);
      return false;
    }
    const [first, second] = known.seq < operation.seq ? [known, operation] : [operation, known];
    const { id, createdAt: at, seq, states, sourceAmount } = second;
    this.#comparison.list.add({
      section: 'operations',
      kind: 'PAID_TWICE',
      known: this.#comparison.knowledge.ofPaidTwice(second, at),
      at,
      ref,
      operation: id,
      expected: '1',
      found: '2 or more',
      money: money(sourceAmount),
      what: `operations ${first.id} and ${id} have the purpose "${purpose}": one payment was made twice (${amountText(sourceAmount)}).`,
      causes: [states[0]!.causeId],
      matchedBy,
      order: seq,
    });
    return true;
  }

  #compareAccount({ account }: OperationRow, ref: string, operation: OperationRecord, matchedBy: Match['by']): boolean {
    const { id, account: truth, sourceAmount, createdAt: at, seq, states } = operation;
    if (account === undefined || uuidOf(account) === truth.id) return false;
    const { knowledge, list } = this.#comparison;
    list.add({
      section: 'operations',
      kind: 'WRONG_ACCOUNT',
      known: knowledge.of({ operation, at, status: null }),
      at,
      ref,
      operation: id,
      expected: truth.id,
      found: account,
      money: money(sourceAmount),
      what: `operation ${id} belongs to account ${truth.id}, your records say ${account} (${amountText(sourceAmount)}).`,
      causes: [states[0]!.causeId],
      matchedBy,
      order: seq,
    });
    return true;
  }

  #compareAmount(side: 'source' | 'target', row: OperationRow, ref: string, operation: OperationRecord, matchedBy: Match['by']): boolean {
    const claimed = row[side];
    const { knowledge, list, records } = this.#comparison;
    const { id, sourceAmount, targetAmount, createdAt: at, seq, states } = operation;
    const [truth, other] = side === 'source' ? [sourceAmount, targetAmount] : [targetAmount, sourceAmount];
    if (claimed === undefined || isEqual(claimed, truth, records.tolerance ?? {})) return false;
    const explanation = explainAmount(claimed, truth, other, feesOf(operation, truth.asset));
    const isSameAsset = claimed.asset === truth.asset;
    list.add({
      section: 'operations',
      kind: 'WRONG_AMOUNT',
      explanation,
      known: knowledge.of({ operation, at, status: null }),
      at,
      ref,
      operation: id,
      expected: amountText(truth),
      found: amountText(claimed),
      money: isSameAsset
        ? { value: decimalText(new Decimal(claimed.value).minus(truth.value).abs(), truth.asset), asset: truth.asset }
        : money(truth),
      what: `the ${side} amount of operation ${id} is ${amountText(truth)}, your records say ${amountText(claimed)}${explanationText(explanation, claimed, truth)}.`,
      causes: [states[0]!.causeId],
      matchedBy,
      order: seq,
    });
    return true;
  }

  #addTwice(ref: string, operation: OperationRecord, matchedBy: Match['by']): void {
    const { knowledge, list } = this.#comparison;
    const { id, createdAt: at, seq, sourceAmount, states } = operation;
    list.add({
      section: 'operations',
      kind: 'BOOKED_TWICE',
      known: knowledge.of({ operation, at, status: null }, { isTwice: true }),
      at,
      ref,
      operation: id,
      expected: '1',
      found: '2 or more',
      money: money(sourceAmount),
      what: `operation ${id} is in your records more than once, here as ${ref} (${amountText(sourceAmount)}).`,
      causes: [states[0]!.causeId],
      matchedBy,
      order: seq,
    });
  }

  #addUnknown(row: OperationRow, ref: string, { by, key }: Match): void {
    if (this.#isMeantToBeMissing(row)) return;
    const { knowledge, list } = this.#comparison;
    const known = by === 'IDEMPOTENCY_KEY' ? knowledge.rejectionOf(uuidOf(key) ?? '') : knowledge.none;
    const why = known.evidence === null ? '' : ` The request with this key was rejected.`;
    list.add({
      ...unknownFields(row, ref),
      known,
      what: `${ref} names an operation by ${by.toLowerCase().replaceAll('_', ' ')} ${key}, which does not exist in this world.${why}`,
      matchedBy: null,
    });
  }

  #addUnlike(row: OperationRow, ref: string, isAmbiguous: boolean): void {
    if (this.#isMeantToBeMissing(row)) return;
    const why = isAmbiguous ? 'several operations have its amounts' : 'no unmatched operation has its amounts';
    this.#comparison.list.add({
      ...unknownFields(row, ref),
      known: this.#comparison.knowledge.none,
      what: `${ref} has no id of an operation, and ${why}.`,
      matchedBy: isAmbiguous ? 'LIKENESS' : null,
    });
  }

  /** True if the status of a row means that the row has no operation. Such a row counts as matched. */
  #isMeantToBeMissing({ status }: OperationRow): boolean {
    const isMeant = status !== undefined && this.#comparison.records.statuses?.[status]?.length === 0;
    if (isMeant) this.matched += 1;
    return isMeant;
  }
}

function unknownFields({ source, target, status }: OperationRow, ref: string) {
  const amount = source ?? target;
  return {
    section: 'operations',
    kind: 'UNKNOWN_OPERATION',
    at: null,
    ref,
    operation: null,
    expected: null,
    found: status ?? null,
    money: amount ? { value: amount.value, asset: amount.asset } : null,
    causes: [],
    order: 0,
  } as const;
}

const money = ({ value, asset }: LooseAmount) => ({ value, asset });
const amountText = ({ value, asset }: LooseAmount) => `${value} ${asset}`;

/** Returns both amounts of a row or an operation as one string. */
function keyOf(source: LooseAmount | undefined, target: LooseAmount | undefined): string {
  const text = (amount: LooseAmount | undefined) =>
    amount === undefined ? '' : `${minorOf(amount.value, amount.asset) ?? amount.value} ${amount.asset}`;
  return `${text(source)} to ${text(target)}`;
}
