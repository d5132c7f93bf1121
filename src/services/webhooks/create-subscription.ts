import type { SubscriptionRequest } from '../../contract/public/webhooks.js';
import { firstVersion } from '../../contract/versions/versions.js';
import { createSubscription as decide, type SubscriptionRecord } from '../../domain/webhooks/delivery.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Subscribes a URL to future events; past events are not sent. @param version API version of the webhooks */
export function createSubscription(uow: UnitOfWork, request: SubscriptionRequest, version = firstVersion): SubscriptionRecord {
  const decided = decide(uow, uow.identity.companyId, request, uow.count('subscription'));
  const subscription = version === firstVersion ? decided : { ...decided, version };
  uow.put('subscriptions', subscription);
  return subscription;
}
