import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { nanoid } from 'nanoid';
import type { ErrorCode } from '../../contract/shared/error-codes.js';
import type { AnyRoute, LaneName } from '../../contract/shared/route.js';
import { DomainError } from '../../domain/errors.js';
import type { Session } from '../../world/session.js';
import { nextOrder, type OpenRequest, type RequestRecord, type ResponseOutcome } from '../../exchange/exchange.js';
import type { Observer } from '../../exchange/observer.js';
import type { Moment } from '../../world/commit.js';
import type { World } from '../../world/world.js';
import { bindingsOf, reservationOf, waitForTurn } from './body/body.js';
import { freeBytes } from './body/body-budget.js';
import { errorResponse, type ApiResponse } from './errors.js';
import { routerPath } from './openapi/route.js';
import { ReadyDocument } from './ready-document.js';
import { openRequest } from './request-record.js';

/** A request while an API processes it. */
export interface RequestContext {
  readonly c: Context;
  readonly id: string;
  /** Null if no route matched. */
  readonly route: AnyRoute | null;
  /** The session of the request in its world; null until it has entered one. Ends with the request. */
  session: Session | null;
  /** The record of this request for observers. Incomplete until the request ends. */
  readonly request: OpenRequest;
}

/** The response of an API; its body may be created while it is sent. */
export interface PlaneResponse extends Omit<ApiResponse, 'body'> {
  readonly body: string | ReadableStream | null;
}

/** A document: its text, its bytes, or a whole response for another status than 200. */
export type DocumentResponse = string | ReadyDocument | ApiResponse;

/** Returns the response to a request. @throws DomainError if the request is rejected */
export type Respond<C extends RequestContext, A extends PlaneResponse> = (context: C) => Promise<A | ApiResponse>;

/** What became of a response. */
export interface ResponseResult {
  readonly outcome: ResponseOutcome;
  /** The status before a rule or fault replaced the response. */
  readonly originalStatus: number;
  /** The world of the request; null if it is unknown. */
  readonly world: World | null;
}

/** The environment of an API. */
export interface PlaneHost {
  readonly observers: Observer;
  /** Real time, in milliseconds since 1970. */
  realNow(): number;
  /** Called with internal errors of the program. */
  onInternalError(error: unknown, what: string): void;
}

/** Prefixes of the request ids of each API. */
const idPrefixes = { REQUEST: 'req', CONTROL: 'ctl' } as const satisfies Record<RequestRecord['kind'], string>;

/**
 * The routes and documents of an API, and the steps that requests to both APIs share: {@link open}, {@link arrive}, {@link answer} and
 * {@link record}. Each API lists all steps of its requests in its {@link handle}.
 */
export abstract class Plane<C extends RequestContext, A extends PlaneResponse> {
  readonly app: OpenAPIHono;
  /** The operations of the API. */
  readonly routes: AnyRoute[] = [];
  /** The paths of documents that are not operations. */
  readonly documentPaths: { method: 'get'; path: string; lane: LaneName }[] = [];
  /** The paths without parameters. */
  readonly #literalPaths = new Set<string>();
  readonly #host: PlaneHost;
  readonly #kind: RequestRecord['kind'];

  constructor(kind: RequestRecord['kind'], host: PlaneHost, app = new OpenAPIHono()) {
    this.#kind = kind;
    this.#host = host;
    this.app = app;
    app.onError((error, c) => this.reject(c, error));
  }

  /** Handles a request from its arrival until its response is ready to be sent. */
  protected abstract handle(c: Context, route: AnyRoute | null, respond: Respond<C, A>): Promise<Response>;

  /** Returns the path of the guide about an error code, for `details.help`; null if errors have no such field. */
  protected readonly helpFor: ((code: ErrorCode) => string) | null = null;

  /**
   * Serves a document that is not an operation of the contract.
   * @param text returns the document, or a whole response for another status than 200
   * @param lane the queue of its requests
   */
  serveDocument(
    path: string,
    mediaType: string,
    text: (c: Context) => DocumentResponse | Promise<DocumentResponse>,
    headers: Readonly<Record<string, string>> = {},
    lane: LaneName = 'open',
  ): void {
    if (path !== '/') this.documentPaths.push({ method: 'get', path, lane }); // Too short to be suggested for a misspelt path.
    this.app.get(path, (c) =>
      this.handle(c, null, async () => {
        const made = await text(c);
        // A rendered page is an object of the class String.
        const isAnswer = typeof made === 'object' && 'status' in made;
        const whole = isAnswer || made instanceof ReadyDocument ? made : { status: 200, body: made, headers: {} };
        const answer = whole instanceof ReadyDocument ? await whole.answer(c.req.raw.headers) : whole;
        const type = answer.status === 304 ? {} : { 'Content-Type': mediaType };
        return { ...answer, headers: { ...type, ...answer.headers, ...headers } };
      }),
    );
  }

  /** Responds to a request that matched no route or failed outside of one. */
  reject(c: Context, error: unknown): Promise<Response> {
    return this.handle(c, null, () => {
      throw error;
    });
  }

