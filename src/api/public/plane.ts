import { traceOf } from '../plane/trace.js';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { createTokenRoute } from '../../contract/public/routes/tokens.js';
import type { ErrorCode } from '../../contract/shared/error-codes.js';
import type { AnyRoute, RouteDefinition } from '../../contract/shared/route.js';
import type { Check } from '../../contract/shared/rule.js';
import type { Version } from '../../contract/versions/version.js';
import { resolveVersion, versionNamed } from '../../contract/versions/versions.js';
import { DomainError } from '../../domain/errors.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import type { Session } from '../../world/session.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import type { View } from '../../world/view.js';
import type { World } from '../../world/world.js';
import { bearerToken } from '../plane/bearer.js';
import { bindingsOf, headerIn, waitForTurn } from '../plane/body/body.js';
import type { ApiResponse } from '../plane/errors.js';
import { headerOf } from '../../exchange/raw-headers.js';
import { unknownNames } from '../plane/request-record.js';
import type { OpenRequest } from '../../exchange/exchange.js';
import { recordBody, readInput, readParts, yieldIfLarge, type Input } from '../plane/input.js';
import { Plane, type RequestContext, type Respond } from '../plane/plane.js';
import { locationOf } from '../plane/location.js';
import { renderedBody } from '../plane/rendered.js';
import { runOnce } from './idempotency.js';
import { shared } from './plane-documentation.js';
import {
  effectsOn,
  outcomeOf,
  bodyWithEffect,
  responseWithEffect,
  type RequestEffects,
  type ResponseWithEffect,
} from './request-effects.js';
import { fingerprintOf, idempotencyKey } from './request-key.js';

/** A request to the public API, with the API version that serves it. */
interface PublicContext extends RequestContext {
  readonly version: Version;
  /** Time of arrival by `performance.now()`. */
  readonly startedMs: number;
  /** The effects of rules and faults; null if the world has none for requests. */
  effects: RequestEffects | null;
}

/** Called with each response before it is sent, and with the error codes that the route may return. Throws if the response is invalid. */
export type ResponseCheck = (route: AnyRoute, answer: ApiResponse, codes: readonly ErrorCode[]) => void;

export interface PublicPlaneOptions {
  readonly sandbox: Sandbox;
  readonly defaultVersion: string;
  readonly checkResponse?: ResponseCheck | undefined;
  /** Host names under which the documentation page may be opened, in addition to local host names. */
  readonly allowedHosts?: readonly string[];
  /** True if the control API requires a token; pages then contain no credentials. */
  readonly isGuarded?: boolean;
  /** True if the control API uses the same port. */
  readonly hasControl?: boolean;
}

/**
 * Minimum time from the arrival of a token request to the error for wrong credentials, in milliseconds.
 * Observers do more work for a known client id than for an unknown one, and the response time must not reveal which it is.
 */
const wrongCredentialsMs = 10;
/** Time within which no client gives up a write, in milliseconds. */
const leastTimeoutMs = 50;

/** Waits until a time of `performance.now()`. Polls at the end, because timers only have a resolution of whole milliseconds. */
async function until(atMs: number): Promise<void> {
  for (let leftMs = atMs - performance.now(); leftMs > 0; leftMs = atMs - performance.now())
    await (leftMs > 2 ? wait(leftMs - 1) : nextTurn());
}

/** Returns a check of the parts of a body that depend on the clock or settings of a world. */
type AlsoIn = (world: World) => Check;

/**
 * The public API: registers its routes, and runs the steps that all requests share.
 * The validation middleware of the library is not used: the contract requires that path, query and body are checked together,
 * after token, headers and media type, and that one response lists all errors.
 */
export class PublicPlane extends Plane<PublicContext, ResponseWithEffect> {
  readonly sandbox: Sandbox;
  readonly allowedHosts: readonly string[];
  /** The operations that take an idempotency key. */
  readonly #keyed = new Set<AnyRoute>();
  readonly #versions: readonly Version[];
  readonly #defaultVersion: Version;
  readonly #checkResponse: ResponseCheck | undefined;

