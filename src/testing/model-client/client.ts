import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'undici';
import { publicRoutes } from '../../contract/public/routes.js';
import { movingOperations } from '../../analysis/project/findings/call.js';
import type { OperationId } from '../../contract/public/routes.js';
import type { Stage } from '../script-stage.js';
import type { Habit } from './habits.js';
import type { ClientRecords } from './records.js';

// oxlint-disable-next-line typescript/no-explicit-any -- responses of many shapes; other tests check the contract
type Json = any;

/** A response that arrived and could be parsed. */
export interface ParsedResponse {
  readonly status: number;
  readonly body: Json;
  readonly retryAfterMs: number;
}

/** The arguments of an operation. */
export interface CallArguments {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body that is not JSON, and its media type. */
  readonly raw?: { readonly bytes: Uint8Array; readonly type: string };
}

/** A request without a response so far. */
interface Owed {
  readonly operationId: OperationId;
  readonly given: CallArguments;
  readonly key: string;
}

/** API operations whose response contains an operation. */
const showing: ReadonlySet<string> = new Set(['createWithdrawal', 'createTransfer', 'createSwap', 'createDeposit', 'getOperation']);

const tokenPath = '/api/oauth/client/token';
const tries = 6;
const firstWaitMs = 200;
/** The habit `timeout.too-short`: time after which the client gives up a request, in milliseconds. */
const impatientMs = 150;
/** The habit `token.stampede`: number of workers of the client. */
const workers = 5;

/**
 * A client that follows the documentation, except for its habit. It keeps one idempotency key for each intent until there is a response,
 * increases the delay between attempts, and uses each token until it expires.
 */
export class ModelClient {
  readonly habit: Habit;
  /** The records of the client; null if it keeps none. */
  readonly #records: ClientRecords | null;
  readonly #stage: Stage;
  readonly #credentials: { clientId: string; clientSecret: string };
  readonly #pool: Pool;
  #token: Promise<string> | null = null;
  #pending: Owed[] = [];
  /** Ids of the operations whose outcome the client does not know. */
  #unread = new Set<string>();
  /** Number of idempotency keys so far with the habit `idempotency.weak-key`. */
  #intents = 0;
  /** Number of requests that were repeated with an expired token. */
  #stubborn = 0;

  constructor(stage: Stage, credentials: { clientId: string; clientSecret: string }, habit: Habit, records: ClientRecords | null = null) {
    this.#records = records;
    this.#stage = stage;
    this.#credentials = credentials;
    this.habit = habit;
    // One connection with a habit: a request on another connection could have been sent before the response arrived.
    this.#pool = new Pool(stage.url, { connections: habit === null ? 3 : 1, pipelining: 1 });
  }

