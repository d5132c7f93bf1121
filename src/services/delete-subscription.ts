import { removeSubscription } from '../world/outbox.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/**
 * Ends a subscription, with all that is owed to it and all that is remembered of it.
 * @throws DomainError RESOURCE_NOT_FOUND
 */
export function deleteSubscription(uow: UnitOfWork, subscriptionId: string): void {
  uow.require('subscriptions', subscriptionId, 'subscription');
  removeSubscription(uow, subscriptionId);
}