  /** @throws Error if the default version does not exist */
  constructor({ sandbox, defaultVersion, checkResponse, allowedHosts = [] }: PublicPlaneOptions) {
    super('REQUEST', sandbox.planeHost);
    this.sandbox = sandbox;
    this.allowedHosts = allowedHosts;
    this.#versions = sandbox.versions;
    this.#defaultVersion = versionNamed(sandbox.versions, defaultVersion);
    this.#checkResponse = checkResponse;
  }

  /**
   * The steps of each request. A route with a token continues in {@link #serve}. Requests from web pages need no check, because the token
   * identifies the client.
   */
  protected override async handle(
    c: Context,
    route: AnyRoute | null,
    respond: Respond<PublicContext, ResponseWithEffect>,
  ): Promise<Response> {
    const context = this.#withVersion(this.open(c, route));
    await this.arrive(context);
    const answer = this.#rendered(context, await this.answer(context, respond));
    const { request, version } = context;
    if (route && this.#lacksFingerprint(route, request)) {
      await yieldIfLarge(request.body?.size ?? 0);
      request.fingerprint = fingerprintOf(request, version, route);
    }
    const world = context.session?.world ?? this.#meantWorld(context);
    if (request.idempotencyKey !== null && performance.now() - context.startedMs >= leastTimeoutMs) await connectionsRead();
    this.record(context, answer, { outcome: outcomeOf(answer), originalStatus: (answer.inPlaceOf ?? answer).status, world });
    if (route?.operationId === createTokenRoute.operationId && answer.status === 401) await until(context.startedMs + wrongCredentialsMs);
    return answer.shape ? responseWithEffect(bindingsOf(c), answer) : new Response(answer.bytes ?? answer.body, answer);
  }

