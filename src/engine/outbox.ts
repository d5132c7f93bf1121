import { type EventType, futureEventOf, resourceOf } from '../contract/shared/event-types.js';
import {
  createDelivery,
  enterDelivery,
  isPlanned,
  type AttemptKind,
  type DeliveryRecord,
  type SubscriptionRecord,
} from '../domain/webhooks/delivery.js';
import { effectAfterDelay, awaitedKey, endsWhenIdle, holdMs, type DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import type { DomainEvent } from '../domain/event.js';
import { withoutExtras } from '../domain/webhooks/payload-extras.js';
import { later } from '../domain/context.js';
import type { TraceContext } from '../domain/webhooks/trace-context.js';
import { deleteDelivery } from '../world/retention.js';
import type { OutboxRecord } from '../world/rows.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { View } from '../world/view.js';

/** First order of jobs for retries and releases: after scenario steps of the same due time, the oldest first. */
const attemptJobOrder = 2 ** 40;

/** Enqueues each event for all its subscriptions, in the same commit as the change that caused it. */
export function publish(uow: UnitOfWork, events: readonly DomainEvent[]): void {
  for (const event of events) deliverTo(uow, subscribersOf(uow, event.type), { ...event, payload: () => bodyOf(uow, event) });
}

/** Returns the body of an event's webhooks; without the extra fields of the sandbox if the settings turn them off. */
export function bodyOf(view: View, event: DomainEvent): unknown {
  return view.settings.payloadExtras ? event.payload() : withoutExtras(event);
}

/** Returns the subscriptions to an event type, oldest first. */
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
  const trace = traceOf(uow, event.resourceId);
  return Array.from(subscriptions, (subscription) => {
    const delivery = createDelivery(uow, subscription, event, payloadId, uow.count('delivery'), synthetic, trace);
    if (payloadId === null) uow.put('payloads', { id: delivery.id, text: JSON.stringify(event.payload()) });
    payloadId = delivery.payloadId;
    uow.put('deliveries', delivery);
    enqueueAttempt(uow, delivery, 'FIRST');
    return delivery;
  });
}

/**
 * Sends the body of a delivery again to its subscription, once, as an event of a type that the API does not define. Its position and id
 * follow from those of the delivery, because attempts that end together end in random order.
 */
export function addUnknownEvent(uow: UnitOfWork, subscription: SubscriptionRecord, source: DeliveryRecord): void {
  const event = { type: futureEventOf(resourceOf(source.eventType)), resourceId: source.resourceId };
  const created = createDelivery(uow, subscription, event, source.payloadId, source.seq + 0.5, source.synthetic, source.trace ?? null);
  if (uow.get('deliveries', created.id)) return;
  const delivery = { ...created, causeId: source.causeId };
  uow.put('deliveries', delivery);
  enqueueAttempt(uow, delivery, 'FIRST', null);
}

/** Enqueues one attempt of a delivery. If `effect` is given (null: no effect), rules and faults do not apply to the attempt. */
export function enqueueAttempt(uow: UnitOfWork, delivery: DeliveryRecord, kind: AttemptKind, effect?: DeliveryEffect | null): OutboxRecord {
  const row: OutboxRecord = {
    id: `attempt-${uow.count('attempt')}`,
    messageId: delivery.id,
    subscriptionId: delivery.subscriptionId,
    kind,
    order: delivery.seq,
    ...(effect === undefined ? {} : { effect }),
  };
  uow.put('outbox', row);
  return row;
}

/** Schedules the retry of a delivery. */
export function planRetry(uow: UnitOfWork, delivery: DeliveryRecord, intervalMs: number): void {
  uow.put('jobs', {
    id: retryJobId(delivery.id),
    dueAt: later(uow.now, intervalMs),
    order: attemptJobOrder + delivery.seq,
    verb: 'retry',
    subject: delivery.id,
  });
}

/** Returns the due time of the next scheduled attempt of a delivery (a retry or a delayed attempt); null if none is scheduled. */
export function nextAttemptAt(view: View, messageId: string): string | null {
  const held = Array.from(view.find('outbox', 'message', `${messageId} `), ({ id }) => releaseJobId(id));
  const due = [retryJobId(messageId), ...held].flatMap((id) => view.get('jobs', id)?.dueAt ?? []);
  return due.toSorted()[0] ?? null;
}

/** Deletes the scheduled retry of a delivery, if any. */
export function cancelRetry(uow: UnitOfWork, messageId: string): void {
  uow.delete('jobs', retryJobId(messageId));
}

/** Stores the chosen effect with a pending attempt, and delays the attempt if the effect includes a delay. */
export function applyEffect(uow: UnitOfWork, row: OutboxRecord, effect: DeliveryEffect): void {
  const waitMs = holdMs(effect);
  if (waitMs === null) return uow.put('outbox', { ...row, effect });
  const delivery = uow.get('deliveries', row.messageId);
  const awaits = delivery && awaitedKey(effect, delivery);
  uow.put('outbox', { ...row, effect, held: true, ...(awaits === undefined ? {} : { awaits }) });
  uow.put('jobs', {
    id: releaseJobId(row.id),
    dueAt: later(uow.now, waitMs),
    order: attemptJobOrder + row.order,
    verb: 'release',
    subject: row.id,
    ...(endsWhenIdle(effect) ? { whenIdle: true as const } : {}),
  });
  moveDelivery(uow, row, 'DUE', 'WAITING');
}

/** Makes a delayed attempt due now. @param isBeside true to send it at the same time as the next attempt of its subscription */
export function release(uow: UnitOfWork, row: OutboxRecord, isBeside = false): void {
  const { held: _held, awaits: _awaits, behind: _behind, ...rest } = row;
  uow.put('outbox', { ...rest, effect: row.effect ? effectAfterDelay(row.effect) : null, ...(isBeside ? { beside: true as const } : {}) });
  uow.delete('jobs', releaseJobId(row.id));
  moveDelivery(uow, row, 'WAITING', 'DUE');
}

/**
 * Deletes the oldest deliveries of a subscription with their logs and pending attempts.
 * @returns the number of deleted deliveries, at most `most`
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

/** Changes the status of the attempt's delivery, if that is `from`. Only for first attempts and retries. */
function moveDelivery(uow: UnitOfWork, row: OutboxRecord, from: DeliveryRecord['status'], to: DeliveryRecord['status']): void {
  const delivery = uow.get('deliveries', row.messageId);
  if (delivery && isPlanned(row.kind) && delivery.status === from) uow.put('deliveries', enterDelivery(uow, delivery, to));
}

/** Returns the body of a delivery's attempts, as JSON. */
export function payloadOf(view: View, { payloadId }: Pick<DeliveryRecord, 'payloadId'>): string {
  return view.require('payloads', payloadId, 'payload').text;
}

/** Stores the trace context of the request that creates a resource, for the events that timers cause later. */
export function storeTrace(uow: UnitOfWork, resourceId: string): void {
  if (uow.trace !== null) uow.put('traces', { id: resourceId, ...uow.trace });
}

/** Returns the trace context for an event about a resource: from the current request, else from the one that created the resource. */
function traceOf(uow: UnitOfWork, resourceId: string): TraceContext | null {
  if (!uow.settings.traceContext) return null;
  if (uow.trace !== null) return uow.trace;
  const { id: _id, ...trace } = uow.get('traces', resourceId) ?? { id: null };
  return 'traceId' in trace ? trace : null;
}
