import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { messageSignature } from '../domain/webhooks/signature.js';
import type { OwnedWorld, RunningSandbox } from '../index.js';

// oxlint-disable-next-line typescript/no-explicit-any -- responses of many shapes; the contract is checked elsewhere
type Json = any;

/** Errors of a client that pays. A schedule with one deviation reveals each error. */
export type Flaw =
  | 'blindOverwrite'
  | 'noDeduplication'
  | 'ignoresUnknown'
  | 'checkThenInsert'
  | 'checkThenRemember'
  | 'staleResponse'
  | 'newKeyAfterLoss'
  | 'neverReads'
  | 'reappliesDuplicates'
  | 'blindAfterLoss';

/** A payment as the client stores it. */
interface Payment {
  readonly id: string;
  status: string;
  /** Number of webhooks that were processed again. */
  repeated: number;
}

const ranks = ['REQUESTED', 'PROCESSING', 'COMPLETED', 'FAILED'];
const maxTries = 5;

/** A client that pays and learns the outcome by webhook: correct, or with one flaw. Its tables are in memory. */
export class PayingClient {
  readonly #sandbox: RunningSandbox;
  readonly #world: OwnedWorld;
  readonly #flaw: Flaw | null;
  /** Milliseconds from the response to a webhook until its processing; null to process the webhook before the response. */
  readonly #laterMs: number | null;
  readonly #payments: Payment[] = [];
  /** Ids of the requested operations that {@link sync} still has to read. */
  readonly #requested: string[] = [];
  /** The stored idempotency keys, by purpose. */
  readonly #keys = new Map<string, string>();
  readonly #messages = new Set<string>();
  readonly #lost = new Set<string>();
  #credentials: { clientId: string; clientSecret: string } | undefined;
  #token: string | undefined;
  #payee: Json;
  #accountId = '';

  constructor(sandbox: RunningSandbox, world: OwnedWorld, flaw: Flaw | null = null, laterMs: number | null = null) {
    this.#sandbox = sandbox;
    this.#world = world;
    this.#flaw = flaw;
    this.#laterMs = laterMs;
  }

