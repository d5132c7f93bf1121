import type { SubscriptionRequest } from '../../contract/public/webhooks.js';
import { firstVersion } from '../../contract/versions/versions.js';
import { createSubscription as decide, type SubscriptionRecord } from '../../domain/webhooks/delivery.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Subscribes a URL to events from now on; nothing of the past is replayed. @param version of the API that words its webhooks */
export function createSubscription(uow: UnitOfWork, request: SubscriptionRequest, version = firstVersion): SubscriptionRecord {
  const decided = decide(uow, uow.identity.companyId, request, uow.count('subscription'));
  const subscription = version === firstVersion ? decided : { ...decided, version };
  uow.put('subscriptions', subscription);
  return subscription;
}
