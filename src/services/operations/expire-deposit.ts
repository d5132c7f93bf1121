import { awaitsPayment } from '../../domain/operations/deposit.js';
import { current } from '../../domain/machine.js';
import { reason } from '../../domain/reasons.js';
import type { Fired } from '../../world/ticker.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { moveOperation } from './move-operation.js';

/** Fails a deposit whose payment is overdue; null if it no longer waits for one. */
export function expireDeposit(uow: UnitOfWork, { operationId }: { operationId: string }): Fired | null {
  const operation = uow.get('operations', operationId);
  if (!operation || !awaitsPayment(operation)) return null;
  const { status: from } = current(operation.states);
  if (from !== 'REQUESTED') return null;
  const why = reason('operationFailed', 'PAYMENT_NOT_RECEIVED', { dueAt: uow.now });
  const { states } = moveOperation(uow, { operationId, to: 'FAILED', reason: why, forced: false });
  return { at: uow.now, kind: 'EXPIRY', resource: 'OPERATION', id: operationId, from, to: current(states).status };
}
