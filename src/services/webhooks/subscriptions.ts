import type { SubscriptionRequest } from '../../contract/public/webhooks.js';
import { firstVersion } from '../../contract/versions/versions.js';
import { decideSubscription, type SubscriptionRecord } from '../../domain/webhooks/delivery.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { forgetDeliveries } from '../../engine/outbox.js';

/** Subscribes a URL to future events; past events are not sent. @param version API version of the webhooks */
export function createSubscription(uow: UnitOfWork, request: SubscriptionRequest, version = firstVersion): SubscriptionRecord {
  const decided = decideSubscription(uow, uow.identity.companyId, request, uow.count('subscription'));
  const subscription = version === firstVersion ? decided : { ...decided, version };
  uow.put('subscriptions', subscription);
  return subscription;
}

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
