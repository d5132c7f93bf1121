import { endAttempt, type AttemptResult, type RetryPolicy } from '../domain/webhooks/delivery.js';
import { signingEffectOf, type DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import { chooseDeliveryEffect } from './choose-effect.js';
import { applyEffect, cancelRetry, enqueueAttempt, planRetry, release } from './outbox.js';
import type { OutboxRecord } from '../world/rows.js';
import type { Attempted } from '../world/ticker.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/**
 * Applies rules and faults to a pending attempt, once for each attempt and in order.
 * @param alone the reordered attempt that waits for the next one of its subscription, which may be this one
 * @returns whether an effect was applied, and the attempts that are delayed now
 */
export function applyAttemptEffect(
  uow: UnitOfWork,
  row: OutboxRecord,
  alone: OutboxRecord | undefined,
): { isStruck: boolean; held: OutboxRecord[] } {
  const held: OutboxRecord[] = [];
  const delivery = uow.get('deliveries', row.messageId);
  const subscription = uow.get('subscriptions', row.subscriptionId);
  if (!delivery || !subscription) return { isStruck: false, held };
  let effect = chooseDeliveryEffect(uow, delivery, subscription, row.kind);
  const waiting = row.kind === 'FIRST' && alone ? uow.get('outbox', alone.id) : undefined;
  if (waiting?.held) {
    const paired = { ...waiting, behind: row.id };
    uow.put('outbox', paired);
    held.push(paired);
    if (effect) effect = withoutReorder(effect);
  }
  if (effect === null) return { isStruck: false, held };
  applyEffect(uow, row, effect);
  const struck = uow.get('outbox', row.id);
  if (struck?.held) held.push(struck);
  return { isStruck: true, held };
}

/**
 * Stores the result of an attempt, and plans what follows.
 * @param behind id of the reordered attempt that waits for the end of this one
 * @returns null if the subscription or the delivery was deleted
 */
export function recordAttempt(
  uow: UnitOfWork,
  row: OutboxRecord,
  behind: string | undefined,
  result: AttemptResult,
  retry: RetryPolicy,
  startedAt: string,
): (Attempted & { order: number; logId: string }) | null {
  const before = uow.get('deliveries', row.messageId);
  const subscription = uow.get('subscriptions', row.subscriptionId);
  if (!before || !subscription) return null;
  const id = uow.deriveId('executionLog', `${before.id}/${before.attempts + 1}`);
  const { delivery, log } = endAttempt(uow, before, subscription, row.kind, result, retry, { id, startedAt });
  uow.put('deliveries', delivery);
  uow.put('executionLogs', log);
  uow.delete('outbox', row.id);
  if (delivery.status === 'SUCCESS') cancelRetry(uow, delivery.id);
  else if (delivery.status === 'WAITING' && before.status === 'DUE') planRetry(uow, delivery, retry.intervalMs);

  const { duplicate = 0, drop } = row.effect ?? {};
  const copies = drop ? 0 : duplicate;
  for (let count = 0; count < copies; count += 1) {
    enqueueAttempt(uow, delivery, 'DUPLICATE', signingEffectOf(row.effect ?? {}));
  }
  const held = uow.get('outbox', behind ?? '');
  if (held?.held) release(uow, held);
  return {
    messageId: delivery.id,
    eventType: delivery.eventType,
    httpStatus: result.httpStatus,
    attempt: delivery.attempts,
    order: delivery.seq,
    logId: log.id,
  };
}

function withoutReorder({ reorder: _reorder, ...rest }: DeliveryEffect): DeliveryEffect {
  return rest;
}
