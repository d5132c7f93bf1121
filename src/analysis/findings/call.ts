import { publicRoutes } from '../../contract/public/routes.js';
import type { AttemptKind } from '../../domain/webhooks/delivery.js';
import type { AttemptRecord, RequestRecord, StoredResponse } from '../../world/observer.js';

/** The operations that move money. */
export const movingOperations: ReadonlySet<string> = new Set(['createWithdrawal', 'createTransfer', 'createSwap', 'createDeposit']);
/** The operations that use a quote; the quote itself reveals a second use. */
export const quotedOperations: ReadonlySet<string> = new Set(['createWithdrawal', 'createSwap', 'createDeposit']);

/** The operations that change something. */
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

/** Errors below 500 after which a retry may have another result. */
const inconclusive: ReadonlySet<number> = new Set([401, 408, 429]);

/** Time after a response in which earlier requests may arrive over other connections, in milliseconds. */
const underwayMs = 1000;

/** The response to a request, with the facts that show whether the sender of another request knew it. */
export interface Answered {
  readonly order: number;
  readonly realMs: number;
  readonly connection: number | null;
}

/** An API request with the facts that rules derive from it. */
export class Call {
  readonly record: RequestRecord;
  /** True if its key was answered before this request ended: the client need not retry. */
  isRepeated = false;

  constructor(record: RequestRecord) {
    this.record = record;
  }

  get test(): string | null {
    return this.record.test;
  }

  /** The response that this request stored for its key; null if it had no effect or replayed a response. */
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
   * The fingerprint that idempotency compares; null if the body was not read or is not valid JSON, because different bodies would look
   * equal.
   */
  get fingerprint(): string | null {
    const { body, operationId, fingerprint } = this.record;
    const isRead = body !== null ? body.value !== undefined : operationId === 'resendExecutionLog';
    return isRead ? fingerprint : null;
  }

  /** True if it has a key and a fingerprint. */
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

  /** True if the client knows the outcome. */
  get isAnswered(): boolean {
    return this.isDelivered && this.record.status < 500 && !inconclusive.has(this.record.status);
  }

  /** True if it took effect or failed permanently, and the client did not receive the response. */
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

  /** The data of the response. */
  get responseBody(): Json {
    return objectOf(this.record.response.value);
  }

  /** The id of the operation in the response, if its status is final. */
  get ended(): string | null {
    if (this.operationId !== 'getOperation' || !this.isDelivered) return null;
    const status = objectOf(this.responseBody['currentState'])['status'];
    return status === 'COMPLETED' || status === 'FAILED' ? this.record.params['operationId']! : null;
  }

  /** The details of the error response. */
  get details(): Json {
    return objectOf(this.responseBody['details']);
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
    return new Date(began.worldMs ?? ended.worldMs ?? began.realMs).toISOString();
  }

  /** Time and place for a detection. */
  get place() {
    return { about: { operationId: this.operationId }, test: this.test, at: this.at };
  }

  /** Describes the outcome in one or two words. */
  get outcome(): string {
    const { status, code, outcome } = this.record;
    if (outcome === 'CLIENT_DISCONNECTED') return 'the client had disconnected';
    return outcome === 'LOST' ? `its response was lost` : `answered ${status}${code === null ? '' : ` ${code}`}`;
  }

  /** True if it began after the given order. */
  isAfter(order: number): boolean {
    return this.record.began.order > order;
  }

  /** The response, for {@link knows}. */
  get answered(): Answered {
    const { ended, connection } = this.record;
    return { order: ended.order, realMs: ended.realMs, connection };
  }

  /** True if the client knew a response when it sent this request. Parallel requests can be answered before the next one is read. */
  knows({ order, realMs, connection }: Answered): boolean {
    return this.isAfter(order) && (this.record.connection === connection || this.record.began.realMs > realMs + underwayMs);
  }
}

/** An attempt to deliver a webhook with the facts that rules derive from it. */
export class Attempt {
  readonly record: AttemptRecord;

  constructor(record: AttemptRecord) {
    this.record = record;
  }

  /** The test of the request that caused it. */
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

  /** True if it was sent as the real service would: with a valid signature and time. */
  get isGenuine(): boolean {
    const { effect } = this.record;
    return effect === null || !(effect.corruptSignature ?? effect.unsigned ?? effect.staleTimestamp ?? effect.drop ?? false);
  }

  get at(): string {
    const { began } = this.record;
    return new Date(began.worldMs ?? began.realMs).toISOString();
  }

  /** Time and place for a detection. */
  get place() {
    return { about: { eventType: this.record.eventType }, test: this.test, at: this.at };
  }
}
