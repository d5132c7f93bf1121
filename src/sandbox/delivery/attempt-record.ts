import type { AttemptResult, DeliveryRecord, SubscriptionRecord } from '../../domain/webhooks/delivery.js';
import type { World } from '../../world/world.js';
import type { OutboxRecord } from '../../world/rows.js';
import type { AttemptRecord } from '../../exchange/exchange.js';

/** The result of an attempt and the stored part of its response. */
export interface AttemptOutcome extends AttemptResult {
  /** Location header and first KiB of the body of the response; undefined if there was no response. */
  readonly answer?: { readonly location: string | null; readonly body: Buffer };
  /** Whether the attempt waited for a listener to connect. Its duration then says nothing about the endpoint. */
  readonly isHeld?: boolean;
}

/** A completed and stored attempt. */
interface Made extends Pick<AttemptRecord, 'began' | 'ended' | 'moment' | 'headers' | 'body' | 'sent' | 'timeoutMs' | 'toInbox'> {
  readonly row: OutboxRecord;
  readonly delivery: DeliveryRecord;
  readonly subscription: SubscriptionRecord;
  readonly result: AttemptOutcome;
  readonly logId: string;
  readonly attempt: number;
}

/** Returns the record of an attempt for observers. */
export function attemptRecord(world: World, { row, delivery, subscription, result, logId, attempt, ...facts }: Made): AttemptRecord {
  const { id: messageId, eventType, resourceId, causeId, synthetic } = delivery;
  const { httpStatus, error, answer, isHeld = false } = result;
  return {
    ...facts,
    id: logId,
    generation: 1,
    test: null,
    messageId,
    eventType,
    resourceId,
    subscriptionId: subscription.id,
    subscription: positionOf(world, subscription.id),
    url: subscription.url,
    attemptKind: row.kind,
    number: attempt,
    causeId,
    synthetic,
    effect: row.effect ?? null,
    payload: JSON.parse(facts.body) as unknown,
    httpStatus,
    error,
    location: answer?.location ?? null,
    answer: answer?.body ?? null,
    isHeld,
  };
}

/** Returns the position of a subscription in the order of creation, from 1; 0 if it was deleted. */
function positionOf({ state: { subscriptions } }: World, id: string): number {
  let position = 0;
  for (const each of subscriptions.keys()) {
    position += 1;
    if (each === id) return position;
  }
  return 0;
}
