import type { DeliveryRecord } from '../domain/webhooks/delivery.js';
import type { View } from '../world/view.js';

/** Returns the body of a delivery's attempts, as JSON. */
export function payloadOf(view: View, { payloadId }: Pick<DeliveryRecord, 'payloadId'>): string {
  return view.require('payloads', payloadId, 'payload').text;
}
