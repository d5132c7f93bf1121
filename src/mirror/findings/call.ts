import { publicRoutes } from '../../contract/public/routes.js';
import type { AttemptKind } from '../../domain/webhooks/delivery.js';
import type { Exchange, SeenAttempt } from '../../world/witness.js';

/** The operations that move money. */
export const movingOperations: ReadonlySet<string> = new Set(['createWithdrawal', 'createTransfer', 'createSwap', 'createDeposit']);
/** Those of them that use a quote up, whose second use the quote itself betrays. */
export const quotedOperations: ReadonlySet<string> = new Set(['createWithdrawal', 'createSwap', 'createDeposit']);

/** The operations that change something. */
export const writingOperations: ReadonlySet<string> = new Set(
  publicRoutes.filter(({ method }) => method !== 'get').map(({ operationId }) => operationId),
);

/** The answer that is stored for an idempotency key. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

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

/** How an operation is answered that has ended. */
const atEnd = /"currentState":\{"status":"(COMPLETED|FAILED)"/;

/** A call of the API as rules look at it: the exchange, and what follows from it, found out when first asked for. */
export class Call {
  readonly seen: Exchange;
  /** The mark that was in force when it began. */
  readonly test: string | null;
  /** What was stored for its idempotency key because of this very call; undefined when it did nothing, or only repeated an answer. */
  readonly done: StoredAnswer | undefined;
  /** Whether the same key had been answered before this call ended: who asks again need not wait for that. */
  isRepeated = false;
  #fingerprint: string | null | undefined;
  #answer: Json | undefined;
  #key: string | null | undefined;
  #ended: string | null | undefined;

  constructor(seen: Exchange, test: string | null, done: StoredAnswer | undefined) {
    this.seen = seen;
    this.test = test;
    this.done = done;
  }

  get id(): string {
    return this.seen.id;
  }

  get operationId(): string | null {
    return this.seen.operationId;
  }

  get key(): string | null {
    if (this.#key === undefined) this.#key = this.seen.idempotencyKey;
    return this.#key;
  }

  get token(): string | null {
    return this.seen.token;
  }

  get body(): Json {
    return objectOf(this.seen.body?.value);
  }

  /** What idempotency tells requests apart by; null for one whose body was not read or is no JSON, of which two different ones would look alike. */
  get fingerprint(): string | null {
    if (this.#fingerprint !== undefined) return this.#fingerprint;
    const { body, operationId } = this.seen;
    const isRead = body !== null ? body.value !== undefined : operationId === 'resendExecutionLog';
    return (this.#fingerprint = isRead ? this.seen.fingerprint : null);
  }

  /** Whether it is a keyed request that can be told apart from others. */
  get isWrite(): boolean {
    return this.seen.method !== 'GET' && this.key !== null && this.operationId !== 'createToken' && this.fingerprint !== null;
  }

  /** Whether its answer reached the client in one piece. */
  get isTold(): boolean {
    return this.seen.fate === 'INTACT' || this.seen.fate === 'ALTERED';
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
    return this.isWrite && !this.isTold && this.done !== undefined && !this.isRepeated;
  }

  /** The id of what the request has made, by its answer as it is stored; null when it made nothing that has one. */
  get madeId(): string | null {
    const { done } = this;
    if (!done || done.status >= 300 || done.body === '') return null;
    return textOf(objectOf(JSON.parse(done.body))['id']) ?? null;
  }

  /** The quote that it would use up. */
  get quoteId(): string | undefined {
    return quotedOperations.has(this.operationId ?? '') ? textOf(this.body['quoteId'])?.toLowerCase() : undefined;
  }

  /** The answer as it was sent. */
  get answer(): Json {
    if (this.#answer === undefined) {
      try {
        this.#answer = objectOf(JSON.parse(this.seen.answer.body ?? 'null'));
      } catch {
        this.#answer = {}; // Some effects break it.
      }
    }
    return this.#answer;
  }

  /** The operation that was read, when the client was told that it has ended. */
  get ended(): string | null {
    if (this.#ended === undefined) {
      const { operationId, seen, isTold } = this;
      const isEnded = operationId === 'getOperation' && isTold && atEnd.test(seen.answer.body ?? '');
      this.#ended = isEnded ? seen.params['operationId']! : null;
    }
    return this.#ended;
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
    const { headers } = this.seen.answer;
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
    const { status, code, fate } = this.seen;
    if (fate === 'CLIENT_GONE') return 'the client had gone';
    return fate === 'LOST' ? `its answer was lost` : `answered ${status}${code === null ? '' : ` ${code}`}`;
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
  readonly seen: SeenAttempt;
  /** The mark of the request that led to it. */
  readonly test: string | null;

  constructor(seen: SeenAttempt, test: string | null) {
    this.seen = seen;
    this.test = test;
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
