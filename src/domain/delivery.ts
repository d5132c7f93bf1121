import {
  resourceEvents,
  resourceNames,
  type EventType,
  type ExecutionLog,
  type Subscription,
  type SubscriptionRequest,
} from '../contract/webhooks.js';
import type { Context } from './context.js';
import { resourceOf, type DomainEvent } from './event.js';
import type { Transitions } from './machine.js';

export interface SubscriptionRecord extends Subscription {
  readonly seq: number;
}

/** Where one event stands with one subscription. */
export type DeliveryStatus = 'DUE' | 'WAITING' | 'SUCCESS' | 'FAILED';

export const deliveryTransitions: Transitions<DeliveryStatus> = {
  /** An attempt is to be made now, or is under way. */
  DUE: ['SUCCESS', 'FAILED', 'WAITING'],
  /** An attempt failed; the next has its time. */
  WAITING: ['DUE'],
  SUCCESS: ['DUE'],
  FAILED: ['DUE'],
};

/** One event for one subscription. Its id is the message id, and `payload` the very bytes of every attempt. */
export interface DeliveryRecord {
  readonly id: string;
  readonly seq: number;
  readonly subscriptionId: string;
  readonly eventType: EventType;
  readonly resourceId: string;
  readonly payload: string;
  readonly status: DeliveryStatus;
  /** Attempts that have ended. */
  readonly attempts: number;
  readonly createdAt: string;
  readonly causeId: string;
}

export interface ExecutionLogRecord extends ExecutionLog {
  readonly seq: number;
}

/** How failed deliveries are tried again, for subscriptions that allow it. */
export interface RetryPolicy {
  readonly retries: number;
  readonly intervalMs: number;
}

/** What came of one attempt: the endpoint's status and no error, or 0 and what went wrong. */
export interface AttemptResult {
  readonly httpStatus: number;
  readonly error: string | null;
}

export function createSubscription(context: Context, companyId: string, request: SubscriptionRequest, seq: number): SubscriptionRecord {
  const asked = request.includeAll ? resourceNames.map((name) => ({ name, events: undefined })) : (request.resources ?? []);
  return {
    id: context.newId('subscription'),
    seq,
    companyId,
    url: request.url,
    resources: asked.map(({ name, events }) => ({ name, events: events?.length ? [...events] : [...resourceEvents[name]] })),
    allowRetry: request.allowRetry,
    createdAt: context.now,
    updatedAt: context.now,
  };
}

/** Whether a subscription asked for events of this type. */
export function matches(subscription: SubscriptionRecord, type: EventType): boolean {
  const name = resourceOf(type);
  return subscription.resources.some((each) => each.name === name && each.events.includes(type));
}

/** The delivery that a subscription is owed for an event. */
export function createDelivery(context: Context, subscription: SubscriptionRecord, event: DomainEvent, seq: number): DeliveryRecord {
  return {
    id: context.newId('message'),
    seq,
    subscriptionId: subscription.id,
    eventType: event.type,
    resourceId: event.resourceId,
    payload: JSON.stringify(event.payload),
    status: 'DUE',
    attempts: 0,
    createdAt: context.now,
    causeId: context.causeId,
  };
}

/** Whether an attempt that ended like this succeeded. */
export function succeeded(result: AttemptResult): boolean {
  return result.error === null && result.httpStatus >= 200 && result.httpStatus < 300;
}

/** The delivery and the log entry after an attempt has ended. The status WAITING asks for a retry after the policy's interval. */
export function endAttempt(
  context: Context,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  result: AttemptResult,
  policy: RetryPolicy,
  log: { id: string; seq: number; startedAt: string },
): { delivery: DeliveryRecord; log: ExecutionLogRecord } {
  const success = succeeded(result);
  const retriesLeft = subscription.allowRetry && delivery.attempts < policy.retries;
  const status: DeliveryStatus = success ? 'SUCCESS' : retriesLeft ? 'WAITING' : 'FAILED';
  return {
    delivery: { ...delivery, status, attempts: delivery.attempts + 1 },
    log: {
      id: log.id,
      seq: log.seq,
      companyId: subscription.companyId,
      subscriptionId: subscription.id,
      messageId: delivery.id,
      eventType: delivery.eventType,
      url: subscription.url,
      payload: delivery.payload,
      httpStatus: result.httpStatus,
      status: success ? 'SUCCESS' : 'FAILED',
      retryAttempts: delivery.attempts,
      createdAt: log.startedAt,
      updatedAt: context.now,
      error: success ? null : (result.error ?? `The endpoint answered ${result.httpStatus}.`),
    },
  };
}

/** A subscription as responses show it. */
export function subscriptionView({ seq: _seq, ...subscription }: SubscriptionRecord): Subscription {
  return subscription;
}

/** An execution log as responses show it. */
export function executionLogView({ seq: _seq, ...log }: ExecutionLogRecord): ExecutionLog {
  return log;
}
