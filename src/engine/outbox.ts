import {
  createDelivery,
  enterDelivery,
  isPlanned,
  type AttemptKind,
  type DeliveryRecord,
  type SubscriptionRecord,
} from '../domain/webhooks/delivery.js';
import { afterHold, holdMs, type DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import type { EventType } from '../contract/public/webhooks.js';
import type { DomainEvent } from '../domain/event.js';
import { later } from '../domain/context.js';
import { deleteDelivery } from '../world/retention.js';
import type { OutboxRecord } from '../world/rows.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { View } from '../world/view.js';

/** Retries and releases order behind the steps that are due at the same instant, among themselves by age. */
const attemptJobOrder = 2 ** 40;

/** Enqueues each event for every subscription that asked for it, in the same commit as what caused it. */
export function publish(uow: UnitOfWork, events: readonly DomainEvent[]): void {
  for (const event of events) deliverTo(uow, subscribersOf(uow, event.type), event);
}

/** The subscriptions that asked for events of a type, oldest first. */
export function subscribersOf(uow: UnitOfWork, type: EventType): Iterable<SubscriptionRecord> {
  return uow.find('subscriptions', 'event', `${type} `);
}

/** Enqueues an event for subscriptions, and stores its payload once for all of them. */
export function deliverTo(
  uow: UnitOfWork,
  subscriptions: Iterable<SubscriptionRecord>,
  event: DomainEvent,
  synthetic = false,
): DeliveryRecord[] {
  let payloadId: string | null = null;
  return Array.from(subscriptions, (subscription) => {
    const delivery = createDelivery(uow, subscription, event, payloadId, uow.count('delivery'), synthetic);
    if (payloadId === null) uow.put('payloads', { id: delivery.id, text: JSON.stringify(event.payload()) });
    payloadId = delivery.payloadId;
    uow.put('deliveries', delivery);
    enqueueAttempt(uow, delivery, 'FIRST');
    return delivery;
  });
}

/** Enqueues one attempt of a delivery. `effect` is given when rules and faults are not to be asked about it. */
export function enqueueAttempt(uow: UnitOfWork, delivery: DeliveryRecord, kind: AttemptKind, effect?: DeliveryEffect | null): void {
  uow.put('outbox', {
    id: `attempt-${uow.count('attempt')}`,
    messageId: delivery.id,
    subscriptionId: delivery.subscriptionId,
    kind,
    order: delivery.seq,
    ...(effect === undefined ? {} : { effect }),
  });
}

/** Plans the retry of a delivery that waits for one. */
export function planRetry(uow: UnitOfWork, delivery: DeliveryRecord, intervalMs: number): void {
  uow.put('jobs', {
    id: retryJobId(delivery.id),
    dueAt: later(uow.now, intervalMs),
    order: attemptJobOrder + delivery.seq,
    verb: 'retry',
    subject: delivery.id,
  });
}

/** When the next attempt of a delivery is due that has its time: a retry, or one that an effect holds back; null when there is none. */
export function nextAttemptAt(view: View, messageId: string): string | null {
  const held = Array.from(view.find('outbox', 'message', `${messageId} `), ({ id }) => releaseJobId(id));
  const due = [retryJobId(messageId), ...held].flatMap((id) => view.get('jobs', id)?.dueAt ?? []);
  return due.toSorted()[0] ?? null;
}

/** Forgets the planned retry of a delivery, if there is one. */
export function cancelRetry(uow: UnitOfWork, messageId: string): void {
  uow.delete('jobs', retryJobId(messageId));
}

/** Gives an owed attempt the effect that was chosen for it, and holds it back if the effect says so. */
export function applyEffect(uow: UnitOfWork, row: OutboxRecord, effect: DeliveryEffect): void {
  const waitMs = holdMs(effect);
  uow.put('outbox', waitMs === null ? { ...row, effect } : { ...row, effect, held: true });
  if (waitMs === null) return;
  uow.put('jobs', {
    id: releaseJobId(row.id),
    dueAt: later(uow.now, waitMs),
    order: attemptJobOrder + row.order,
    verb: 'release',
    subject: row.id,
  });
  moveDelivery(uow, row, 'DUE', 'WAITING');
}

/** Lets go of an attempt that was held back. */
export function release(uow: UnitOfWork, row: OutboxRecord): void {
  const { held: _held, behind: _behind, ...rest } = row;
  uow.put('outbox', { ...rest, effect: row.effect ? afterHold(row.effect) : null });
  uow.delete('jobs', releaseJobId(row.id));
  moveDelivery(uow, row, 'WAITING', 'DUE');
}

/**
 * Forgets the oldest deliveries of a subscription, with all that is owed and remembered of them.
 * @returns how many there were, at most so many
 */
export function forgetDeliveries(uow: UnitOfWork, subscriptionId: string, most: number): number {
  let count = 0;
  for (const delivery of uow.find('deliveries', 'subscription', `${subscriptionId} `)) {
    const { id } = delivery;
    count += 1;
    for (const log of uow.find('executionLogs', 'message', `${id} `)) uow.delete('executionLogs', log.id);
    for (const row of uow.find('outbox', 'message', `${id} `)) {
      uow.delete('jobs', releaseJobId(row.id));
      uow.delete('outbox', row.id);
    }
    cancelRetry(uow, id);
    deleteDelivery(uow, delivery);
    if (count === most) break;
  }
  return count;
}

const retryJobId = (messageId: string) => `retry-${messageId}`;
const releaseJobId = (attemptId: string) => `release-${attemptId}`;

/** Only attempts that the delivery makes by itself move it. */
function moveDelivery(uow: UnitOfWork, row: OutboxRecord, from: DeliveryRecord['status'], to: DeliveryRecord['status']): void {
  const delivery = uow.get('deliveries', row.messageId);
  if (delivery && isPlanned(row.kind) && delivery.status === from) uow.put('deliveries', enterDelivery(uow, delivery, to));
}
