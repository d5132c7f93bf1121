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
  readonly seen: RequestRecord;
  /** True if its key was answered before this request ended: the client need not retry. */
  isRepeated = false;

  constructor(seen: RequestRecord) {
    this.seen = seen;
  }

  get test(): string | null {
    return this.seen.test;
  }

  /** The response that this request stored for its key; null if it had no effect or replayed a response. */
  get done(): StoredResponse | null {
    return this.seen.stored;
  }

  get id(): string {
    return this.seen.id;
  }

  get operationId(): string | null {
    return this.seen.operationId;
  }

  get key(): string | null {
    return this.seen.idempotencyKey;
  }

  get token(): string | null {
    return this.seen.token;
  }

  get body(): Json {
    return objectOf(this.seen.body?.value);
  }

  /**
   * The fingerprint that idempotency compares; null if the body was not read or is not valid JSON, because different bodies would look
   * equal.
   */
  get fingerprint(): string | null {
    const { body, operationId, fingerprint } = this.seen;
    const isRead = body !== null ? body.value !== undefined : operationId === 'resendExecutionLog';
    return isRead ? fingerprint : null;
  }

  /** True if it has a key and a fingerprint. */
  get isWrite(): boolean {
    return this.seen.method !== 'GET' && this.key !== null && this.operationId !== 'createToken' && this.fingerprint !== null;
  }

  /** True if the client received the complete response. */
  get isTold(): boolean {
    return this.seen.outcome === 'DELIVERED' || this.seen.outcome === 'MODIFIED';
  }

  /** True if no rule or fault created or changed the response. */
  get isGenuine(): boolean {
    const { effect } = this.seen;
    return effect === null || (effect.status === undefined && effect.code === undefined && effect.expireToken === undefined);
  }

  /** True if the client knows the outcome. */
  get isAnswered(): boolean {
    return this.isTold && this.seen.status < 500 && !inconclusive.has(this.seen.status);
  }

  /** True if it took effect or failed permanently, and the client did not receive the response. */
  get isLost(): boolean {
    return this.isWrite && !this.isTold && this.done !== null && !this.isRepeated;
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
  get answer(): Json {
    return objectOf(this.seen.response.value);
  }

  /** The id of the operation in the response, if its status is final. */
  get ended(): string | null {
    if (this.operationId !== 'getOperation' || !this.isTold) return null;
    const status = objectOf(this.answer['currentState'])['status'];
    return status === 'COMPLETED' || status === 'FAILED' ? this.seen.params['operationId']! : null;
  }

  /** The details of the error response. */
  get details(): Json {
    return objectOf(this.answer['details']);
  }

  /** Returns the value of a query parameter. */
  parameter(name: string): string | undefined {
    return this.seen.query.find(([each]) => each === name)?.[1];
  }

  /** The value of Retry-After in milliseconds; null without one. */
  get retryAfterMs(): number | null {
    const { headers } = this.seen.response;
    const text = headers['Retry-After'] ?? headers['retry-after'];
    return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) * 1000 : null;
  }

  /** World time of the request, as findings show it. */
  get at(): string {
    const { began, ended } = this.seen;
    return new Date(began.worldMs ?? ended.worldMs ?? began.realMs).toISOString();
  }

  /** Time and place for a detection. */
  get place() {
    return { about: { operationId: this.operationId }, test: this.test, at: this.at };
  }

  /** Describes the outcome in one or two words. */
  get outcome(): string {
    const { status, code, outcome } = this.seen;
    if (outcome === 'CLIENT_DISCONNECTED') return 'the client had disconnected';
    return outcome === 'LOST' ? `its response was lost` : `answered ${status}${code === null ? '' : ` ${code}`}`;
  }

  /** True if it began after the given order. */
  isAfter(order: number): boolean {
    return this.seen.began.order > order;
  }

  /** The response, for {@link knows}. */
  get answered(): Answered {
    const { ended, connection } = this.seen;
    return { order: ended.order, realMs: ended.realMs, connection };
  }

  /** True if the client knew a response when it sent this request. Parallel requests can be answered before the next one is read. */
  knows({ order, realMs, connection }: Answered): boolean {
    return this.isAfter(order) && (this.seen.connection === connection || this.seen.began.realMs > realMs + underwayMs);
  }
}

/** An attempt to deliver a webhook with the facts that rules derive from it. */
export class Attempt {
  readonly seen: AttemptRecord;

  constructor(seen: AttemptRecord) {
    this.seen = seen;
  }

  /** The test of the request that caused it. */
  get test(): string | null {
    return this.seen.test;
  }

  get id(): string {
    return this.seen.id;
  }

  get which(): AttemptKind {
    return this.seen.attemptKind;
  }

  get isAccepted(): boolean {
    const { httpStatus, error } = this.seen;
    return error === null && httpStatus >= 200 && httpStatus < 300;
  }

  /** True if it was sent as the real service would: with a valid signature and time. */
  get isGenuine(): boolean {
    const { effect } = this.seen;
    return effect === null || !(effect.corruptSignature ?? effect.unsigned ?? effect.staleTimestamp ?? effect.drop ?? false);
  }

  get at(): string {
    const { began } = this.seen;
    return new Date(began.worldMs ?? began.realMs).toISOString();
  }

  /** Time and place for a detection. */
  get place() {
    return { about: { eventType: this.seen.eventType }, test: this.test, at: this.at };
  }
}
