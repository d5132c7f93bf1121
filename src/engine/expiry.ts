import type { UnitOfWork } from '../world/unit-of-work.js';

/** Orders the due dates of deposits after all other jobs of the same time, so that a payment at that time still counts. */
const expiryOrder = 2 ** 41;

const expiryJobId = (operationId: string) => `expire-${operationId}`;

/** Plans the end of a deposit that nobody pays. */
export function planExpiry(uow: UnitOfWork, { id, seq }: { id: string; seq: number }, dueAt: string): void {
  uow.put('jobs', { id: expiryJobId(id), dueAt, order: expiryOrder + seq, verb: 'expire', subject: id });
}

/** Deletes the planned end of a deposit, if any. */
export function cancelExpiry(uow: UnitOfWork, operationId: string): void {
  uow.delete('jobs', expiryJobId(operationId));
}
