import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { publicRoutes } from '../../contract/public/routes.js';
import type { OperationId } from '../../contract/public/routes.js';
import type { Stage } from '../script-stage.js';
import type { Habit } from './habits.js';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of many shapes; the contract is checked elsewhere
type Json = any;

/** An answer that arrived and could be read. */
export interface Told {
  readonly status: number;
  readonly body: Json;
  readonly retryAfterMs: number;
}

/** What an operation is called with. */
export interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body that is no JSON, with its type. */
  readonly raw?: { readonly bytes: Uint8Array; readonly type: string };
}

/** A request that has had no answer yet. */
interface Owed {
  readonly operationId: OperationId;
  readonly given: Given;
  readonly key: string;
}

const tries = 6;
const firstWaitMs = 200;

/**
 * A client that does what the documentation says: one key for each intent, kept until there is an answer; patience that grows;
 * one token until it ends. Its habit is the one thing that it gets wrong.
 */
export class ModelClient {
  readonly habit: Habit;
  readonly #stage: Stage;
  readonly #credentials: { clientId: string; clientSecret: string };
  readonly #pool: Pool;
  #token: Promise<string> | null = null;
  #owed: Owed[] = [];
  /** How many more calls go out with a token that was refused. */
  #stubborn = 0;

  constructor(stage: Stage, credentials: { clientId: string; clientSecret: string }, habit: Habit) {
    this.#stage = stage;
    this.#credentials = credentials;
    this.habit = habit;
    // What comes at once over another connection may have been on its way before the answer was there.
    this.#pool = new Pool(stage.url, { connections: habit === null ? 3 : 1, pipelining: 1 });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /** Starts anew, as its world does. */
  forget(): void {
    this.#owed = [];
  }

  /** Asks for all that has had no answer yet. */
  async settle(): Promise<void> {
    for (const { operationId, given, key } of this.#owed.splice(0)) await this.#insist(operationId, given, key);
  }

  read(operationId: OperationId, given: Given = {}): Promise<Told | null> {
    return this.#insist(operationId, given, null);
  }

  /** @returns null when there is no answer so far; then it is asked for later */
  write(operationId: OperationId, given: Given, key: string = randomUUID()): Promise<Told | null> {
    return this.#insist(operationId, given, key);
  }

  /** Sends something that is no operation. */
  stray(method: string, path: string): Promise<Told | null> {
    return this.#send(method, path, {}, null);
  }

  async #insist(operationId: OperationId, given: Given, key: string | null): Promise<Told | null> {
    let used = key;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const told = await this.#once(operationId, given, used);
      const isOver = told?.body?.code === 'EXPIRED_ACCESS_TOKEN';
      if (told && isOver) this.#renew();
      else if (told && told.status < 500 && told.status !== 429 && !this.#isPuzzled(told, attempt)) return told;
      else this.#stage.pass(this.#waitMs(attempt, told));
      if (told === null && this.habit === 'idempotency.lost-response-abandoned') return null;
      if (used !== null && this.#takesNewKey(told)) used = randomUUID();
    }
    if (used !== null) this.#owed.push({ operationId, given, key: used });
    return null;
  }

  async #once(operationId: OperationId, given: Given, key: string | null): Promise<Told | null> {
    const route = publicRoutes.find((each) => each.operationId === operationId)!;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => given.params?.[name] ?? '');
    const query = new URLSearchParams(given.query).toString();
    return this.#send(route.method.toUpperCase(), query === '' ? path : `${path}?${query}`, given, key);
  }

  async #send(method: string, path: string, { body, raw }: Given, key: string | null): Promise<Told | null> {
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

  /** The body as the client writes it. */
  #worded(body: unknown): unknown {
    return this.habit === 'request.unknown-field' ? { ...(body as object), clientReference: 'order 7' } : body;
  }

  /** One call. @returns null when no answer came, or none that can be read */
  async #exchange(method: string, path: string, headers: Record<string, string>, body: string | Uint8Array | null): Promise<Told | null> {
    try {
      const answer = await this.#pool.request({ method, path, headers, body });
      const text = await answer.body.text();
      const retryAfterMs = Number(answer.headers['retry-after'] ?? 0) * 1000;
      return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text), retryAfterMs };
    } catch {
      return null;
    }
  }

  async #newToken(): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const headers = { 'content-type': 'application/json' };
      const told = await this.#exchange('POST', '/api/oauth/client/token', headers, JSON.stringify(this.#credentials));
      if (told?.status === 200) return told.body.accessToken as string;
      if (attempt > 20) throw new Error(`There is no token to be had: ${JSON.stringify(told)}`);
      this.#stage.pass(Math.max(firstWaitMs * 2 ** attempt, told?.retryAfterMs ?? 0));
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

  /** How long it waits before the next try. */
  #waitMs(attempt: number, told: Told | null): number {
    if (this.habit === 'retry.no-backoff' && !told?.retryAfterMs) return 300;
    const growing = firstWaitMs * 2 ** attempt;
    return this.habit === 'retry.too-early' ? growing : Math.max(growing, told?.retryAfterMs ?? 0);
  }

  #takesNewKey(told: Told | null): boolean {
    if (this.habit === 'idempotency.lost-response-new-key') return told === null;
    return this.habit === 'idempotency.new-key-after-5xx' && told !== null && told.status >= 500;
  }

  /** Whether a strict parser makes it believe that it failed. */
  #isPuzzled(told: Told, attempt: number): boolean {
    return (
      this.habit === 'response.unknown-fields' && attempt === 0 && told.status < 300 && JSON.stringify(told.body).includes('unknownField')
    );
  }
}
