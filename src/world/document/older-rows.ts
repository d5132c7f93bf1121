import type { DeliveryRecord } from '../../domain/webhooks/delivery.js';
import type { TableRow } from '../state.js';

/** Converts a stored row to the current format. Up to version 0.1.0 the row of a delivery contained its payload. */
export function currentRows([table, row]: TableRow): readonly TableRow[] {
  if (table !== 'deliveries' || !('payload' in row)) return [[table, row]];
  const { payload, ...delivery } = row as unknown as DeliveryRecord & { readonly payload: string };
  const { id } = delivery;
  return [
    ['payloads', { id, text: payload }],
    ['deliveries', { ...delivery, payloadId: id }],
  ];
}
