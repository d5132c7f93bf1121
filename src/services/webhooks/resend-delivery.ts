import { checkResendable, isPublicLog, type DeliveryRecord } from '../../domain/webhooks/delivery.js';
import { notFound } from '../../domain/errors.js';
import { enqueueAttempt } from '../../engine/outbox.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/**
 * Sends a delivery again, regardless of its status, with its message id and body. This attempt is not retried.
 * @throws DomainError RESOURCE_NOT_FOUND
 */
export function resendDelivery(uow: UnitOfWork, { messageId }: { messageId: string }): DeliveryRecord {
  const delivery = uow.require('deliveries', messageId, 'delivery');
  enqueueAttempt(uow, delivery, 'RESEND');
  return delivery;
}

/**
 * Sends the delivery of a failed attempt again.
 * @throws DomainError RESOURCE_NOT_FOUND (subscription, executionLog), DELIVERY_NOT_FAILED
 */
export function resendFailedAttempt(
  uow: UnitOfWork,
  { subscriptionId, executionLogId }: { subscriptionId: string; executionLogId: string },
): void {
  uow.require('subscriptions', subscriptionId, 'subscription');
  const log = uow.require('executionLogs', executionLogId, 'executionLog');
  if (log.subscriptionId !== subscriptionId || !isPublicLog(log)) throw notFound('executionLog', { id: executionLogId });
  checkResendable(log);
  resendDelivery(uow, { messageId: log.messageId });
}
