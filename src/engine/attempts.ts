import { isDefinedEvent } from '../contract/shared/event-types.js';
import { endAttempt, type AttemptResult, type RetryPolicy } from '../domain/webhooks/delivery.js';
import { contentEffectOf, type DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import { chooseDeliveryEffect } from './choose-effect.js';
import { addUnknownEvent, applyEffect, cancelRetry, enqueueAttempt, planRetry, release } from './outbox.js';
import type { OutboxRecord } from '../world/rows.js';
import type { Attempted } from '../world/ticker.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

/**
 * Applies rules and faults to a pending attempt. Call this function once for each attempt, in order.
 * @param waiting delayed attempts that this attempt may release
 * @returns whether the attempt changed, and the attempts that are delayed now
 */
export function applyAttemptEffect(
  uow: UnitOfWork,
  row: OutboxRecord,
  waiting: readonly OutboxRecord[],
): { isChanged: boolean; held: OutboxRecord[] } {
  const delivery = uow.get('deliveries', row.messageId);
  const subscription = uow.get('subscriptions', row.subscriptionId);
  if (!delivery || !subscription || !isDefinedEvent(delivery.eventType)) return { isChanged: false, held: [] };
  const chosen = chooseDeliveryEffect(uow, delivery, subscription, row.kind);
  const ends = row.kind === 'FIRST' ? endDelays(uow, row, waiting) : { held: [], isReordered: false, isJoined: false };
  const effect = ends.isReordered && chosen ? withoutReorder(chosen) : chosen;
  // If a delayed attempt joins this one, both become due in one commit, so that they begin in order.
  if (effect === null && !ends.isJoined) return { isChanged: false, held: ends.held };
  if (effect === null) uow.put('outbox', { ...row, effect });
  else applyEffect(uow, row, effect);
  const changed = uow.get('outbox', row.id);
  return { isChanged: true, held: changed?.held ? [...ends.held, changed] : ends.held };
}

/** Releases the delayed attempts that are sent together with this one. Marks the others, so that the end of this attempt releases them. */
function endDelays(uow: UnitOfWork, row: OutboxRecord, waiting: readonly OutboxRecord[]) {
  const held: OutboxRecord[] = [];
  let isReordered = false;
  let isJoined = false;
  for (const { id } of waiting) {
    const current = uow.get('outbox', id);
    if (!current?.held || current.behind !== undefined) continue;
    if (current.effect?.overlap) {
      release(uow, current, true);
      isJoined = true;
      continue;
    }
    const paired = { ...current, behind: row.id };
    uow.put('outbox', paired);
    held.push(paired);
    isReordered ||= current.effect?.reorder === true;
  }
  return { held, isReordered, isJoined };
}

/**
 * Stores the result of an attempt. Schedules a retry and copies, and releases the attempts that waited for the end of this one.
 * @param behind ids of the attempts that waited
 * @returns null if the subscription or the delivery was deleted
 */
export function recordAttempt(
  uow: UnitOfWork,
  row: OutboxRecord,
  behind: readonly string[],
  result: AttemptResult,
  retry: RetryPolicy,
  startedAt: string,
): (Attempted & { order: number; logId: string }) | null {
  const before = uow.get('deliveries', row.messageId);
  const subscription = uow.get('subscriptions', row.subscriptionId);
  if (!before || !subscription) return null;
  const id = uow.deriveId('executionLog', `${before.id}/${before.attempts + 1}`);
  const policy = row.effect?.lost ? { ...retry, retries: 0 } : retry;
  const { delivery, log } = endAttempt(uow, before, subscription, row.kind, result, policy, {
    id,
    startedAt,
    unknownFields: row.effect?.unknownFields ?? false,
  });
  uow.put('deliveries', delivery);
  uow.put('executionLogs', log);
  uow.delete('outbox', row.id);
  if (delivery.status === 'SUCCESS') cancelRetry(uow, delivery.id);
  else if (delivery.status === 'WAITING' && before.status === 'DUE') planRetry(uow, delivery, retry.intervalMs);

  const { duplicate = 0, again, drop, lost, unknownEvent } = row.effect ?? {};
  const copies = drop || lost ? 0 : duplicate;
  const content = contentEffectOf(row.effect ?? {});
  for (let count = 0; count < copies; count += 1) enqueueAttempt(uow, delivery, 'DUPLICATE', content);
  if (again && !drop && !lost) applyEffect(uow, enqueueAttempt(uow, delivery, 'DUPLICATE'), { ...content, until: again.until });
  if (unknownEvent && !drop && !lost && subscription.includeAll) addUnknownEvent(uow, subscription, delivery);
  for (const held of behind) {
    const waiting = uow.get('outbox', held);
    if (waiting?.held) release(uow, waiting);
  }
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