  /** Gets the credentials, and reads the account and the beneficiary of the client. */
  async open(): Promise<this> {
    this.#credentials = await this.#world.credentials();
    const [account] = (await this.#api('GET', '/api/accounts?limit=1&sortOrder=ASCENDING', undefined, '')).data;
    this.#accountId = account.id;
    this.#payee = await this.#world.beneficiaries({ filters: 'status[eq]=APPROVED' }).first();
    return this;
  }

  /** Pays an amount for a reference, once despite retries. @returns the id of the operation */
  async pay(amount: string, ref: string): Promise<string> {
    let isQuoted = false;
    for (let tries = 1; ; tries += 1) {
      const key = (name: string) => (this.#flaw === 'newKeyAfterLoss' ? randomUUID() : this.#keyOf(`${ref}/${name}`));
      try {
        const quote = await this.#api(
          'POST',
          '/api/quotes',
          { accountId: this.#accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: amount },
          key('quote'),
        );
        isQuoted = true;
        const paymentInstruction = { type: 'REFERENCE', id: this.#payee.paymentInstructions[0].id };
        const beneficiary = { type: 'REFERENCE', id: this.#payee.id, paymentInstruction };
        const body = { accountId: this.#accountId, quoteId: quote.id, beneficiary };
        const { id, currentState } = await this.#api('POST', '/api/operations/withdrawal', body, key('withdrawal'));
        if (this.#lost.delete(ref) && this.#flaw === 'blindAfterLoss') this.#lost.add(id);
        this.#requested.push(id);
        const payment = this.#find(id);
        if (payment && this.#flaw === 'staleResponse') payment.status = currentState.status;
        if (this.#flaw !== 'checkThenInsert' && !payment) this.#payments.push({ id, status: currentState.status, repeated: 0 });
        return id;
      } catch (error) {
        if (tries === maxTries) throw error;
        if (isQuoted && !(error instanceof ErrorResponse)) this.#lost.add(ref);
      }
    }
  }

  /** Receives a webhook, like the `fetch` of an application. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const messageId = request.headers.get('x-message-id') ?? '';
    const body = await request.text();
    if (request.headers.get('x-message-signature') !== messageSignature(messageId, this.#credentials!)) return respond(401);
    const event: Json = JSON.parse(body);
    if (this.#laterMs === null) return respond(await this.#take(messageId, event));
    void wait(this.#laterMs).then(() => this.#work(messageId, event));
    return respond(204);
  };

  /** Returns the stored rows of a payment. */
  rows(id: string): Payment[] {
    return this.#payments.filter((each) => each.id === id).map((each) => ({ ...each }));
  }

  /** Reads the operations whose outcome is not known. */
  async sync(): Promise<void> {
    if (this.#flaw === 'neverReads') return;
    for (const id of this.#requested.splice(0)) {
      const payment = this.#find(id);
      if (payment && ranks.indexOf(payment.status) >= 2) continue;
      const { currentState } = await this.#api('GET', `/api/operations/${id}`, undefined, '');
      if (payment) payment.status = currentState.status;
      else this.#payments.push({ id, status: currentState.status, repeated: 0 });
    }
  }

  async #take(messageId: string, { id, currentState: { status } }: Json): Promise<number> {
    const flaw = this.#flaw;
    const payment = this.#find(id);
    if (this.#messages.has(messageId) && flaw !== 'noDeduplication') {
      if (flaw === 'reappliesDuplicates' && payment) payment.status = status;
      return 204;
    }
    if (!payment) {
      if (flaw === 'ignoresUnknown') return 200;
      if (flaw === null || flaw === 'neverReads') return 500;
      this.#messages.add(messageId);
      if (flaw === 'checkThenInsert') await wait(50);
      this.#payments.push({ id, status, repeated: 0 });
      return 204;
    }
    if (flaw === 'checkThenRemember') await wait(50);
    if (this.#messages.has(messageId)) payment.repeated += 1;
    this.#messages.add(messageId);
    const isBlind = flaw === 'blindOverwrite' || (flaw === 'blindAfterLoss' && this.#lost.has(id));
    if (isBlind || ranks.indexOf(status) > ranks.indexOf(payment.status)) payment.status = status;
    return 204;
  }

  /** Processes an event after its response: pays a fee, once, after a completed payment. */
  async #work(messageId: string, event: Json): Promise<void> {
    const { id, currentState, sourceAmount } = event;
    if (this.#messages.has(messageId)) return;
    this.#messages.add(messageId);
    if (currentState.status === 'COMPLETED' && Number(sourceAmount.value) > 10) await this.pay('5.00', `fee of ${id}`);
  }

  #find(id: string): Payment | undefined {
    return this.#payments.find((each) => each.id === id);
  }

  #keyOf(purpose: string): string {
    const key = this.#keys.get(purpose) ?? randomUUID();
    this.#keys.set(purpose, key);
    return key;
  }

  /** Sends a request. If the token has expired, sends the request once more with a new token. */
  async #api(method: string, path: string, body: unknown, key: string): Promise<Json> {
    for (let isRepeated = false; ; isRepeated = true) {
      this.#token ??= (await this.#send('POST', '/api/oauth/client/token', this.#credentials, {})).accessToken as string;
      const headers = { authorization: `Bearer ${this.#token}`, ...(key === '' ? {} : { 'x-idempotency-key': key }) };
      try {
        return await this.#send(method, path, body, headers);
      } catch (error) {
        if (isRepeated || !(error instanceof ErrorResponse) || error.status !== 401) throw error;
        this.#token = undefined;
      }
    }
  }

  async #send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Json> {
    const response = await this.#sandbox.fetch(
      new Request(this.#sandbox.url + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const answer = (await response.json()) as Json;
    if (!response.ok) throw new ErrorResponse(response.status, `${method} ${path}: ${response.status} ${answer.message}`);
    return answer;
  }
}

/** A response that is an error; other errors mean that there was no response. */
class ErrorResponse extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const respond = (status: number) => new Response(null, { status });
