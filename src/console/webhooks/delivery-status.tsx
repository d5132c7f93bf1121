import type { JSX } from 'preact';
import type { Delivery } from '../../contract/control/deliveries.js';
import { shortTime } from '../parts/instant.js';
import { Status } from '../parts/status.js';

/** How a delivery stands: one that failed and waits says so, with the time of its next attempt. */
export function DeliveryStatus({ delivery: { status, attempts, nextAttemptAt } }: { readonly delivery: Delivery }): JSX.Element {
  if (status !== 'WAITING' || nextAttemptAt === null) return <Status of={status} />;
  const next = shortTime(nextAttemptAt).slice(0, 8);
  return <Status of={attempts > 0 ? 'FAILED' : 'WAITING'} word={attempts > 0 ? `failed, next ${next}` : `waits until ${next}`} />;
}
