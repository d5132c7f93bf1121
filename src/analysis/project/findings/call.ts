import { publicRoutes } from '../../../contract/public/routes.js';
import { isDefinedEvent } from '../../../contract/shared/event-types.js';
import { timestampOf } from '../../../domain/context.js';
import { finalOperationStatuses } from '../../../domain/operations/operation.js';
import type { AttemptKind } from '../../../domain/webhooks/delivery.js';
import type { AttemptRecord, ClientConnection, ResponseDelivery, RequestRecord, StoredResponse } from '../../../exchange/exchange.js';
import { headerOf } from '../../../exchange/raw-headers.js';

/** The operations that move money. */
export const movingOperations: ReadonlySet<string> = new Set(['createWithdrawal', 'createTransfer', 'createSwap', 'createDeposit']);
/** The operations that use a quote. A quote can be used only once. */
export const quotedOperations: ReadonlySet<string> = new Set(['createWithdrawal', 'createSwap', 'createDeposit']);

/** The operations that create or change a resource. */
export const writingOperations: ReadonlySet<string> = new Set(
  publicRoutes.filter(({ method }) => method !== 'get').map(({ operationId }) => operationId),
);

/** A JSON object, by the names of its fields. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns a value if it is an object; otherwise an empty object. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** Returns a value as a list of objects; an empty list if it is not a list. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Returns a value if it is a string; otherwise undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Error statuses below 500 after which a retry can have a different result. */
const inconclusive: ReadonlySet<number> = new Set([401, 408, 429]);

/** Time after which a client is assumed to have read a response if the connection is still open, in milliseconds. */
const readingMs = 50;

/** A response that the client may have read, for {@link Call.hasRead} and {@link Call.follows}. */
export interface Sent {
  /** Order at which the response was ready to be sent. */
  readonly order: number;
  /** The token of the request. */
  readonly token: string | null;
  readonly delivery: ResponseDelivery;
}

/**
 * True if the connection carried only one request and was closed before the given order: the client opens a connection for each request,
 * or sends `Connection: close`. A later close proves nothing, because a client closes the connections of all its workers when it ends.
 */
export function isForOneRequest(connection: ClientConnection | null, before: number): boolean {
  if (connection === null || connection.closed === null || connection.opened !== connection.newest) return false;
  return connection.closed.by !== 'RESET' && connection.closed.order < before;
}

/**
 * True if the connection carried only this response, and was closed before the given order by a client that has read it: immediately after
 * the last byte, or at any time after `Connection: close`. The close of a connection with earlier requests means that the process of the
 * client was killed.
 */
function isClosedAfterReading(connection: ClientConnection, { sentMs, isLast }: ResponseDelivery, before: number): boolean {
  return isForOneRequest(connection, before) && (isLast || connection.closed!.realMs - sentMs <= readingMs);
}

/** True if the connection of a response carried another request after it, and before the given order. */
const hasCarriedMore = ({ order, delivery: { followedBy } }: Sent, before: number) =>
  followedBy !== null && followedBy > order && followedBy < before;

/** An API request with the facts that rules derive from it. */
export class Call {
  readonly record: RequestRecord;
  /** True if another request with its idempotency key got a response before this request ended: the client does not have to retry. */
  isRepeated = false;

  constructor(record: RequestRecord) {
    this.record = record;
  }

  get test(): string | null {
    return this.record.test;
  }

  /** The response that this request stored for its idempotency key; null if the request had no effect or replayed a response. */
  get done(): StoredResponse | null {
    return this.record.stored;
  }

  get id(): string {
    return this.record.id;
  }

  get operationId(): string | null {
    return this.record.operationId;
  }

  get key(): string | null {
    return this.record.idempotencyKey;
  }

  get token(): string | null {
    return this.record.token;
  }

  get body(): Json {
    return objectOf(this.record.body?.value);
  }

