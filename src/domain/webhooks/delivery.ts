import type { Delivery } from '../../contract/control/deliveries.js';
import {
  resourceEvents,
  resourceNames,
  type EventType,
  type ExecutionLog,
  type Subscription,
  type SubscriptionRequest,
} from '../../contract/public/webhooks.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import type { DomainEvent } from '../event.js';
import { checkMove, type Transitions } from '../machine.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { instantFilters } from '../lists/common-fields.js';
import { decimal, flag, text, timestamp, type FilterFields } from '../lists/fields.js';

export interface SubscriptionRecord extends Subscription {
  readonly seq: number;
  /** The version of the API that words its webhooks. Default: the first */
  readonly version?: string | undefined;
}

/** Where one event stands with one subscription. */
export type DeliveryStatus = Delivery['status'];

export const deliveryTransitions: Transitions<DeliveryStatus> = {
  /** An attempt is to be made now, or is under way. */
  DUE: ['SUCCESS', 'FAILED', 'WAITING'],
  /** The next attempt has its time: a retry, or one that an effect holds back. */
  WAITING: ['DUE', 'SUCCESS'],
  /** The endpoint has taken it. */
  SUCCESS: [],
  /** Nothing follows by itself; a resend may still succeed. */
  FAILED: ['SUCCESS'],
};

/** The body of a webhook, stored once for all deliveries of its event. */
export interface PayloadRecord {
  /** The message id of the first of the deliveries. */
  readonly id: string;
  /** The bytes of every attempt, as JSON. */
  readonly text: string;
}

/** One event for one subscription. Its id is the message id. */
export interface DeliveryRecord {
  readonly id: string;
  readonly seq: number;
  readonly subscriptionId: string;
  readonly eventType: EventType;
  readonly resourceId: string;
  readonly payloadId: string;
  /** Whether the payload is an example rather than the state of a resource. */
  readonly synthetic: boolean;
  readonly status: DeliveryStatus;
  /** Attempts that have ended. */
  readonly attempts: number;
  /** Attempts among them that the retry policy made. */
  readonly retries: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly causeId: string;
}

/** One attempt as it is stored; its payload is the delivery's. */
export interface ExecutionLogRecord extends Omit<ExecutionLog, 'payload'> {
  readonly seq: number;
}

/**
 * Why an attempt is made: it is the first, a retry of the policy, an effect's repetition, or somebody asked for it.
 * Only the first two decide what becomes of the delivery; the others can only turn it to SUCCESS.
 */
export type AttemptKind = 'FIRST' | 'RETRY' | 'DUPLICATE' | 'RESEND';

/** Whether attempts of this kind wait for the subscription's earlier ones. Retries and resends hold nothing up. */
export function isOrdered(kind: AttemptKind): boolean {
  return kind === 'FIRST' || kind === 'DUPLICATE';
}

/** Whether an attempt of this kind is one of those that the delivery makes by itself. */
export function isPlanned(kind: AttemptKind): boolean {
  return kind === 'FIRST' || kind === 'RETRY';
}

/** How failed deliveries are tried again, for subscriptions that allow it. */
export interface RetryPolicy {
  readonly retries: number;
  readonly intervalMs: number;
}

/** An attempt as rules and faults see it. @param payload returns the body, as JSON */
export function attemptSubject(delivery: DeliveryRecord, subscription: SubscriptionRecord, kind: AttemptKind, payload: () => string) {
  return {
    messageId: delivery.id,
    eventType: delivery.eventType,
    subscriptionId: subscription.id,
    url: subscription.url,
    resourceId: delivery.resourceId,
    kind,
    attempt: delivery.attempts + 1,
    retryAttempts: delivery.retries + (kind === 'RETRY' ? 1 : 0),
    // Only rules that look into it pay for it.
    get payload() {
      return JSON.parse(payload()) as unknown;
    },
  };
}

/** What came of one attempt: the endpoint's status and no error, or 0 and what went wrong. */
export interface AttemptResult {
  readonly httpStatus: number;
  readonly error: string | null;
}

export function createSubscription(context: Context, companyId: string, request: SubscriptionRequest, seq: number): SubscriptionRecord {
  const asked = request.includeAll ? resourceNames.map((name) => ({ name, events: undefined })) : (request.resources ?? []);
  return {
    id: context.deriveId('subscription', String(seq)),
    seq,
    companyId,
    url: request.url,
    resources: asked.map(({ name, events }) => ({ name, events: events?.length ? [...events] : [...resourceEvents[name]] })),
    allowRetry: request.allowRetry,
    createdAt: context.now,
    updatedAt: context.now,
  };
}

/** Makes the delivery of an event to a subscription. @param payloadId null for the first delivery of the event */
export function createDelivery(
  context: Context,
  subscription: SubscriptionRecord,
  event: Pick<DomainEvent, 'type' | 'resourceId'>,
  payloadId: string | null,
  seq: number,
  synthetic: boolean,
): DeliveryRecord {
  const id = context.deriveId('message', String(seq));
  return {
    id,
    seq,
    subscriptionId: subscription.id,
    eventType: event.type,
    resourceId: event.resourceId,
    payloadId: payloadId ?? id,
    synthetic,
    status: 'DUE',
    attempts: 0,
    retries: 0,
    createdAt: context.now,
    updatedAt: context.now,
    causeId: context.causeId,
  };
}

