import { type EventType, type SentEventType, isDefinedEvent, resourceEvents, resourceNames } from '../../contract/shared/event-types.js';
import type { TraceContext } from './trace-context.js';
import type { Delivery } from '../../contract/control/deliveries.js';
import { type ExecutionLog, type Subscription, type SubscriptionRequest } from '../../contract/public/webhooks.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import type { DomainEvent } from '../event.js';
import { checkMove, type Transitions } from '../machine.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { timestampFilters } from '../lists/common-fields.js';
import { withUnknownFields } from '../unknown-fields.js';
import { decimal, flag, text, timestamp, type FilterFields } from '../lists/fields.js';

export interface SubscriptionRecord extends Subscription {
  readonly seq: number;
  /** The API version of its webhooks. Default: the first */
  readonly version?: string | undefined;
  /** True if the subscription was created with `includeAll`, and so receives event types that are added later. */
  readonly includeAll?: true | undefined;
}

/** The state of the delivery of one event to one subscription. */
export type DeliveryStatus = Delivery['status'];

export const deliveryTransitions: Transitions<DeliveryStatus> = {
  /** An attempt is due now or in progress. */
  DUE: ['SUCCESS', 'FAILED', 'WAITING'],
  /** The next attempt has a scheduled time: a retry, or an attempt that an effect delays. */
  WAITING: ['DUE', 'SUCCESS'],
  /** The endpoint has accepted the event. */
  SUCCESS: [],
  /** No further automatic attempt; a resend may still succeed. */
  FAILED: ['SUCCESS'],
};

/** The body of a webhook, stored once for all deliveries of its event. */
export interface PayloadRecord {
  /** The message id of the first delivery. */
  readonly id: string;
  /** The body of every attempt, as JSON. */
  readonly text: string;
}

/** One event for one subscription. Its id is the message id. */
export interface DeliveryRecord {
  readonly id: string;
  readonly seq: number;
  readonly subscriptionId: string;
  readonly eventType: SentEventType;
  readonly resourceId: string;
  readonly payloadId: string;
  /** True if the payload is an example, not the state of a resource. */
  readonly synthetic: boolean;
  readonly status: DeliveryStatus;
  /** Number of completed attempts. */
  readonly attempts: number;
  /** Number of completed attempts that were automatic retries. */
  readonly retries: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly causeId: string;
  /** Trace context of the request that caused the event. Default: none. */
  readonly trace?: TraceContext;
}

/** A stored attempt. The payload is stored once for the event, not in this record. */
export interface ExecutionLogRecord extends Omit<ExecutionLog, 'payload' | 'eventType'> {
  readonly seq: number;
  readonly eventType: SentEventType;
  /** True if an effect added fields to the body that the API does not define. */
  readonly unknownFields?: true | undefined;
}

/** The log of an attempt whose event type the API defines. */
export type PublicLog = ExecutionLogRecord & { readonly eventType: EventType };

/**
 * Why an attempt is made: the first one, an automatic retry, a copy by an effect, or a manual resend. Only the first two can change the
 * delivery to any status; the others only to SUCCESS.
 */
export type AttemptKind = 'FIRST' | 'RETRY' | 'DUPLICATE' | 'RESEND';

/** Whether attempts of this kind wait for earlier ones of the subscription. Retries and resends do not. */
export function isOrdered(kind: AttemptKind): boolean {
  return kind === 'FIRST' || kind === 'DUPLICATE';
}

/** True for first attempts and retries, which determine the status of the delivery. */
export function isPlanned(kind: AttemptKind): boolean {
  return kind === 'FIRST' || kind === 'RETRY';
}

/** The retry policy for subscriptions that allow retries. */
export interface RetryPolicy {
  readonly retries: number;
  readonly intervalMs: number;
}

/** Returns an attempt as rules and faults see it. @param payload returns the body, as JSON */
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
    // Parsed on access, because few rules read it.
    get payload() {
      return JSON.parse(payload()) as unknown;
    },
  };
}

/** The result of an attempt: the HTTP status of the response and a null error; or status 0 and the error if there was no response. */
export interface AttemptResult {
  readonly httpStatus: number;
  readonly error: string | null;
}

export function decideSubscription(context: Context, companyId: string, request: SubscriptionRequest, seq: number): SubscriptionRecord {
  const asked = request.includeAll ? resourceNames.map((name) => ({ name, events: undefined })) : (request.resources ?? []);
  return {
    id: context.deriveId('subscription', String(seq)),
    seq,
    companyId,
    url: request.url,
    resources: asked.map(({ name, events }) => ({ name, events: events?.length ? [...events] : [...resourceEvents[name]] })),
    allowRetry: request.allowRetry,
    ...(request.includeAll ? { includeAll: true as const } : {}),
    createdAt: context.now,
    updatedAt: context.now,
  };
}

