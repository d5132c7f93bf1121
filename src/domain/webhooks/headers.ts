import type { DeliveryRecord, SubscriptionRecord } from './delivery.js';
import { resourceOf } from '../event.js';
import { signatureHeaders, type Signer } from './signature.js';

/** The headers of one attempt: what it is, for whom, and its signatures. `realS` is real time in seconds since 1970. */
export function attemptHeaders(
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  signer: Signer,
  realS: number,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'crossborder-sandbox',
    'x-message-id': delivery.id,
    'x-event-type': delivery.eventType,
    'x-company-id': subscription.companyId,
    'x-resource-name': resourceOf(delivery.eventType),
    ...(delivery.synthetic ? { 'x-sandbox-synthetic': 'true' } : {}),
    ...signatureHeaders(delivery.id, delivery.payload, signer, realS),
  };
}

/** A signer with another key, whose signatures look genuine and are not. */
export function forger({ clientId, clientSecret }: Signer): Signer {
  return { clientId, clientSecret: `not ${clientSecret}` };
}