  /**
   * Registers `respond` for a route. A path with parameters never matches the fixed path of another route: in GET /api/operations/deposit,
   * `deposit` is not an operation id. This check is not in the router, because it would make the router slow for every request.
   * @param takes returns false for requests that another route with this path handles. Default: the route handles all requests
   */
  protected register(route: AnyRoute, respond: Respond<C, A>, takes?: (c: Context) => boolean): void {
    this.routes.push(route);
    const hasParameters = route.params !== undefined;
    if (!hasParameters) this.#literalPaths.add(route.path);
    this.app.on(route.method.toUpperCase(), routerPath(route.path), (c, next) =>
      (hasParameters && this.#literalPaths.has(c.req.path)) || takes?.(c) === false ? next() : this.handle(c, route, respond),
    );
  }

  /** Gives a request its id and its record. */
  protected open(c: Context, route: AnyRoute | null): RequestContext {
    const id = `${idPrefixes[this.#kind]}_${nanoid()}`;
    return { c, id, route, session: null, request: openRequest(id, this.#kind, c, route, this.#host) };
  }

  /** Notifies observers of a request. @returns a promise that resolves at its turn; undefined if it does not have to wait */
  protected arrive({ c, request }: RequestContext): Promise<void> | undefined {
    this.#host.observers.began?.(request);
    return bindingsOf(c).turn;
  }

  /** Returns the response of `respond`, or the response to its error, and ends the session of the request. */
  protected async answer(context: C, respond: Respond<C, A>): Promise<A | ApiResponse> {
    let answer: A | ApiResponse;
    try {
      answer = await respond(context);
      countResponseBytes(context, answer);
    } catch (error) {
      const { c, route, id } = context;
      const onInternalError = (internal: unknown) => {
        const what = route ? route.operationId : `${c.req.method} ${c.req.path}`;
        this.#host.onInternalError(internal, `${what} ${id}`);
      };
      answer = errorResponse(withStorageFailure(error), onInternalError, this.helpFor);
    }
    // No client waits for the rest of this request, and thousands of clients can disconnect at the same time.
    if (bindingsOf(context.c).outgoing?.closed) await waitForTurn(context.c);
    endSession(context, answer);
    return answer;
  }

  /** Records that a request has entered the world of its session. */
  protected enter(context: C, session: Session): Session {
    const { request } = context;
    context.session = session;
    request.began = { ...request.began, worldMs: session.world.nowMs() };
    if (this.#kind === 'CONTROL') request.moment = session.moment;
    this.#host.observers.entered?.(session.world, request);
    return session;
  }

  /**
   * Completes the record of a request before its response is sent. Notifies observers if the client disconnects before it has received the
   * whole response.
   */
  protected record(context: C, answer: A | ApiResponse, { outcome, originalStatus, world }: ResponseResult): void {
    const { observers } = this.#host;
    const { request } = context;
    const { outgoing } = bindingsOf(context.c);
    const { status, headers, body, value, origin } = answer;
    request.ended = { order: nextOrder(), realMs: this.#host.realNow(), worldMs: world?.nowMs() ?? null };
    if (world) request.moment = momentOf(context, world);
    request.status = status;
    request.code = status >= 400 ? codeIn(value) : null;
    request.originalStatus = originalStatus;
    request.response = { headers, body: typeof body === 'string' ? body : null, value };
    request.replay = origin === 'REPLAY';
    const { delivery } = request;
    // A client that closes the connection before it is sent anything reads nothing, whether it resets the connection or not.
    const hasLeft = () => delivery.connection !== null && delivery.connection.closed !== null;
    request.outcome = outgoing && (outgoing.closed || hasLeft()) ? 'CLIENT_DISCONNECTED' : outcome;
    delivery.sentMs = request.ended.realMs;
    if (!outgoing) delivery.sentOrder = request.ended.order;
    observers.responded?.(world, request);
    if (outcome === 'LOST' || !outgoing || request.outcome === 'CLIENT_DISCONNECTED') return;
    outgoing.on('close', () => {
      if (outgoing.writableFinished && !hasLeft()) {
        delivery.sentOrder = nextOrder();
        delivery.sentMs = this.#host.realNow();
        return;
      }
      request.outcome = 'CLIENT_DISCONNECTED';
      observers.clientDisconnected?.(world, request);
    });
  }
}

/** Returns the moment of a request that has its response. */
function momentOf({ session, request }: RequestContext, world: World): Moment {
  const moment = session?.moment ?? world.moment;
  // A control request may advance the clock before its own commit, so its position is that at which it entered the world.
  if (request.kind === 'CONTROL' && request.moment)
    return { ...request.moment, instants: moment.instants ?? [], worldMs: moment.isOwn ? moment.worldMs : request.moment.worldMs };
  // The jobs that became due before a read run after the commit that counts the read for a rule.
  if (request.stored) return moment;
  const { commit, last, isOwn, worldMs } = moment;
  return { commit, last, jobs: world.ranJobs, isOwn, worldMs };
}

/** Returns the error code in the data of a response; null without one. */
function codeIn(value: unknown): string | null {
  const { code } = (value ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : null;
}

/** Bytes to count for a response that is created while it is sent: the size of its longest piece. */
const streamBytes = 1024 * 1024;

/**
 * Counts a large response to a GET against the budget of bodies in memory, as string and as bytes. Otherwise, a client that does not read
 * its responses could fill the memory. The response to a write is always sent.
 * @throws DomainError SERVICE_UNAVAILABLE if the budget is exceeded
 */
function countResponseBytes({ c, route }: RequestContext, { body }: PlaneResponse): void {
  if (c.req.method !== 'GET') return;
  if (body instanceof ReadableStream && !route?.eventStream) reservationOf(c).set(streamBytes);
  if (typeof body === 'string' && body.length > freeBytes) reservationOf(c).set(2 * body.length);
}

/** Ends the session of a request: after the response, or after the last piece of a response that is created while it is sent. */
function endSession({ session, c }: RequestContext, { body }: PlaneResponse): void {
  const { outgoing } = bindingsOf(c);
  if (body instanceof ReadableStream && outgoing && !outgoing.closed) outgoing.once('close', () => session?.end());
  else session?.end();
}

/** Returns a DomainError for a storage failure; any other error unchanged. */
function withStorageFailure(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) {
    return new DomainError('SERVICE_UNAVAILABLE', 'The sandbox cannot store changes at the moment. See its log for the reason.', {
      cause: error.code,
    });
  }
  return error;
}
