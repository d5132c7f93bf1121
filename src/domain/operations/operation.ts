import type { Amount } from '../../contract/shared/common.js';
import { operationStatuses, type Operation } from '../../contract/public/operations.js';
import { current, historyView, isFinal, type StateRecord, type Transitions } from '../machine.js';
import type { Terms } from './pricing.js';
import { transactionView, type TransactionRecord } from './transaction.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { historyFilters, timestampFilters, tagFilters } from '../lists/common-fields.js';
import { decimal, text, type FilterFields } from '../lists/fields.js';

export type OperationStatus = (typeof operationStatuses)[number];

/** The allowed successors of each operation status. */
export const operationTransitions: Transitions<OperationStatus> = {
  /** Accepted; no money has moved yet. */
  REQUESTED: ['PROCESSING', 'FAILED'],
  /** Its transactions are being executed. */
  PROCESSING: ['COMPLETED', 'FAILED', 'ON_HOLD', 'ACTION_REQUIRED'],
  /** Paused by a review. */
  ON_HOLD: ['PROCESSING', 'FAILED'],
  /** Paused until the customer acts. */
  ACTION_REQUIRED: ['PROCESSING', 'FAILED'],
  /** Settled: its movements are in the ledger. */
  COMPLETED: [],
  /** Ended without moving money. */
  FAILED: [],
};

/** The statuses in which an operation ends. */
export const finalOperationStatuses: ReadonlySet<unknown> = new Set(
  operationStatuses.filter((each) => isFinal(operationTransitions, each)),
);

export interface OperationRecord {
  readonly id: string;
  readonly seq: number;
  readonly customerId: string;
  readonly account: Operation['account'];
  readonly sourceAmount: Amount;
  readonly targetAmount: Amount;
  /** The amount that the client specified. */
  readonly requestedAmount: Amount;
  readonly intent: Operation['intent'];
  readonly quote: Operation['quote'];
  readonly fees: Operation['fees'];
  /** The terms that price a payment other than the quoted amount. Only for a deposit with fees from the settings. */
  readonly terms?: Terms;
  readonly transactions: readonly TransactionRecord[];
  readonly states: readonly StateRecord<OperationStatus>[];
  readonly tags: Operation['tags'];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export function operationView(operation: OperationRecord): Operation {
  const { id, customerId, account, sourceAmount, targetAmount, intent, quote, fees, transactions, states, tags, createdAt, updatedAt } =
    operation;
  const history = historyView(states);
  return {
    id,
    customerId,
    account,
    sourceAmount,
    targetAmount,
    intent,
    quote,
    fees,
    transactions: transactions.map(transactionView),
    currentState: history.currentState,
    states: history.states,
    tags,
    createdAt,
    updatedAt,
  };
}

/**
 * Returns an operation as scenario rules see it: the resource, with `cents` added to `requestedAmount`. `cents` has the first two decimal
 * places; it is null if a later one is not zero.
 */
export function operationSubject(operation: OperationRecord): Operation & { requestedAmount: Amount & { cents: string | null } } {
  const { requestedAmount } = operation;
  const cents = /\.([0-9]{2})0*$/.exec(requestedAmount.value)?.[1] ?? null;
  return Object.assign(operationView(operation), { requestedAmount: { ...requestedAmount, cents } });
}

export const operationFilters: FilterFields<OperationRecord, FilterFieldOf<'operations'>> = {
  id: text(({ id }) => id),
  'account.id': text(({ account }) => account.id),
  'account.owner': text(({ account }) => account.owner),
  'sourceAmount.asset': text(({ sourceAmount }) => sourceAmount.asset),
  'sourceAmount.value': decimal(({ sourceAmount }) => sourceAmount.value),
  'targetAmount.asset': text(({ targetAmount }) => targetAmount.asset),
  'targetAmount.value': decimal(({ targetAmount }) => targetAmount.value),
  'intent.type': text(({ intent }) => intent.type),
  'intent.beneficiary.id': text(({ intent }) => (intent.type === 'WITHDRAWAL' ? intent.beneficiary.id : null)),
  'intent.targetAccount.id': text(({ intent }) => (intent.type === 'TRANSFER' ? intent.targetAccount.id : null)),
  'quote.id': text(({ quote }) => quote.id),
  'transactions.type': text(({ transactions }) => transactions.map(({ type }) => type)),
  ...historyFilters,
  'currentState.reason.code': text(({ states }) => current(states).reason?.code),
  ...tagFilters,
  ...timestampFilters,
};
