import { isEnded, isLastAttempt, type DeliveryRecord } from '../domain/webhooks/delivery.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Maximum numbers of old rows that a world keeps, by table. */
export interface Retention {
  readonly idempotencyKeys: number;
  readonly executionLogs: number;
}

export const defaultRetention: Retention = { idempotencyKeys: 1_000_000, executionLogs: 20_000 };

/** Lifetime of idempotency records and expired unused quotes, in milliseconds of world time. */
export const idempotencyMs = 24 * 3_600_000;

/** Maximum number of rows of one table that a commit removes, to limit its cost. */
const perCommit = 2;

/**
 * Removes the oldest rows of tables that a unit of work changes: expired idempotency records and unused quotes, and rows beyond the limits.
 * A delivery is removed with its last execution log.
 * @param atMs world time of the unit of work in Unix milliseconds
 */
export function prune(uow: UnitOfWork, { idempotencyKeys, executionLogs }: Retention, atMs: number): void {
  const from = new Date(atMs - idempotencyMs).toISOString();
  const oldKeys = uow.oldest('idempotency', perCommit);
  if (oldKeys.length > 0) {
    const excess = uow.sizeOf('idempotency') - idempotencyKeys;
    for (const [index, id] of oldKeys.entries()) {
      if (index < excess || uow.get('idempotency', id)!.createdAt <= from) uow.delete('idempotency', id);
    }
  }
  if (uow.touches('quotes')) {
    let left = perCommit;
    for (const { id, expiresAt } of uow.find('quotes', 'unused', '')) {
      if (left === 0 || expiresAt >= from) break;
      left -= 1;
      uow.delete('quotes', id);
    }
  }
  for (const id of uow.oldest('executionLogs', perCommit)) {
    if (uow.sizeOf('executionLogs') <= executionLogs) break;
    forgetLog(uow, id);
  }
}

function forgetLog(uow: UnitOfWork, id: string): void {
  const log = uow.get('executionLogs', id)!;
  uow.delete('executionLogs', id);
  const delivery = uow.get('deliveries', log.messageId);
  if (!delivery || !isEnded(delivery) || !isLastAttempt(delivery, log)) return;
  for (const _owed of uow.find('outbox', 'message', `${delivery.id} `)) return;
  deleteDelivery(uow, delivery);
}

/** Deletes a delivery, and its payload unless another delivery uses it. */
export function deleteDelivery(uow: UnitOfWork, { id, payloadId }: DeliveryRecord): void {
  uow.delete('deliveries', id);
  if (uow.get('deliveries', payloadId)) return;
  for (const _other of uow.find('deliveries', 'payload', `${payloadId} `)) return;
  uow.delete('payloads', payloadId);
}