  /**
   * The fingerprint that the idempotency check compares. Null if the body was not read or is not valid JSON, because different bodies would
   * look equal.
   */
  get fingerprint(): string | null {
    const { body, operationId, fingerprint } = this.record;
    const isRead = body !== null ? body.value !== undefined : operationId === 'resendExecutionLog';
    return isRead ? fingerprint : null;
  }

  /** True if the request is a write with an idempotency key and a fingerprint. */
  get isWrite(): boolean {
    return this.record.method !== 'GET' && this.key !== null && this.operationId !== 'createToken' && this.fingerprint !== null;
  }

  /** True if the client received the complete response. */
  get isDelivered(): boolean {
    return this.record.outcome === 'DELIVERED' || this.record.outcome === 'MODIFIED';
  }

  /** True if no rule or fault created or changed the response. */
  get isGenuine(): boolean {
    const { effect } = this.record;
    return effect === null || (effect.status === undefined && effect.code === undefined && effect.expireToken === undefined);
  }

  /** True if the client received a response that shows the final outcome of the request. */
  get isAnswered(): boolean {
    return this.isDelivered && this.record.status < 500 && !inconclusive.has(this.record.status);
  }

  /** True if the request took effect or failed permanently, and the client did not receive the response. */
  get isLost(): boolean {
    return this.isWrite && !this.isDelivered && this.done !== null && !this.isRepeated;
  }

  /** The id of the created resource; null without one. */
  get madeId(): string | null {
    return this.done?.madeId ?? null;
  }

  /** The id of the quote in the request. */
  get quoteId(): string | undefined {
    return quotedOperations.has(this.operationId ?? '') ? textOf(this.body['quoteId'])?.toLowerCase() : undefined;
  }

  /** The JSON object in the response; empty without one. */
  get responseBody(): Json {
    return objectOf(this.record.response.value);
  }

  /** The id of the operation in the response if the status of the operation is final; otherwise null. */
  get ended(): string | null {
    if (this.operationId !== 'getOperation' || !this.isDelivered) return null;
    const status = objectOf(this.responseBody['currentState'])['status'];
    return finalOperationStatuses.has(status) ? this.record.params['operationId']! : null;
  }

  /** The details of the error response. */
  get details(): Json {
    return objectOf(this.responseBody['details']);
  }

  /** The value of User-Agent; empty without one. */
  get userAgent(): string {
    return headerOf(this.record.rawHeaders, 'user-agent') ?? '';
  }

  /** True if this is the first request of its connection. */
  get opensConnection(): boolean {
    const { delivery, began } = this.record;
    return delivery.connection?.opened === began.order;
  }

  /** Returns the value of a query parameter. */
  parameter(name: string): string | undefined {
    return this.record.query.find(([each]) => each === name)?.[1];
  }

