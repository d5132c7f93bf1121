import { nanoid } from 'nanoid';
import type { Logger } from 'pino';
import { createTokenRoute } from '../../contract/public/routes/tokens.js';
import { DomainError } from '../../domain/errors.js';
import type { HostedWorlds } from '../../sandbox/hosted-worlds.js';
import { OwnedByOtherNode } from '../../storage/storage.js';
import type { World } from '../../world/world.js';
import { takeChunks, type Bindings } from '../../api/plane/body/body.js';
import { errorResponse } from '../../api/plane/errors.js';
import type { RequestHandler } from '../listen.js';
import { CallTimes } from './call-times.js';
import { ForwardError, type NodeProxy, type PlaneName } from './node-proxy.js';
import type { WorldResolver } from './world-resolver.js';
import type { WorkRateLimiter } from './work-rate-limiter.js';
import type { Lanes } from '../lanes.js';
import { eventLoopQueue } from '../../world/turns.js';
import { evictOldest } from '../../domain/evict-oldest.js';

/** Lifetime in milliseconds and maximum number of cached owners of worlds. A request that is forwarded to a previous owner fails once. */
const remembered = { ms: 2000, worlds: 100_000 } as const;

export interface WorldRouterOptions {
  readonly planes: Readonly<Record<PlaneName, RequestHandler>>;
  readonly worlds: HostedWorlds;
  readonly meant: WorldResolver;
  readonly hops: NodeProxy;
  readonly lanes: Lanes;
  readonly rate: WorkRateLimiter;
  /** Log for the durations of each request; null if they are not logged. */
  readonly timesLog: Logger | null;
  /** Returns the API version for the response to a request. */
  readonly versionOf: (headers: Headers) => string;
  /** Called with warnings for the operator. */
  readonly warn: (message: string) => void;
  /** Called on internal errors. */
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Handles requests if several nodes share the worlds. Acquires the world of a request, or forwards the request to the node that owns the
 * world. Requests that concern no world are handled on this node.
 */
export class WorldRouter {
  readonly #options: WorldRouterOptions;
  readonly #places = new Map<string, { readonly url: string; readonly untilMs: number }>();

  constructor(options: WorldRouterOptions) {
    this.#options = options;
  }

  async answer(plane: PlaneName, request: Request, env: Bindings): Promise<Response> {
    const { hops } = this.#options;
    const hop = hops.hopOf(request, env);
    try {
      return await this.#answer(hop ?? plane, request, hop === null ? env : Object.assign(env, { isHop: true }));
    } catch (error) {
      const isPublic = (hop ?? plane) === 'public';
      return this.#errorResponse(error, isPublic ? { 'X-Service-Version': this.#options.versionOf(request.headers) } : {});
    }
  }

