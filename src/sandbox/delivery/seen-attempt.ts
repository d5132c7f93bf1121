import type { AttemptResult, DeliveryRecord, SubscriptionRecord } from '../../domain/webhooks/delivery.js';
import type { OutboxRecord } from '../../world/rows.js';
import type { SeenAttempt } from '../../world/witness.js';

/** What came of an attempt, and what of its answer is kept. */
export interface Sent extends AttemptResult {
  /** Its Location header, and the first KiB of its body; undefined when none came. */
  readonly answer?: { readonly location: string | null; readonly body: Buffer };
  /** Whether it waited for its endpoint to be connected, so that how long it took is not the endpoint's doing. */
  readonly isHeld?: boolean;
}

/** An attempt that was made and written down. */
interface Made extends Pick<SeenAttempt, 'began' | 'ended' | 'headers' | 'body' | 'sent' | 'timeoutMs' | 'own'> {
  readonly row: OutboxRecord;
  readonly delivery: DeliveryRecord;
  readonly subscription: SubscriptionRecord;
  readonly result: Sent;
  readonly logId: string;
  readonly attempt: number;
}

/** An attempt as witnesses are told of it. */
export function seenAttempt({ row, delivery, subscription, result, logId, attempt, ...facts }: Made): SeenAttempt {
  const { id: messageId, eventType, resourceId, causeId, synthetic } = delivery;
  const { httpStatus, error, answer, isHeld = false } = result;
  return {
    ...facts,
    id: logId,
    messageId,
    eventType,
    resourceId,
    subscriptionId: subscription.id,
    url: subscription.url,
    which: row.kind,
    number: attempt,
    causeId,
    synthetic,
    effect: row.effect ?? null,
    httpStatus,
    error,
    location: answer?.location ?? null,
    answer: answer?.body ?? null,
    isHeld,
  };
}
