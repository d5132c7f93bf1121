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