  async #answer(plane: PlaneName, request: Request, env: Bindings): Promise<Response> {
    const { planes, meant, hops, timesLog } = this.#options;
    const times = timesLog && new CallTimes(timesLog);
    const name = await this.#worldOf(plane, request, env);
    if (name === null) return planes[plane](request, env);
    const logged = (response: Response) => (times?.logWhenSent(name, response, env), response);
    for (let isLast = false; ; isLast = true) {
      const place = await this.#find(name, env.isHop);
      if (place === null) {
        meant.forget(name);
        return planes[plane](request, env);
      }
      times?.end('acceptMs');
      if (typeof place !== 'string') return logged(await this.#enter(place, plane, request, env, times));
      if (env.isHop) return hops.markElsewhere(this.#errorResponse(elsewhere()));
      try {
        const response = await hops.pass(place, plane, request, env);
        times?.end('hopMs');
        return logged(response);
      } catch (error) {
        this.#places.delete(name);
        if (!isLast && error instanceof ForwardError && error.isUntouched) continue;
        if (error instanceof ForwardError && !env.outgoing?.destroyed) this.#options.warn(notPassedOn(place, error));
        throw error;
      }
    }
  }

  /** Returns a world, or the URL of the node that owns it; null if there is no such world. @throws DomainError SERVICE_UNAVAILABLE */
  async #find(name: string, isHop = false): Promise<World | string | null> {
    const place = this.#places.get(name);
    if (!isHop && place && place.untilMs > performance.now()) return place.url;
    try {
      return await this.#options.worlds.take(name);
    } catch (error) {
      // Without the database the owner cannot change, and the owner knows whether its lease is valid.
      if (place && !isHop && this.#options.worlds.isDatabaseAway) return place.url;
      if (!(error instanceof OwnedByOtherNode)) throw error;
      if (error.url === '') throw elsewhere();
      this.#places.delete(name); // Moves the entry to the end of the eviction order.
      this.#places.set(name, { url: error.url, untilMs: performance.now() + remembered.ms });
      evictOldest(this.#places, remembered.worlds);
      return error.url;
    }
  }

  /** Handles a request to a world of this node. @throws DomainError SERVICE_UNAVAILABLE if the node no longer owns the world afterwards */
  async #enter(world: World, plane: PlaneName, request: Request, env: Bindings, times: CallTimes | null): Promise<Response> {
    const { planes, worlds, lanes, rate } = this.#options;
    const lane = lanes.within(world, plane, request.headers, env.read);
    rate.admit(lane);
    const end = worlds.use(world);
    try {
      await eventLoopQueue.pass(Object.assign(env, { lane }).lane);
      const response = await planes[plane](request, env);
      times?.end('workMs');
      if (world.isLeft || !worlds.isOwner) throw elsewhere();
      return response;
    } finally {
      if (env.outgoing && !env.outgoing.closed) env.outgoing.once('close', end);
      else end();
    }
  }

  /** Returns the name of the world of a request; null if the request has none or an unknown one. */
  async #worldOf(plane: PlaneName, request: Request, env: Bindings): Promise<string | null> {
    const { meant } = this.#options;
    const url = new URL(request.url);
    if (plane === 'control') return meant.ofControlCall(request.method, url, request.headers);
    if (url.pathname !== '/api/oauth/client/token') return meant.ofRequest(request.headers);
    const clientId = await clientIn(request, env);
    return clientId === null ? null : meant.ofClient(clientId);
  }

  #errorResponse(error: unknown, more: Readonly<Record<string, string>> = {}): Response {
    const { status, body, headers } = errorResponse(error, this.#options.onInternalError);
    return new Response(body, {
      status,
      headers: { ...more, 'Content-Type': 'application/json', 'X-Request-Id': `req_${nanoid()}`, ...headers },
    });
  }
}

/** Returns the client id in a token request; null if there is none. Stores the body in `env` for the handler. */
async function clientIn(request: Request, env: Bindings): Promise<string | null> {
  if (request.method !== 'POST') return null;
  const chunks: Buffer[] = [];
  let size = 0;
  const note = (chunk: Buffer) => {
    // Keeps also the chunk that exceeds the limit, so that the handler rejects the body.
    chunks.push(chunk);
    if ((size += chunk.length) > createTokenRoute.maxBodyBytes!) throw new Error('The body of the token request is too large.');
  };
  await takeChunks(env, request, note, () => undefined).catch(() => undefined);
  const read = Buffer.concat(chunks);
  Object.assign(env, { read });
  try {
    const { clientId } = JSON.parse(read.toString()) as { clientId?: unknown };
    return typeof clientId === 'string' ? clientId : null;
  } catch {
    return null;
  }
}

/** Returns the warning for a request that could not be forwarded. */
function notPassedOn(url: string, { details }: ForwardError): string {
  return `Could not forward a request to node ${url} (${String(details['cause'])}). If this continues, check SANDBOX_NODE_URL on that node.`;
}

function elsewhere(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'The world is moving to another node. Retry in a second with the same idempotency key.');
}
