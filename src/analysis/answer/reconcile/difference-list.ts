import {
  maxDifferences,
  type AmountExplanation,
  type Difference,
  type DifferenceKind,
  type Reconciliation,
  type Suspect,
} from '../../../contract/control/analysis/reconcile.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import { knownFields, type SuspectedReason } from './knowledge.js';
import { itemsInStep } from './truth.js';

/** A difference before its causes are looked up. */
export interface NewDifference extends Omit<
  Difference,
  'suspect' | 'finding' | 'evidence' | 'because' | 'advice' | 'explanation' | 'account'
> {
  readonly explanation?: Difference['explanation'];
  readonly account?: string;
  readonly known: SuspectedReason;
  /** Ids of the requests, rules and jobs that caused the change in the world, the direct cause first. */
  readonly causes: readonly string[];
  /** Position among the differences of the same world time. */
  readonly order: number;
}

const adviceOf: Readonly<Record<Suspect, string>> = {
  PAID_TWICE: 'Book both payments, and fix the client so that it retries with the same idempotency key. The finding shows both requests.',
  DUPLICATE_APPLIED:
    'Store X-Message-Id of each webhook in the same transaction as its effect, and ignore a message that is already stored.',
  ACKNOWLEDGED_NOT_APPLIED:
    'Respond with 2xx only after the effect of the webhook is stored. Look for the error in the log of your endpoint at this time.',
  READ_NOT_APPLIED: 'Your client received this response. Check that it stores the status and the amounts of each response.',
  BOOKED_BEFORE_OUTCOME: 'Book a payment as paid only after OPERATION_COMPLETED, and reverse it after OPERATION_FAILED.',
  MISSED_AND_NOT_READ:
    'No webhook was sent, because no subscription receives it. Subscribe, or regularly read each operation whose status is not final.',
  NOT_YET_NOTIFIED: 'Nothing is wrong so far. Deliver the pending webhooks, then reconcile again.',
};

const adviceOfKind: Readonly<Record<DifferenceKind, string>> = {
  NOT_BOOKED: 'Read the operation with GET /api/operations/{id} and book it.',
  PAID_TWICE: adviceOf.PAID_TWICE,
  BOOKED_TWICE: 'Give your records a unique key on the id of the operation, so that a second booking fails.',
  UNKNOWN_OPERATION: 'Check how this row was created: no operation has this id. After a reset of the world, delete your records too.',
  WRONG_STATUS: 'Read the operation with GET /api/operations/{id} and store its status.',
  WRONG_ACCOUNT: 'Book on the account in the field `account` of the operation; a transfer also changes `intent.targetAccount`.',
  WRONG_AMOUNT: 'Store amounts as decimals with all places of their asset, from sourceAmount and targetAmount of the operation.',
  BALANCE: 'Send your entries too: then each wrong entry is named.',
};

const adviceOfExplanation: Readonly<Record<AmountExplanation, string>> = {
  SCALE:
    'The API sends amounts as decimal strings in whole units, not in cents. Look for the place where your client converts this amount.',
  SIGN: 'Book a debit of the account as a negative amount and a credit as a positive one.',
  OTHER_SIDE: 'Book sourceAmount on the account that pays, and targetAmount on the account that receives.',
  FEE: 'Book the fees of the operation too: `fees` lists them with their asset.',
  ROUNDING: 'Store amounts as decimals with all places of their asset, and do not round them.',
};

/** The verdict to which a difference alone leads: DIFFERENT for DECIDES, INCONCLUSIVE for DOUBT, PENDING for PENDING. */
type Weight = 'DECIDES' | 'DOUBT' | 'PENDING';

function weightOf({ matchedBy, known: { suspect, isInDoubt } }: NewDifference): Weight {
  if (matchedBy === 'LIKENESS' || isInDoubt) return 'DOUBT';
  return suspect === 'NOT_YET_NOTIFIED' ? 'PENDING' : 'DECIDES';
}

/** Returns the advice for a difference. The explanation of a wrong amount names the error; how the client learned of the amount does not. */
function adviceTo(kind: DifferenceKind, explanation: AmountExplanation | null, { suspect, advice }: SuspectedReason): string {
  if (kind === 'WRONG_AMOUNT' && explanation !== null) return adviceOfExplanation[explanation];
  return advice ?? (suspect === null ? adviceOfKind[kind] : adviceOf[suspect]);
}

const byTime = (a: NewDifference, b: NewDifference): number => {
  const [first, second] = [a.at ?? '\uffff', b.at ?? '\uffff'];
  return first < second ? -1 : first > second ? 1 : a.order - b.order;
};

/** The verdict and the differences of a reconciliation, in the order of world time. */
type DifferenceResult = Pick<Reconciliation, 'verdict' | 'first' | 'differences' | 'omitted' | 'pending' | 'evicted'>;

/** Collects the differences of a reconciliation. */
export class DifferenceList {
  readonly #all: NewDifference[] = [];
  readonly #ofEntries = new Set<string>();

  add(difference: NewDifference): void {
    const { section, kind, operation, account } = difference;
    this.#all.push(difference);
    if (section === 'entries') this.#ofEntries.add(`${kind} ${operation} ${account}`);
  }

  /** True if a difference in the entries already shows an error that was found in a balance. */
  isShownByEntries(kind: DifferenceKind, operation: string, account: string): boolean {
    return this.#ofEntries.has(`${kind} ${operation} ${account}`);
  }

  /** Returns the result. @param becauseOf describes causes by their ids */
  *end(becauseOf: (causes: readonly string[]) => string[]): Interruptible<DifferenceResult> {
    yield;
    const sorted = this.#all.toSorted(byTime);
    yield;
    const weighed = sorted.map((difference) => ({ difference, weight: weightOf(difference) }));
    const has = (weight: Weight) => weighed.some((each) => each.weight === weight);
    const different = weighed.filter(({ weight }) => weight !== 'PENDING');
    const pending = weighed.filter(({ weight }) => weight === 'PENDING');
    const first = different.find(({ weight }) => weight === 'DECIDES') ?? different[0];
    const view = ({ difference }: { readonly difference: NewDifference }) => viewOf(difference, becauseOf(difference.causes));
    function* views(all: typeof weighed): Interruptible<Difference[]> {
      const shown: Difference[] = [];
      for (const each of all.slice(0, maxDifferences)) {
        shown.push(view(each));
        if (shown.length % itemsInStep === 0) yield;
      }
      return shown;
    }
    return {
      verdict: has('DECIDES') ? 'DIFFERENT' : has('DOUBT') ? 'INCONCLUSIVE' : has('PENDING') ? 'PENDING' : 'AGREED',
      first: first ? view(first) : null,
      differences: yield* views(different),
      omitted: Math.max(0, different.length - maxDifferences),
      pending: yield* views(pending),
      evicted: sorted.some(({ known }) => known.isForgotten),
    };
  }
}

function viewOf(difference: NewDifference, because: string[]): Difference {
  const {
    section,
    kind,
    explanation = null,
    at,
    ref,
    operation,
    account = null,
    expected,
    found,
    money,
    what,
    matchedBy,
    known,
  } = difference;
  const advice = adviceTo(kind, explanation, known);
  const facts = { at, ref, operation, account, expected, found, money };
  return { section, kind, explanation, ...knownFields(known), ...facts, what, because, advice, matchedBy };
}
