import type { SubscriptionRequest } from '../../contract/public/webhooks.js';
import { createSubscription as decide, type SubscriptionRecord } from '../../domain/webhooks/delivery.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Subscribes a URL to events from now on; nothing of the past is replayed. */
export function createSubscription(uow: UnitOfWork, request: SubscriptionRequest): SubscriptionRecord {
  const subscription = decide(uow, uow.identity.companyId, request, uow.count('subscription'));
  uow.put('subscriptions', subscription);
  return subscription;
}