  /** Serves an operation that only reads: `handle` returns the body of the response, or a promise of the body. */
  serveRead<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    route: RouteDefinition<P, Q, B>,
    handle: (view: View, input: Input<z.output<P>, z.output<Q>, z.output<B>>) => unknown,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.#serve(anyRoute, async (context, session) => {
      const input = readParts(context, anyRoute) as Input<z.output<P>, z.output<Q>, z.output<B>>;
      await this.sandbox.tickerOf(session.world).runDueJobs();
      const made = session.read((view) => handle(view, input));
      const body = made instanceof Promise ? await made : made;
      session.check();
      return success(anyRoute, body);
    });
  }

  /**
   * Serves an operation that writes, once for each idempotency key: `handle` runs in a unit of work and returns the body of the response.
   * The last argument of `handle` is the name of the version that serves the request.
   */
  serveWrite<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    route: RouteDefinition<P, Q, B>,
    handle: (uow: UnitOfWork, input: Input<z.output<P>, z.output<Q>, z.output<B>>, version: string) => unknown,
    alsoIn?: AlsoIn,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.#keyed.add(anyRoute);
    this.#serve(anyRoute, async (context, session) => {
      const { request, version } = context;
      const key = await recordedIfRejected(context, anyRoute, () => idempotencyKey(context.c));
      const input = await readInput(context, anyRoute, { requestIn: version.requestIn, also: alsoIn?.(session.world) });
      await this.sandbox.tickerOf(session.world).runDueJobs();
      const verb = (uow: UnitOfWork) => {
        const made = handle(uow, input as Input<z.output<P>, z.output<Q>, z.output<B>>, version.name);
        return success(anyRoute, made, locationOf(anyRoute, input.params, made));
      };
      request.fingerprint = fingerprintOf(request, version, anyRoute);
      const answer = await runOnce(session, key, request.fingerprint, verb, () => context.effects?.committed());
      if (answer.origin === 'STORED') request.stored = { status: answer.status, madeId: madeIdIn(answer) };
      return answer;
    });
  }

  /** Serves an operation that needs no token and no idempotency key. `worldOf` returns the world of a request. */
  serveOpen<B extends z.ZodType>(
    route: RouteDefinition<z.ZodObject<{}>, z.ZodObject<{}>, B>,
    worldOf: (body: z.output<B>) => World,
    handle: (world: World, c: Context, body: z.output<B>) => Promise<unknown>,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.#registerIn(anyRoute, async (context) => {
      const { c, version } = context;
      const input = await readInput(context, anyRoute, { requestIn: version.requestIn });
      const session = this.#begin(context, worldOf(input.body as z.output<B>));
      const effects = effectsOn(this.sandbox, session, null, anyRoute, context);
      const instead = effects && (await effects.before());
      if (instead) return instead;

      await this.sandbox.tickerOf(session.world).runDueJobs();
      session.check();
      const answer = success(anyRoute, await handle(session.world, c, input.body as z.output<B>));
      return effects ? effects.after(answer) : answer;
    });
  }

  /** Returns the version that serves a request. */
  versionOf(c: Context): Version {
    return resolveVersion(headerIn(c, 'x-service-version'), this.#versions, this.#defaultVersion);
  }

  /** Adds the API version to a request, and converts its query to the newest version. */
  #withVersion({ c, id, route, request }: RequestContext): PublicContext {
    const asked = headerOf(request.rawHeaders, 'x-service-version')?.trim();
    const version = resolveVersion(asked, this.#versions, this.#defaultVersion);
    request.version = version.name;
    if (asked !== undefined && asked !== '' && asked !== version.name) request.unknownVersion = asked;
    if (route && version.queryIn && request.query.length > 0) {
      request.query = version.queryIn(route.operationId, request.query);
      request.unknown = unknownNames(route, undefined, request.query);
    }
    return { c, id, route, session: null, request, version, startedMs: performance.now(), effects: null };
  }

  /** Returns a response with its headers, and its body in the API version of the request. */
  #rendered({ id, version, route }: PublicContext, answer: ResponseWithEffect): ResponseWithEffect {
    if (route && !answer.shape) this.#checkResponse?.(route, answer, [...shared.errors(route), ...route.errors]);
    const { headers: own } = answer;
    const body = route ? bodyIn(version, route, answer) : answer.body;
    const common = { 'X-Request-Id': id, 'X-Service-Version': version.name, ...(route?.noStore ? { 'Cache-Control': 'no-store' } : {}) };
    const headers: Record<string, string> = body === null ? common : { 'Content-Type': 'application/json', ...common };
    for (const name in own) headers[name] = own[name]!;
    return { ...answer, headers, body: answer.shape ? bodyWithEffect(answer.shape, body) : body };
  }

  /** True for a request that was rejected before its handler could add its fingerprint. */
  #lacksFingerprint(route: AnyRoute, request: OpenRequest): boolean {
    return this.#keyed.has(route) && request.fingerprint === null && (!route.body || request.body !== null);
  }

  /** Returns the world of the token or client id in a request that failed before it entered a world; null if there is none. */
  #meantWorld({ request: { rawHeaders, body } }: PublicContext): World | null {
    return this.sandbox.tokens.meant(headerOf(rawHeaders, 'authorization'), body?.value);
  }

  /** Serves an operation that requires a token. Rejects requests with INVALID_ACCESS_TOKEN or EXPIRED_ACCESS_TOKEN. */
  #serve(route: AnyRoute, respond: (context: PublicContext, session: Session) => Promise<ApiResponse>): void {
    const { tokens } = this.sandbox;
    this.#registerIn(route, async (context) => {
      const token = bearerToken(headerIn(context.c, 'authorization'));
      const admitted = bindingsOf(context.c).token;
      const known = admitted?.text === token ? admitted.claims : tokens.known(token);
      const claims = known ?? (await tokens.verify(token));
      context.request.tokenEndsMs = claims.exp * 1000;
      const world = tokens.worldOf(claims);
      if (!known) await takeLane(context.c, world);
      const session = this.#begin(context, world);
      await recordedIfRejected(context, route, () => tokens.checkExpiry(claims, session.world));
      const effects = (context.effects = effectsOn(this.sandbox, session, claims.jti, route, context));
      if (!effects) return respond(context, session);
      const instead = await effects.before();
      if (!instead) return effects.after(await respond(context, session));
      await recordBody(context, route, { requestIn: context.version.requestIn });
      return instead;
    });
  }

  /**
   * Registers `respond` at the method and path of the operation in each version that has it.
   * @param route the route of the newest version
   */
  #registerIn(route: AnyRoute, respond: (context: PublicContext) => Promise<ResponseWithEffect>): void {
    for (const place of placesOf(this.#versions, route.operationId)) {
      const { method, path, names } = place;
      const isOfAll = names.size === this.#versions.length;
      const placed = method === route.method && path === route.path ? route : { ...route, method, path };
      if (this.#keyed.has(route)) this.#keyed.add(placed);
      this.register(placed, respond, isOfAll ? undefined : (c) => names.has(this.versionOf(c).name));
    }
  }

  /** Begins a session of a request in the current state of a world. */
  #begin(context: PublicContext, world: World): Session {
    return this.enter(context, this.sandbox.enter(world, context.id, staleWorldError, true, traceOf(context.c)));
  }
}

