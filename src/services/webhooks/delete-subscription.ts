import { forgetDeliveries } from '../../engine/outbox.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Number of deliveries to delete in one commit. */
const atOnce = 20;

/**
 * Deletes a subscription with its deliveries, 20 per call, because there can be many. The subscription is deleted last, so the caller can
 * continue an interrupted deletion.
 * @returns true if the subscription is deleted
 * @throws DomainError RESOURCE_NOT_FOUND
 */
export function deleteSubscription(uow: UnitOfWork, { subscriptionId }: { subscriptionId: string }): boolean {
  uow.require('subscriptions', subscriptionId, 'subscription');
  const isLast = forgetDeliveries(uow, subscriptionId, atOnce) < atOnce;
  if (isLast) uow.delete('subscriptions', subscriptionId);
  return isLast;
}