/** Creates the delivery of an event to a subscription. @param payloadId null for the first delivery of the event */
export function createDelivery(
  context: Context,
  subscription: SubscriptionRecord,
  event: Pick<DomainEvent, 'resourceId'> & { readonly type: SentEventType },
  payloadId: string | null,
  seq: number,
  synthetic: boolean,
  trace: TraceContext | null,
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
    ...(trace === null ? {} : { trace }),
  };
}

/** Moves the delivery to another status. @throws DomainError INVALID_STATUS_CHANGE */
export function enterDelivery(context: Context, delivery: DeliveryRecord, to: DeliveryStatus): DeliveryRecord {
  checkMove('delivery', delivery.id, deliveryTransitions, delivery.status, to);
  return { ...delivery, status: to, updatedAt: context.now };
}

/** Returns the sort position of an attempt. It depends on message and attempt only, and not on the speed of the endpoints. */
function attemptSeq(seq: number, attempt: number): number {
  return seq * 1_000_000 + attempt;
}

/** Whether a log belongs to the latest attempt of the delivery. */
export function isLastAttempt({ seq, attempts }: DeliveryRecord, log: ExecutionLogRecord): boolean {
  return log.seq === attemptSeq(seq, attempts);
}

/** Whether a delivery makes no further automatic attempts. */
export function isEnded({ status }: DeliveryRecord): boolean {
  return status === 'SUCCESS' || status === 'FAILED';
}

function succeeded(result: AttemptResult): boolean {
  return result.error === null && result.httpStatus >= 200 && result.httpStatus < 300;
}

/** Returns the delivery and the log entry after an attempt. Status WAITING requests a retry after the interval of the policy. */
export function endAttempt(
  context: Context,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  kind: AttemptKind,
  result: AttemptResult,
  policy: RetryPolicy,
  log: { id: string; startedAt: string; unknownFields: boolean },
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
      error: success ? null : (result.error ?? `The endpoint responded with ${result.httpStatus}.`),
      ...(log.unknownFields ? { unknownFields: true as const } : {}),
    },
  };
}

/** Checks that an attempt has failed. @throws DomainError DELIVERY_NOT_FAILED */
export function checkResendable(log: ExecutionLogRecord): void {
  if (log.status === 'FAILED') return;
  throw new DomainError(
    'DELIVERY_NOT_FAILED',
    `Attempt ${log.id} succeeded (HTTP ${log.httpStatus}). Only failed attempts can be resent here; POST /_sandbox/deliveries/{messageId}/resend resends any delivery.`,
    {
      executionLogId: log.id,
      messageId: log.messageId,
      status: log.status,
    },
  );
}

export function subscriptionView({
  seq: _seq,
  version: _version,
  includeAll: _includeAll,
  ...subscription
}: SubscriptionRecord): Subscription {
  return subscription;
}

/** True if the payments API shows the log: its event type is defined in the contract. */
export function isPublicLog(log: ExecutionLogRecord): log is PublicLog {
  return isDefinedEvent(log.eventType);
}

export function executionLogView({ seq: _seq, unknownFields, ...log }: PublicLog, payload: string): ExecutionLog {
  return { ...log, payload: unknownFields ? withUnknownFields(payload) : payload };
}

/** @param known the fields that are stored in other rows */
export function deliveryView(
  { seq: _seq, payloadId: _payloadId, ...delivery }: DeliveryRecord,
  known: Pick<Delivery, 'payload' | 'url' | 'nextAttemptAt'>,
): Delivery {
  return { ...delivery, ...known };
}

export const subscriptionFilters: FilterFields<SubscriptionRecord, FilterFieldOf<'subscriptions'>> = {
  id: text(({ id }) => id),
  url: text(({ url }) => url),
  allowRetry: flag(({ allowRetry }) => allowRetry),
  'resources.name': text(({ resources }) => resources.map(({ name }) => name)),
  ...timestampFilters,
};

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
  ...timestampFilters,
};

export const executionLogFilters: FilterFields<ExecutionLogRecord, FilterFieldOf<'executionLogs'>> = {
  id: text(({ id }) => id),
  messageId: text(({ messageId }) => messageId),
  eventType: text(({ eventType }) => eventType),
  status: text(({ status }) => status),
  httpStatus: decimal(({ httpStatus }) => httpStatus),
  retryAttempts: decimal(({ retryAttempts }) => retryAttempts),
  createdAt: timestamp(({ createdAt }) => createdAt),
};