  /** Advances real time by `ms` milliseconds without a request. */
  rest(ms: number): void {
    this.#stage.pass(ms);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /** Deletes pending requests and unknown outcomes, after the world has been replaced. */
  forget(): void {
    this.#pending = [];
    this.#unread.clear();
  }

  /** Reads every operation whose outcome the client does not know. */
  async learn(): Promise<void> {
    if (this.habit === 'outcome.never-learned') return;
    for (const operationId of this.#unread) await this.read('getOperation', { params: { operationId } });
    this.#unread.clear();
  }

  /** Retries all requests without a response. */
  async settle(): Promise<void> {
    for (const { operationId, given, key } of this.#pending.splice(0)) await this.#insist(operationId, given, key);
  }

  read(operationId: OperationId, given: CallArguments = {}): Promise<ParsedResponse | null> {
    return this.#insist(operationId, given, null);
  }

  /** Returns an idempotency key for a new intent. */
  newKey(): string {
    if (this.habit !== 'idempotency.weak-key') return randomUUID();
    this.#intents += 1;
    return `00000000-0000-4000-8000-${String(this.#intents).padStart(12, '0')}`;
  }

  /** @returns null without a response so far; the request is retried later */
  write(operationId: OperationId, given: CallArguments, key = this.newKey()): Promise<ParsedResponse | null> {
    return this.#insist(operationId, given, key);
  }

  /** Lets several workers, each with its own connection, read a list and then request a token. */
  async stampede(): Promise<void> {
    const clients = Array.from({ length: workers }, () => new Client(this.#stage.url));
    const token = await (this.#token ??= this.#newToken());
    const send = async (client: Client, method: 'GET' | 'POST', path: string, headers: Record<string, string>, body: string | null) => {
      const response = await client.request({ method, path, headers, body }).catch(() => null); // A fault may lose it.
      await response?.body.text();
    };
    for (const client of clients) await send(client, 'GET', '/api/accounts', { authorization: `Bearer ${token}` }, null);
    const credentials = JSON.stringify(this.#credentials);
    for (const client of clients) await send(client, 'POST', tokenPath, { 'content-type': 'application/json' }, credentials);
    for (const client of clients) await client.close();
  }

  /** Sends a request that does not belong to an API operation. */
  stray(method: string, path: string): Promise<ParsedResponse | null> {
    return this.#send(method, path, {}, null);
  }

  async #insist(operationId: OperationId, given: CallArguments, key: string | null): Promise<ParsedResponse | null> {
    let used = key;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const response = await this.#once(operationId, given, used);
      const isOver = response?.body?.code === 'EXPIRED_ACCESS_TOKEN';
      if (response && isOver) this.#renew();
      else if (response && response.status < 500 && response.status !== 429 && !this.#isPuzzled(response, attempt)) {
        if (response.status < 300 && showing.has(operationId)) this.#records?.noteOperation(response.body);
        return response;
      } else this.#stage.pass(this.#waitMs(attempt, response));
      if (response === null && this.habit === 'idempotency.lost-response-abandoned') return null;
      if (used !== null && this.#takesNewKey(response)) used = randomUUID();
    }
    if (used !== null) this.#pending.push({ operationId, given, key: used });
    return null;
  }

  async #once(operationId: OperationId, given: CallArguments, key: string | null): Promise<ParsedResponse | null> {
    const response = await this.#call(operationId, given, key);
    if (response?.status === 201 && movingOperations.has(operationId)) this.#unread.add(response.body.id);
    return response;
  }

  async #call(operationId: OperationId, given: CallArguments, key: string | null): Promise<ParsedResponse | null> {
    const route = publicRoutes.find((each) => each.operationId === operationId)!;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => given.params?.[name] ?? '');
    const query = new URLSearchParams(given.query).toString();
    return this.#send(route.method.toUpperCase(), query === '' ? path : `${path}?${query}`, given, key);
  }

  async #send(method: string, path: string, { body, raw }: CallArguments, key: string | null): Promise<ParsedResponse | null> {
    if (this.habit === 'token.per-request') this.#token = null;
    const token = await (this.#token ??= this.#newToken());
    const isLeaky = this.habit === 'secret.in-url' && method === 'GET';
    const target = isLeaky ? `${path}${path.includes('?') ? '&' : '?'}access_token=${token}` : path;
    return this.#exchange(
      method,
      target,
      {
        authorization: `Bearer ${token}`,
        ...(key === null ? {} : { 'x-idempotency-key': key }),
        ...(this.habit === 'secret.sent-elsewhere' ? { 'x-client-secret': this.#credentials.clientSecret } : {}),
        ...(this.habit === 'request.unknown-version' ? { 'x-service-version': '2019-01-01' } : {}),
        ...(raw ? { 'content-type': raw.type } : body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      raw?.bytes ?? (body === undefined ? null : JSON.stringify(this.#worded(body))),
    );
  }

  /** Returns the body that the client sends, which has an unknown field if that is its habit. */
  #worded(body: unknown): unknown {
    return this.habit === 'request.unknown-field' ? { ...(body as object), clientReference: 'order 7' } : body;
  }

  /** Sends one request. @returns null without a response, or with one that cannot be parsed */
  async #exchange(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | Uint8Array | null,
  ): Promise<ParsedResponse | null> {
    try {
      const signal = this.habit === 'timeout.too-short' ? AbortSignal.timeout(impatientMs) : null;
      const answer = await this.#pool.request({ method, path, headers, body, signal });
      const text = await answer.body.text();
      const retryAfterMs = Number(answer.headers['retry-after'] ?? 0) * 1000;
      return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text), retryAfterMs };
    } catch {
      // The sandbox has to notice the disconnect before the time moves.
      if (this.habit === 'timeout.too-short') await sleep(30);
      return null;
    }
  }

  async #newToken(): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const headers = { 'content-type': 'application/json' };
      const response = await this.#exchange('POST', tokenPath, headers, JSON.stringify(this.#credentials));
      if (response?.status === 200) return response.body.accessToken as string;
      if (attempt > 20) throw new Error(`No token was issued: ${JSON.stringify(response)}`);
      this.#stage.pass(Math.max(firstWaitMs * 2 ** attempt, response?.retryAfterMs ?? 0));
    }
  }

  #renew(): void {
    if (this.habit === 'token.expired-reused' && this.#stubborn < 3) {
      this.#stubborn += 1;
      this.#stage.pass(1100);
      return;
    }
    this.#stubborn = 0;
    this.#token = null;
  }

  /** Returns the delay before the next attempt, in milliseconds. */
  #waitMs(attempt: number, response: ParsedResponse | null): number {
    if (this.habit === 'retry.no-backoff' && !response?.retryAfterMs) return 300;
    const growing = firstWaitMs * 2 ** attempt;
    return this.habit === 'retry.too-early' ? growing : Math.max(growing, response?.retryAfterMs ?? 0);
  }

  #takesNewKey(response: ParsedResponse | null): boolean {
    if (this.habit === 'idempotency.lost-response-new-key' || this.habit === 'payment.repeated') return response === null;
    return this.habit === 'idempotency.new-key-after-5xx' && response !== null && response.status >= 500;
  }

  /** True if a strict parser makes the client believe that the request failed. */
  #isPuzzled(response: ParsedResponse, attempt: number): boolean {
    return (
      this.habit === 'response.unknown-fields' &&
      attempt === 0 &&
      response.status < 300 &&
      JSON.stringify(response.body).includes('unknownField')
    );
  }
}
