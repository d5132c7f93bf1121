import { createHmac, randomUUID } from 'node:crypto';
import { Agent, createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../../contract/control/analysis/report.js';
import { call } from '../process.js';

// oxlint-disable-next-line typescript/no-explicit-any -- responses of many shapes; other tests check the contract
type Json = any;

/** A response; its status is 0 if none arrived. */
export interface Received {
  readonly status: number;
  readonly body: Json;
}

/** A webhook that an endpoint has received. */
export interface Webhook {
  readonly headers: IncomingHttpHeaders;
  readonly type: string;
  readonly message: string;
  readonly body: Json;
  readonly isGenuine: boolean;
}

/** Returns the response of an endpoint: its status, and optionally a redirect and a delay. */
export type Endpoint = (webhook: Webhook) => number | { status: number; location?: string; afterMs?: number };

export interface Sending {
  /** Idempotency key. Default: a new one; null for none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Time after which the client gives up, in milliseconds. */
  readonly timeoutMs?: number;
}

/** One process of a client, with its own connections and token. It repeats no request automatically. */
export class Integrator {
  readonly #place: Place;
  #agent: Agent | false;
  #usedAtMs = 0;
  token: string | undefined;

  /** @param hasConnections false for a new connection with each request */
  constructor(place: Place, hasConnections = true) {
    this.#place = place;
    this.#agent = hasConnections && new Agent({ keepAlive: true, maxSockets: 1 });
  }

  async getToken(): Promise<string> {
    const { clientId, clientSecret } = this.#place.credentials;
    const { body } = await this.send('POST', '/api/oauth/client/token', { clientId, clientSecret }, { key: null, headers: {} });
    return body.accessToken as string;
  }

  /** Sends one request, once. */
  async call(method: string, path: string, body?: unknown, sending: Sending = {}): Promise<Received> {
    this.token ??= await this.getToken();
    return this.send(method, path, body, { ...sending, headers: { authorization: `Bearer ${this.token}`, ...sending.headers } });
  }

  send(method: string, path: string, body: unknown, { key, headers = {}, timeoutMs = 20_000 }: Sending): Promise<Received> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const isKeyed = method !== 'GET' && key !== null;
    if (this.#agent && Date.now() - this.#usedAtMs > 2000) this.#renewAgent(this.#agent);
    this.#usedAtMs = Date.now();
    return new Promise((resolve) => {
      const sent = request(this.#place.url + path, {
        method,
        agent: this.#agent,
        headers: {
          ...(isKeyed ? { 'x-idempotency-key': key ?? randomUUID() } : {}),
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      const timer = setTimeout(() => sent.destroy(), timeoutMs);
      const end = (received: Received) => {
        clearTimeout(timer);
        this.#usedAtMs = Date.now();
        resolve(received);
      };
      sent.on('error', () => end({ status: 0, body: null }));
      sent.on('response', (response) => {
        let whole = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (whole += chunk));
        response.on('error', () => end({ status: 0, body: null }));
        response.on('end', () => {
          try {
            end({ status: response.statusCode!, body: whole === '' ? null : JSON.parse(whole) });
          } catch {
            end({ status: 0, body: null });
          }
        });
      });
      sent.end(text);
    });
  }

  /** Opens a new connection for the next request: on a busy machine, the server may be about to close an idle one. */
  #renewAgent(idle: Agent): void {
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const sockets of Object.values(idle.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  /** Closes the connections of the client, as the end of its process does. */
  end(): void {
    if (this.#agent) this.#agent.destroy();
  }

  async quote(sourceAmount: unknown = '150.00', sending: Sending = {}): Promise<Received & { id: string }> {
    const body = { accountId: this.#place.account, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount };
    const received = await this.call('POST', '/api/quotes', body, sending);
    return { ...received, id: received.body?.id as string };
  }

  withdraw(quoteId: string, key: string = randomUUID(), sending: Sending & { more?: object; payee?: object } = {}): Promise<Received> {
    const { payee = this.#place.payee, more = {}, ...rest } = sending;
    return this.call(
      'POST',
      '/api/operations/withdrawal',
      { accountId: this.#place.account, quoteId, beneficiary: payee, ...more },
      { key, ...rest },
    );
  }

  transfer(value: unknown = '25.00', key: string = randomUUID(), sending: Sending & { more?: object } = {}): Promise<Received> {
    const { more = {}, ...rest } = sending;
    const { account, otherAccount } = this.#place;
    const body = { sourceAccountId: account, targetAccountId: otherAccount, amount: { value, asset: 'BRL' }, ...more };
    return this.call('POST', '/api/operations/transfer', body, { key, ...rest });
  }

  read(operation: { body: Json } | string): Promise<Received> {
    return this.call('GET', `/api/operations/${typeof operation === 'string' ? operation : operation.body.id}`);
  }

  register(sending: Sending & { lastName?: string } = {}): Promise<Received> {
    const { lastName = 'Menezes', ...rest } = sending;
    const holder = {
      type: 'INDIVIDUAL',
      firstName: 'Caio',
      lastName,
      taxId: { type: 'CPF', value: '31415926590' },
      dateOfBirth: '1991-11-02',
    };
    const paymentInstruction = { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio.menezes@example.com' };
    return this.call('POST', '/api/beneficiaries', { holder, relationshipType: 'THIRD_PARTY', paymentInstruction }, rest);
  }

  subscribe(url: string = this.#place.hook, more: object = { includeAll: true }): Promise<Received> {
    return this.call('POST', '/api/subscriptions', { url, allowRetry: true, ...more });
  }
}

/** A world with a frozen clock in which a client works, with control functions for the tester. */
export class Place {
  readonly url: string;
  readonly world: string;
  readonly hook: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly account: string;
  readonly otherAccount: string;
  readonly payee: object;
  readonly pendingPayee: object;
  readonly #endpoints: Map<string, { place: Place; endpoint: Endpoint }>;

  constructor(
    given: Pick<Place, 'url' | 'world' | 'hook' | 'credentials' | 'account' | 'otherAccount' | 'payee' | 'pendingPayee'>,
    endpoints: Map<string, { place: Place; endpoint: Endpoint }>,
  ) {
    this.url = given.url;
    this.world = given.world;
    this.hook = given.hook;
    this.credentials = given.credentials;
    this.account = given.account;
    this.otherAccount = given.otherAccount;
    this.payee = given.payee;
    this.pendingPayee = given.pendingPayee;
    this.#endpoints = endpoints;
  }

  async control(method: string, path: string, body?: unknown): Promise<Json> {
    const headers = { 'x-sandbox-world': this.world };
    const response = await call(this.url, method, `/_sandbox${path}`, { headers, ...(body === undefined ? {} : { body }) });
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response.body;
  }

  /** Injects a fault into the next request of an operation. */
  async strike(operationId: string, effect: object, more: object = {}): Promise<void> {
    await this.control('POST', '/faults', { on: 'REQUEST', when: { operationId }, times: 1, effect, ...more });
  }

  /** Loses the response to the next request of an operation. */
  lose(operationId = 'createWithdrawal'): Promise<void> {
    return this.strike(operationId, { connectionReset: true }, { phase: 'after_commit' });
  }

  /** Injects a fault into the next webhook of a type. */
  async misdeliver(eventType: string, effect: object): Promise<void> {
    await this.control('POST', '/faults', { on: 'DELIVERY', when: { eventType }, times: 1, effect });
  }

  /** Advances the clock, and waits until all due webhooks have been sent. */
  async advance(by = '1m'): Promise<void> {
    await this.control('POST', '/clock/advance', { by });
    await this.control('POST', '/deliveries/flush', { timeoutMs: 20_000 });
  }

  /** Sets how the endpoint of the client responds. */
  listen(endpoint: Endpoint): void {
    this.#endpoints.set(new URL(this.hook).pathname, { place: this, endpoint });
  }

  report(profile?: string): Promise<Report> {
    return this.control(
      'GET',
      `/report?world=${this.world}&final=true${profile === undefined ? '' : `&profile=${profile}`}`,
    ) as Promise<Report>;
  }
}

/** The webhook endpoints of all clients, and the worlds of one sandbox. */
export class Places {
  readonly #endpoints = new Map<string, { place: Place; endpoint: Endpoint }>();
  readonly #server: Server;
  readonly #url: string;
  #count = 0;

  private constructor(url: string, server: Server) {
    this.#url = url;
    this.#server = server;
  }

  static async open(url: string): Promise<Places> {
    const places: Places = new Places(
      url,
      createServer((incoming, response) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        incoming.on(
          'end',
          () =>
            void places
              .#respond(incoming.url ?? '/', incoming.headers, text)
              .then(({ status, location }) => response.writeHead(status, location === undefined ? {} : { location }).end()),
        );
      }),
    );
    await new Promise<void>((listening) => places.#server.listen(0, listening));
    return places;
  }

  async #respond(path: string, headers: IncomingHttpHeaders, text: string): Promise<{ status: number; location?: string }> {
    const found = this.#endpoints.get(path);
    if (!found) return { status: 404 };
    const { clientId, clientSecret } = found.place.credentials;
    const message = String(headers['x-message-id']);
    const expected = createHmac('sha256', clientSecret).update(`${message}+${clientId}`).digest('hex');
    const isGenuine = headers['x-message-signature'] === expected;
    const responds = found.endpoint({ headers, type: String(headers['x-event-type']), message, body: JSON.parse(text), isGenuine });
    if (typeof responds === 'number') return { status: responds };
    await sleep(responds.afterMs ?? 0);
    return responds;
  }

  /** Creates a world. */
  async make(more: object = {}): Promise<Place> {
    const world = `place-${(this.#count += 1)}`;
    const given = { clock: { mode: 'FROZEN', now: '2026-11-23T15:00:00Z' }, ...more };
    const { body } = await call(this.#url, 'PUT', `/_sandbox/worlds/${world}?ifExists=replace`, { body: given });
    const list = async (path: string) =>
      (await call(this.#url, 'GET', `/_sandbox/${path}?limit=100`, { headers: { 'x-sandbox-world': world } })).body.data as Json[];
    const active = (await list('accounts')).filter(
      ({ currentState, assets }) =>
        currentState.status === 'ACTIVE' && assets.some((each: Json) => each.asset === 'BRL' && each.status === 'ACTIVE'),
    );
    const account = active.find(({ owner }) => owner.legalName === 'Aurora Comércio Exterior Ltda');
    const beneficiaries = await list('beneficiaries');
    const payee = (status: string) => {
      const found = beneficiaries.find(
        (each) => each.status === status && each.paymentInstructions.some((one: Json) => one.asset === 'BRL' && one.type === 'PIX'),
      );
      return found && { type: 'REFERENCE', id: found.id, paymentInstruction: { type: 'REFERENCE', id: found.paymentInstructions[0].id } };
    };
    const { port } = this.#server.address() as AddressInfo;
    const place = new Place(
      {
        url: this.#url,
        world,
        hook: `http://127.0.0.1:${port}/${world}`,
        credentials: body.credentials,
        account: account.id,
        otherAccount: active.find((each) => each !== account).id,
        payee: payee('APPROVED')!,
        pendingPayee: payee('PENDING_REVIEW')!,
      },
      this.#endpoints,
    );
    place.listen(({ isGenuine }) => (isGenuine ? 204 : 401));
    return place;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