/**
 * The delivery in another status.
 * @throws DomainError INVALID_STATUS_CHANGE
 */
export function enterDelivery(context: Context, delivery: DeliveryRecord, to: DeliveryStatus): DeliveryRecord {
  checkMove('delivery', delivery.id, deliveryTransitions, delivery.status, to);
  return { ...delivery, status: to, updatedAt: context.now };
}

/** An attempt's place among all, from the message and the attempt alone, so that it does not tell which endpoint was quicker. */
function attemptSeq(seq: number, attempt: number): number {
  return seq * 1_000_000 + attempt;
}

/** Whether a log is that of the delivery's last attempt so far. */
export function isLastAttempt({ seq, attempts }: DeliveryRecord, log: ExecutionLogRecord): boolean {
  return log.seq === attemptSeq(seq, attempts);
}

/** Whether a delivery makes no further attempt by itself. */
export function isEnded({ status }: DeliveryRecord): boolean {
  return status === 'SUCCESS' || status === 'FAILED';
}

/** Whether an attempt that ended like this succeeded. */
function succeeded(result: AttemptResult): boolean {
  return result.error === null && result.httpStatus >= 200 && result.httpStatus < 300;
}

/** The delivery and the log entry after an attempt has ended. The status WAITING asks for a retry after the policy's interval. */
export function endAttempt(
  context: Context,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  kind: AttemptKind,
  result: AttemptResult,
  policy: RetryPolicy,
  log: { id: string; startedAt: string },
): { delivery: DeliveryRecord; log: ExecutionLogRecord } {
  const success = succeeded(result);
  const attempts = delivery.attempts + 1;
  const retries = delivery.retries + (kind === 'RETRY' ? 1 : 0);
  const canRetry = subscription.allowRetry && retries < policy.retries;
  const status = success ? 'SUCCESS' : isPlanned(kind) && delivery.status === 'DUE' ? (canRetry ? 'WAITING' : 'FAILED') : delivery.status;
  const moved = status === delivery.status ? delivery : enterDelivery(context, delivery, status);
  return {
    delivery: { ...moved, attempts, retries, updatedAt: context.now },
    log: {
      id: log.id,
      seq: attemptSeq(delivery.seq, attempts),
      companyId: subscription.companyId,
      subscriptionId: subscription.id,
      messageId: delivery.id,
      eventType: delivery.eventType,
      url: subscription.url,
      httpStatus: result.httpStatus,
      status: success ? 'SUCCESS' : 'FAILED',
      retryAttempts: retries,
      createdAt: log.startedAt,
      updatedAt: context.now,
      error: success ? null : (result.error ?? `The endpoint answered ${result.httpStatus}.`),
    },
  };
}

/** The refusal to resend an attempt that did not fail. @throws DomainError DELIVERY_NOT_FAILED */
export function checkResendable(log: ExecutionLogRecord): void {
  if (log.status === 'FAILED') return;
  throw new DomainError('DELIVERY_NOT_FAILED', `Attempt ${log.id} succeeded with ${log.httpStatus}; only failed ones can be resent.`, {
    executionLogId: log.id,
    messageId: log.messageId,
    status: log.status,
  });
}

/** A subscription as responses show it. */
export function subscriptionView({ seq: _seq, version: _version, ...subscription }: SubscriptionRecord): Subscription {
  return subscription;
}

/** An execution log as responses show it, with the payload of its delivery. */
export function executionLogView({ seq: _seq, ...log }: ExecutionLogRecord, payload: string): ExecutionLog {
  return { ...log, payload };
}

/** A delivery as the control plane shows it. */
export function deliveryView({ seq: _seq, payloadId: _payloadId, ...delivery }: DeliveryRecord, payload: string): Delivery {
  return { ...delivery, payload };
}

/** The fields that subscriptions can be filtered by. */
export const subscriptionFilters: FilterFields<SubscriptionRecord, FilterFieldOf<'subscriptions'>> = {
  id: text(({ id }) => id),
  url: text(({ url }) => url),
  allowRetry: flag(({ allowRetry }) => allowRetry),
  'resources.name': text(({ resources }) => resources.map(({ name }) => name)),
  ...instantFilters,
};

/** The fields that deliveries can be filtered by. */
export const deliveryFilters: FilterFields<DeliveryRecord, FilterFieldOf<'deliveries'>> = {
  id: text(({ id }) => id),
  subscriptionId: text(({ subscriptionId }) => subscriptionId),
  eventType: text(({ eventType }) => eventType),
  resourceId: text(({ resourceId }) => resourceId),
  status: text(({ status }) => status),
  attempts: decimal(({ attempts }) => attempts),
  retries: decimal(({ retries }) => retries),
  synthetic: flag(({ synthetic }) => synthetic),
  causeId: text(({ causeId }) => causeId),
  ...instantFilters,
};

/** The fields that execution logs can be filtered by. */
export const executionLogFilters: FilterFields<ExecutionLogRecord, FilterFieldOf<'executionLogs'>> = {
  id: text(({ id }) => id),
  messageId: text(({ messageId }) => messageId),
  eventType: text(({ eventType }) => eventType),
  status: text(({ status }) => status),
  httpStatus: decimal(({ httpStatus }) => httpStatus),
  retryAttempts: decimal(({ retryAttempts }) => retryAttempts),
  createdAt: timestamp(({ createdAt }) => createdAt),
};
