import { forgetDeliveries } from '../../engine/outbox.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** How many deliveries are forgotten in one commit. */
const atOnce = 20;

/**
 * Ends a subscription, with all that is owed to it and all that is remembered of it. As that can be much, it only goes some of the
 * way each time; the subscription goes with the last of it, so that an end which was broken off can be begun again.
 * @returns whether the subscription is gone
 * @throws DomainError RESOURCE_NOT_FOUND
 */
export function deleteSubscription(uow: UnitOfWork, { subscriptionId }: { subscriptionId: string }): boolean {
  uow.require('subscriptions', subscriptionId, 'subscription');
  const isLast = forgetDeliveries(uow, subscriptionId, atOnce) < atOnce;
  if (isLast) uow.delete('subscriptions', subscriptionId);
  return isLast;
}
