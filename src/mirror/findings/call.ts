import { publicRoutes } from '../../contract/public/routes.js';
import type { AttemptKind } from '../../domain/webhooks/delivery.js';
import type { AttemptRecord, RequestRecord, StoredResponse } from '../../world/observer.js';

/** The operations that move money. */
export const movingOperations: ReadonlySet<string> = new Set(['createWithdrawal', 'createTransfer', 'createSwap', 'createDeposit']);
/** Those of them that use a quote up, whose second use the quote itself betrays. */
export const quotedOperations: ReadonlySet<string> = new Set(['createWithdrawal', 'createSwap', 'createDeposit']);

/** The operations that change something. */
export const writingOperations: ReadonlySet<string> = new Set(
  publicRoutes.filter(({ method }) => method !== 'get').map(({ operationId }) => operationId),
);

/** What came as JSON, by its names. */
export type Json = Readonly<Record<string, unknown>>;

/** A value as the object that it is; an empty one when it is none. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** A value as a list of objects; an empty one when it is none. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** A value when it is a text; else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Refusals below 500 that say nothing of what the request comes to when it is repeated. */
const inconclusive: ReadonlySet<number> = new Set([401, 408, 429]);

/** How long after an answer requests may still come that were sent before it was known, over other connections. */
const underwayMs = 1000;

/** The answer of a call, as far as it tells whether who sent another one knew of it. */
export interface Answered {
  readonly order: number;
  readonly realMs: number;
  readonly connection: number | null;
}

/** A request of the API as rules look at it: what follows from its record. */
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

  /** What was done and stored for its key because of this very request; null if it did nothing, or repeated a response. */
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

  /** What idempotency tells requests apart by; null for one whose body was not read or is no JSON, of which two different ones would look alike. */
  get fingerprint(): string | null {
    const { body, operationId, fingerprint } = this.seen;
    const isRead = body !== null ? body.value !== undefined : operationId === 'resendExecutionLog';
    return isRead ? fingerprint : null;
  }

  /** Whether it is a keyed request that can be told apart from others. */
  get isWrite(): boolean {
    return this.seen.method !== 'GET' && this.key !== null && this.operationId !== 'createToken' && this.fingerprint !== null;
  }

  /** Whether its answer reached the client in one piece. */
  get isTold(): boolean {
    return this.seen.outcome === 'INTACT' || this.seen.outcome === 'ALTERED';
  }

  /** Whether the answer is the sandbox's own and no rule or fault has made it. */
  get isGenuine(): boolean {
    const { effect } = this.seen;
    return effect === null || (effect.status === undefined && effect.code === undefined && effect.expireToken === undefined);
  }

  /** Whether its client knows how it ended. */
  get isAnswered(): boolean {
    return this.isTold && this.seen.status < 500 && !inconclusive.has(this.seen.status);
  }

  /** Whether it took effect, or was refused for good, and its client was not told. */
  get isLost(): boolean {
    return this.isWrite && !this.isTold && this.done !== null && !this.isRepeated;
  }

  /** The id of what the request has made; null if it made nothing that has one. */
  get madeId(): string | null {
    return this.done?.madeId ?? null;
  }

  /** The quote that it would use up. */
  get quoteId(): string | undefined {
    return quotedOperations.has(this.operationId ?? '') ? textOf(this.body['quoteId'])?.toLowerCase() : undefined;
  }

  /** The data of the response. */
  get answer(): Json {
    return objectOf(this.seen.response.value);
  }

  /** The operation that was read, if the client learnt that it has ended. */
  get ended(): string | null {
    if (this.operationId !== 'getOperation' || !this.isTold) return null;
    const status = objectOf(this.answer['currentState'])['status'];
    return status === 'COMPLETED' || status === 'FAILED' ? this.seen.params['operationId']! : null;
  }

  /** The details of its refusal. */
  get details(): Json {
    return objectOf(this.answer['details']);
  }

  /** The value of a parameter of its query. */
  parameter(name: string): string | undefined {
    return this.seen.query.find(([each]) => each === name)?.[1];
  }

  /** What Retry-After asks for, in milliseconds; null when it does not. */
  get retryAfterMs(): number | null {
    const { headers } = this.seen.response;
    const text = headers['Retry-After'] ?? headers['retry-after'];
    return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) * 1000 : null;
  }

  /** The instant of its world, as findings show it. */
  get at(): string {
    const { began, ended } = this.seen;
    return new Date(began.worldMs ?? ended.worldMs ?? began.realMs).toISOString();
  }

  /** What a sighting says of when and where it was. */
  get place() {
    return { about: { operationId: this.operationId }, test: this.test, at: this.at };
  }

  /** How it was answered, in a word or two. */
  get outcome(): string {
    const { status, code, outcome } = this.seen;
    if (outcome === 'CLIENT_GONE') return 'the client had gone';
    return outcome === 'LOST' ? `its answer was lost` : `answered ${status}${code === null ? '' : ` ${code}`}`;
  }

  /** Whether it began after something had ended. */
  isAfter(order: number): boolean {
    return this.seen.began.order > order;
  }

  /** Its answer, for {@link knows}. */
  get answered(): Answered {
    const { ended, connection } = this.seen;
    return { order: ended.order, realMs: ended.realMs, connection };
  }

  /** Whether its client knew of an answer when it sent this: of calls in parallel one may be answered before the next one is read. */
  knows({ order, realMs, connection }: Answered): boolean {
    return this.isAfter(order) && (this.seen.connection === connection || this.seen.began.realMs > realMs + underwayMs);
  }
}

/** An attempt to deliver a webhook as rules look at it. */
export class Attempt {
  readonly seen: AttemptRecord;

  constructor(seen: AttemptRecord) {
    this.seen = seen;
  }

  /** The test of the request that led to it. */
  get test(): string | null {
    return this.seen.test;
  }

  get id(): string {
    return this.seen.id;
  }

  get which(): AttemptKind {
    return this.seen.which;
  }

  get isAccepted(): boolean {
    const { httpStatus, error } = this.seen;
    return error === null && httpStatus >= 200 && httpStatus < 300;
  }

  /** Whether it was sent as the real service would: rightly signed, for now. */
  get isGenuine(): boolean {
    const { effect } = this.seen;
    return effect === null || !(effect.corruptSignature ?? effect.unsigned ?? effect.staleTimestamp ?? effect.drop ?? false);
  }

  get at(): string {
    const { began } = this.seen;
    return new Date(began.worldMs ?? began.realMs).toISOString();
  }

  /** What a sighting says of when and where it was. */
  get place() {
    return { about: { eventType: this.seen.eventType }, test: this.test, at: this.at };
  }
}