/** Makes a request wait for its turn in the lane (request queue) of its world. Called after the token has identified the world. */
async function takeLane(c: Context, { lane }: World): Promise<void> {
  Object.assign(bindingsOf(c), { lane });
  await waitForTurn(c);
}

/** Returns the result of a check of the headers. If it fails, records the body of the request, so that findings can name the money in it. */
async function recordedIfRejected<Result>(context: PublicContext, route: AnyRoute, check: () => Result): Promise<Result> {
  try {
    return check();
  } catch (error) {
    await recordBody(context, route, { requestIn: context.version.requestIn });
    throw error;
  }
}

/**
 * Resolves when the event loop has read from all connections. A client may have given up its write meanwhile, and the close of its
 * connection is visible only then. The current turn of the event loop may have read already, so this takes two. A fast response does
 * not wait, because webhooks would arrive before it.
 */
async function connectionsRead(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await nextTurn();
}

function staleWorldError(): DomainError {
  const message =
    'The world was reset, replaced or deleted during this request. The request had no effect; send it again if you still need it.';
  return new DomainError('SERVICE_UNAVAILABLE', message);
}

/** Returns the result of a handler as a response in the format of the newest version. */
function success({ status, response }: AnyRoute, value: unknown, headers: ApiResponse['headers'] = {}): ApiResponse {
  if (response === null) return { status, body: null, headers };
  const body = renderedBody(value);
  return { status, body: body.json, headers, value: body.value };
}

/** Returns the id of the resource that a write created. */
function madeIdIn({ status, value }: ApiResponse): string | null {
  const { id } = (value ?? {}) as { id?: unknown };
  return status < 300 && typeof id === 'string' ? id : null;
}

/** Returns the body of a response in the format of a version. */
function bodyIn({ responseOut }: Version, route: AnyRoute, { body }: ResponseWithEffect): string | null {
  return !responseOut || body === null ? body : JSON.stringify(responseOut(route.operationId, JSON.parse(body)));
}

/** The method and path of an operation. */
interface Place extends Pick<AnyRoute, 'method' | 'path'> {
  /** Names of the versions with this method and path. */
  readonly names: Set<string>;
}

/** Returns the methods and paths of an operation in all versions that have it. */
function placesOf(versions: readonly Version[], operationId: string): Iterable<Place> {
  const places = new Map<string, Place>();
  for (const { name, routes } of versions) {
    const own = routes.find((each) => each.operationId === operationId);
    if (!own) continue;
    const { method, path } = own;
    const place = places.get(`${method} ${path}`) ?? { method, path, names: new Set() };
    places.set(`${method} ${path}`, place);
    place.names.add(name);
  }
  return places.values();
}
