import type { DeliveryRecord } from '../domain/webhooks/delivery.js';
import type { View } from '../world/view.js';

/** The body of the attempts of a delivery, as JSON. */
export function payloadOf(view: View, { payloadId }: Pick<DeliveryRecord, 'payloadId'>): string {
  return view.require('payloads', payloadId, 'payload').text;
}
