import type { JSX } from 'preact';
import type { Delivery } from '../../contract/control/deliveries.js';
import { shortTime } from '../parts/timestamp.js';
import { Status } from '../parts/status.js';

/** The status of a delivery. A failed delivery that waits for a retry shows the time of the next attempt. */
export function DeliveryStatus({ delivery: { status, attempts, nextAttemptAt } }: { readonly delivery: Delivery }): JSX.Element {
  if (status !== 'WAITING' || nextAttemptAt === null) return <Status of={status} />;
  const next = shortTime(nextAttemptAt).slice(0, -2);
  return <Status of={attempts > 0 ? 'FAILED' : 'WAITING'} word={attempts > 0 ? `failed, next ${next}` : `waits until ${next}`} />;
}
