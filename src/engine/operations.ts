import { operationSubject, type OperationRecord } from '../domain/operations/operation.js';
import type { RequestedOperation } from '../domain/operations/request.js';
import { publish } from './outbox.js';
import { startPlan } from './plans.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/** Stores a new operation and its consumed quote, publishes its events, and schedules the steps of the scenario. */
export function beginOperation(uow: UnitOfWork, { operation, quote, events }: RequestedOperation): OperationRecord {
  uow.put('quotes', quote);
  uow.put('operations', operation);
  publish(uow, events);
  startPlan(uow, 'OPERATION', operation.id, () => operationSubject(operation));
  return operation;
}

/** First order of jobs that expire deposits: after all other jobs of the same due time, so that a payment at that time still counts. */
const expiryOrder = 2 ** 41;

const expiryJobId = (operationId: string) => `expire-${operationId}`;

/** Schedules the failure of a deposit that is not paid until `dueAt`. */
export function planExpiry(uow: UnitOfWork, { id, seq }: { id: string; seq: number }, dueAt: string): void {
  uow.put('jobs', { id: expiryJobId(id), dueAt, order: expiryOrder + seq, verb: 'expire', subject: id });
}

/** Cancels the scheduled failure of a deposit, if any. */
export function cancelExpiry(uow: UnitOfWork, operationId: string): void {
  uow.delete('jobs', expiryJobId(operationId));
}
