import type { Reason } from '../../contract/shared/common.js';
import { operationStatuses } from '../../contract/public/operations.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import type { DomainEvent } from '../event.js';
import { amountsPaid, awaitsPayment, type Payment } from './deposit.js';
import { current, invalidStatusChange, isFinal, withStatus } from '../machine.js';
import { operationTransitions, type OperationRecord, type OperationStatus } from './operation.js';
import { eventsOfStatus } from './event.js';
import { defaultReason, reason } from '../reasons.js';
import { booked, endTransactions, paidByRail, type TransactionRecord } from './transaction.js';

/**
 * Moves an operation and its transactions to an allowed next status. A deposit is paid when it enters PROCESSING: with `payment`, or
 * with the quoted amount. FAILED, ON_HOLD and ACTION_REQUIRED get the reason `why`, or the default reason of the status.
 * @throws DomainError INVALID_STATUS_CHANGE
 */
export function decideOperationMove(
  context: Context,
  operation: OperationRecord,
  to: OperationStatus,
  why: Reason | null = null,
  payment: Payment = { amount: operation.sourceAmount },
): { operation: OperationRecord; events: DomainEvent[] } {
  const stateReason = why ?? standardReason(to);
  const moved: OperationRecord = {
    ...operation,
    ...(to === 'COMPLETED' ? amountsPaid(operation) : {}),
    states: withStatus(
      context,
      { resource: 'operation', id: operation.id, transitions: operationTransitions, states: operation.states },
      to,
      stateReason,
    ),
    transactions: transactionsAt(context, operation, to, stateReason, payment),
    updatedAt: context.now,
  };
  return { operation: moved, events: eventsOfStatus(moved) };
}

function transactionsAt(
  context: Context,
  operation: OperationRecord,
  to: OperationStatus,
  why: Reason | null,
  payment: Payment,
): readonly TransactionRecord[] {
  if (to === 'PROCESSING' && operation.transactions.length === 0) return firstTransactions(context, operation, payment);
  if (to === 'COMPLETED' || to === 'FAILED') return endTransactions(context, operation.transactions, to, why);
  return operation.transactions;
}

function firstTransactions(
  context: Context,
  { intent, sourceAmount, targetAmount }: OperationRecord,
  { amount, payer }: Payment,
): TransactionRecord[] {
  switch (intent.type) {
    case 'DEPOSIT':
      return [{ ...paidByRail(context, 'CREDIT', amount, intent.fundingInstruction), ...(payer ? { payer } : {}) }];
    case 'WITHDRAWAL':
      return [paidByRail(context, 'DEBIT', targetAmount, intent.beneficiary.paymentInstruction)];
    case 'TRANSFER':
      return [booked(context, 'DEBIT', sourceAmount)];
    case 'SWAP':
      return [booked(context, 'DEBIT', sourceAmount), booked(context, 'CREDIT', targetAmount)];
  }
}

/** Returns the reason of a status if the caller gives none; null for a status without reasons. */
export function standardReason(status: OperationStatus): Reason | null {
  if (status === 'FAILED') return defaultReason('operationFailed');
  if (status === 'ON_HOLD') return defaultReason('operationOnHold');
  if (status === 'ACTION_REQUIRED') return defaultReason('operationActionRequired');
  return null;
}

/**
 * Returns the statuses from the current one to `target`, including `target`. COMPLETED is reached through PROCESSING, so that the history
 * contains both.
 * @throws DomainError INVALID_STATUS_CHANGE, which lists all statuses that can be forced
 */
export function pathTo(operation: OperationRecord, target: OperationStatus): OperationStatus[] {
  const from = current(operation.states).status;
  if (operationTransitions[from].includes(target)) return [target];
  if (target === 'COMPLETED' && !isFinal(operationTransitions, from)) return ['PROCESSING', 'COMPLETED'];
  throw invalidStatusChange('operation', operation.id, operationTransitions, from, target, forcible(from));
}

/**
 * Returns the statuses that a payment causes, in order. An amount other than the quoted one puts the deposit on hold.
 * @throws DomainError INVALID_STATUS_CHANGE if the operation does not wait for a payment
 */
export function pathOfPayment(operation: OperationRecord, { amount: paid }: Payment): { path: OperationStatus[]; reason: Reason | null } {
  const from = current(operation.states).status;
  if (!awaitsPayment(operation) || isFinal(operationTransitions, from)) throw notPayable(operation, from);
  const { value: expected, asset } = operation.sourceAmount;
  if (paid.value === expected) return { path: ['PROCESSING'], reason: null };
  return {
    path: ['PROCESSING', 'ON_HOLD'],
    reason: reason('operationOnHold', 'AMOUNT_MISMATCH', { asset, expected, received: paid.value }),
  };
}

/** Returns the error for a payment of an operation that is not a deposit or is already paid. */
function notPayable({ id, intent, transactions }: OperationRecord, from: OperationStatus): DomainError {
  const { message, details } = invalidStatusChange('operation', id, operationTransitions, from, 'PROCESSING', forcible(from));
  const why =
    intent.type !== 'DEPOSIT'
      ? `Operation ${id} is a ${intent.type}. Only a DEPOSIT can be paid.`
      : transactions.length > 0
        ? `Deposit ${id} is already paid.`
        : message;
  return new DomainError('INVALID_STATUS_CHANGE', why, details);
}

/** Returns all statuses that an operation can be forced into. */
export function forcible(from: OperationStatus): OperationStatus[] {
  const next = operationTransitions[from];
  if (isFinal(operationTransitions, from)) return [];
  return operationStatuses.filter((status) => next.includes(status) || status === 'COMPLETED');
}