  /** The value of Retry-After in milliseconds; null without one. */
  get retryAfterMs(): number | null {
    const { headers } = this.record.response;
    const text = headers['Retry-After'] ?? headers['retry-after'];
    return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) * 1000 : null;
  }

  /** World time of the request, as findings show it. */
  get at(): string {
    const { began, ended } = this.record;
    return timestampOf(began.worldMs ?? ended.worldMs ?? began.realMs);
  }

  /** The subject, test and time of a detection. */
  get place() {
    return { about: { operationId: this.operationId }, test: this.test, at: this.at };
  }

  /** Describes the outcome of the request, for evidence. */
  get outcome(): string {
    const { status, code, outcome } = this.record;
    if (outcome === 'CLIENT_DISCONNECTED') return 'the client had disconnected';
    return outcome === 'LOST' ? `its response was lost` : `answered ${status}${code === null ? '' : ` ${code}`}`;
  }

  /** True if the request began after the given order. */
  isAfter(order: number): boolean {
    return this.record.began.order > order;
  }

  /** The response of this request, for comparison with later requests. */
  get sent(): Sent {
    const { ended, delivery } = this.record;
    return { order: ended.order, token: this.token, delivery };
  }

  /**
   * True if the client had read a response when it sent this request: the connection of the response has carried another request since, was
   * closed by the client after the last byte, or has stayed open for 50 ms.
   */
  hasRead(sent: Sent): boolean {
    const { connection, sentOrder, sentMs } = sent.delivery;
    const { began } = this.record;
    if (!this.isAfter(sent.order)) return false;
    if (connection === null || connection === this.record.delivery.connection) return true;
    if (hasCarriedMore(sent, began.order)) return true;
    if (sentOrder === null || sentOrder > began.order) return false;
    if (connection.closed !== null && connection.closed.order < began.order && connection.closed.by !== 'SERVER')
      return connection.closed.by === 'CLIENT';
    return began.realMs >= sentMs + readingMs;
  }

  /** True if the client worker that received a response may have sent this request: over the connection of the response, or a later one. */
  follows({ order, delivery }: Sent): boolean {
    const { connection } = this.record.delivery;
    if (connection === delivery.connection) return this.isAfter(order);
    return connection !== null && connection.opened > order;
  }

  /**
   * True if the client worker that received a response sent this request: over the connection of the response, or over a later one if the
   * worker opens a connection for each request.
   */
  continues(sent: Sent): boolean {
    const { connection } = sent.delivery;
    if (connection === null || connection === this.record.delivery.connection) return this.follows(sent);
    return this.follows(sent) && isClosedAfterReading(connection, sent.delivery, this.record.began.order);
  }

  /**
   * True if the client process that read a response also sent this request: the connection of the response was still open or had carried
   * more requests, or the client opens a connection for each request. Otherwise a new process may continue the work of a killed one.
   */
  isOfSameProcess(sent: Sent): boolean {
    const { token, delivery } = sent;
    const { connection } = delivery;
    const { began } = this.record;
    if (connection === null || connection === this.record.delivery.connection) return true;
    if (connection.closed === null || connection.closed.order > began.order) return true;
    // A connection that all workers of a process share may have carried more requests before the process was killed. The next process
    // requests a new token.
    if (token !== this.token) return false;
    return hasCarriedMore(sent, began.order) || isClosedAfterReading(connection, delivery, began.order);
  }
}

/** An attempt to deliver a webhook with the facts that rules derive from it. */
export class Attempt {
  readonly record: AttemptRecord;

  constructor(record: AttemptRecord) {
    this.record = record;
  }

  /** The test of the request that caused the attempt; null without one. */
  get test(): string | null {
    return this.record.test;
  }

  get id(): string {
    return this.record.id;
  }

  get which(): AttemptKind {
    return this.record.attemptKind;
  }

  get isAccepted(): boolean {
    const { httpStatus, error } = this.record;
    return error === null && httpStatus >= 200 && httpStatus < 300;
  }

  /** True if the attempt was sent as the real service sends it: with a defined event type, a valid signature and time, and not dropped. */
  get isGenuine(): boolean {
    return this.isOfDefinedType && this.isUnaltered;
  }

  /** True if the attempt was sent with a valid signature and time, and was not dropped. Its event type may be undefined. */
  get isUnaltered(): boolean {
    const { effect } = this.record;
    return !this.isForged && effect?.staleTimestamp !== true && effect?.drop !== true;
  }

  /** True if the attempt was sent with a wrong signature or without one, as by a stranger. */
  get isForged(): boolean {
    const { effect } = this.record;
    return effect?.corruptSignature === true || effect?.unsigned === true;
  }

  /** True if the API defines the type of the event. */
  get isOfDefinedType(): boolean {
    return isDefinedEvent(this.record.eventType);
  }

  get at(): string {
    const { began } = this.record;
    return timestampOf(began.worldMs ?? began.realMs);
  }

  /** The subject, test and time of a detection. */
  get place() {
    return { about: { eventType: this.record.eventType }, test: this.test, at: this.at };
  }
}
