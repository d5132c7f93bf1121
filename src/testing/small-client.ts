import { randomUUID } from 'node:crypto';
import { messageSignature } from '../domain/webhooks/signature.js';
import type { ReceiverResponse } from './script-stage.js';

// oxlint-disable-next-line typescript/no-explicit-any -- responses of many shapes; other tests check the contract
type Json = any;

/** The errors of a small client. */
export interface Carelessness {
  /** The client creates a new idempotency key for each attempt. */
  readonly newKeys?: true;
  /** The client calculates amounts in binary floating point. */
  readonly floats?: true;
  /** The endpoint of the client fails for events that it has already stored. */
  readonly duplicates?: true;
}

/** How a correct small client learns the results of its payments. */
export interface Design {
  /** The client reads neither operations nor payees. It learns their states from webhooks. */
  readonly readsNothing?: true;
  /** The endpoint of the client stores each message in a queue and responds 204. The client verifies the signatures later. */
  readonly hasQueue?: true;
}

/** The environment of a small client. */
export interface SmallClientOptions {
  readonly url: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  /** Advances real time. */
  wait(ms: number): void;
  readonly careless: Carelessness;
  readonly design: Design;
}

/** A webhook as it arrived. */
interface Message {
  readonly id: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const tries = 6;
/** Timeout of a request in milliseconds, long enough for a busy machine. */
const timeoutMs = 2000;

/** A client that a developer writes in an afternoon: it creates quotes, requests withdrawals, and receives webhooks. */
export class SmallClient {
  readonly #options: SmallClientOptions;
  readonly #stored = new Set<string>();
  /** Messages whose signatures are not verified yet. */
  readonly #queue: Message[] = [];
  /** Bodies of the stored events, by the id of the resource and the type of the event. */
  readonly #events = new Map<string, Json>();
  readonly #name = randomUUID();
  #writes = 0;
  #token: string | null = null;

  constructor(options: SmallClientOptions) {
    this.#options = options;
  }

  /** Withdraws the total of several equal prices in one payment. @returns the operation; null if none was created */
  async payOut(price: string, times: number, payee: Json, accountId: string): Promise<Json> {
    const cents = Math.round(Number(price) * 100) * times;
    const amount = this.#options.careless.floats
      ? String(Number(price) * times)
      : `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
    const quote = await this.write('/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: amount });
    return quote?.id === undefined ? null : this.withdraw(quote.id, payee, accountId);
  }

  withdraw(quoteId: string, payee: Json, accountId: string): Promise<Json> {
    const reference = { type: 'REFERENCE', id: payee.paymentInstructions[0].id };
    return this.write('/api/operations/withdrawal', {
      accountId,
      quoteId,
      beneficiary: { type: 'REFERENCE', id: payee.id, paymentInstruction: reference },
    });
  }

  read(path: string): Promise<Json> {
    return this.#insist('GET', path, undefined);
  }

  write(path: string, body: unknown): Promise<Json> {
    return this.#insist('POST', path, body);
  }

  /** Receives a webhook: verifies the signature and stores new events. */
  receive(headers: Readonly<Record<string, unknown>>, body: string): ReceiverResponse {
    const message = { id: String(headers['x-message-id']), type: String(headers['x-event-type']), headers, body };
    if (this.#options.design.hasQueue) this.#queue.push(message);
    else if (!this.#isGenuine(message)) return { status: 401 };
    else if (this.#stored.has(message.id) && this.#options.careless.duplicates) return { status: 500 };
    else this.#store(message);
    return { status: 204 };
  }

  /** Works through the queue of the client: stores the events with a valid signature, and drops all others. */
  work(): void {
    for (const message of this.#queue.splice(0)) if (this.#isGenuine(message)) this.#store(message);
  }

  /** Returns the body of a stored event; undefined without one. */
  eventOf(id: string, type: string): Json {
    return this.#events.get(`${id} ${type}`);
  }

  /** Returns the operations of the stored events with their newest status, as the client would reconcile them. */
  records(): { readonly id: string; readonly status: string }[] {
    const statuses = new Map<string, string>();
    for (const [key, { currentState }] of this.#events) {
      const [id = '', type = ''] = key.split(' ');
      if (type.startsWith('OPERATION_') && (type !== 'OPERATION_REQUESTED' || !statuses.has(id))) statuses.set(id, currentState.status);
    }
    return Array.from(statuses, ([id, status]) => ({ id, status }));
  }

  #isGenuine({ id, headers }: Message): boolean {
    return headers['x-message-signature'] === messageSignature(id, this.#options.credentials);
  }

  #store({ id, type, body }: Message): void {
    this.#stored.add(id);
    const event: Json = JSON.parse(body);
    this.#events.set(`${event.id} ${type}`, event);
  }

  async #insist(method: string, path: string, body: unknown): Promise<Json> {
    let key = randomUUID();
    const purpose = `write ${(this.#writes += 1)} of ${this.#name}`;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const answer = await this.#once(method, path, body, key, purpose).catch(() => null);
      if (answer && answer.status < 500 && answer.status !== 429 && answer.status !== 401) return answer.body;
      if (answer?.status === 401) this.#token = null;
      else this.#options.wait(Math.max(200 * 2 ** attempt, answer?.retryAfterMs ?? 0));
      if (this.#options.careless.newKeys) key = randomUUID();
    }
    return null;
  }

  async #once(method: string, path: string, body: unknown, key: string, purpose: string) {
    this.#token ??= (await this.#send('POST', '/api/oauth/client/token', this.#options.credentials, {})).body.accessToken as string;
    return this.#send(method, path, body, {
      Authorization: `Bearer ${this.#token}`,
      ...(method === 'GET' ? {} : { 'X-Idempotency-Key': key }),
      // A client that takes a new key for each try does not know what its requests are for.
      ...(method === 'GET' || this.#options.careless.newKeys ? {} : { 'X-Sandbox-Purpose': purpose }),
    });
  }

  async #send(method: string, path: string, body: unknown, headers: Record<string, string>) {
    const response = await fetch(`${this.#options.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000;
    return { status: response.status, body: (await response.json()) as Json, retryAfterMs };
  }
}
