import { OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { nanoid } from 'nanoid';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { World } from '../world/world.js';
import { errorAnswer, type Answer } from '../web/errors.js';
import { checkJson, readJsonBody } from '../web/json-body.js';
import type { AnyRoute, RouteDefinition } from '../contract/shared/route.js';
import { routerPath } from '../web/route.js';
import { bodyCheck, checkParts } from '../web/validation.js';
import { checkAstray, checkBrowser, checkControlToken, type GuardSettings } from '../web/guard.js';

/** One control call: its validated parts, and the world that it names. */
export interface ControlCall<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly causeId: string;
  /** The request itself, for a handler that reads its body. */
  readonly context: Context;
  /** The world of the call; all that was due when the call came has been done. @throws DomainError RESOURCE_NOT_FOUND */
  readonly world: () => World;
  /** Runs a verb in the call's world and resolves when it is kept. */
  readonly write: <T>(verb: (uow: UnitOfWork) => T) => Promise<T>;
}

/** An answer whose body may be made while it is sent. */
type ControlAnswer = Omit<Answer, 'body'> & { readonly body: string | ReadableStream | null };

export interface ControlPlaneOptions extends GuardSettings {
  readonly sandbox: Sandbox;
  /** Whether the server is up and not about to stop. */
  readonly isReady: () => boolean;
}

/** Whether a route takes calls without a control token. */
export const isOpen = (route: { path: string }) => isHealth(route) || isInbox(route);
export const isInbox = (route: { path: string }) => route.path === '/_sandbox/inbox/{inboxName}';
const isHealth = (route: { path: string }) => route.path.startsWith('/_sandbox/health/');
/** Whether a route concerns the sandbox as a whole rather than one world. */
export const isGlobal = (route: { path: string }) =>
  isHealth(route) || route.path.startsWith('/_sandbox/worlds') || route.path === '/_sandbox/scenarios';

/** The control plane: what a tester has beyond the public API. */
export class ControlPlane {
  /** Its routes are too much alike for the faster router, which the usual one would find out with the first call. */
  readonly app = new OpenAPIHono({ router: new TrieRouter() });
  readonly options: ControlPlaneOptions;
  /** The operations of the plane. */
  readonly routes: AnyRoute[] = [];
  /** Where documents are served that are no operations. */
  readonly documentPaths: { method: 'get'; path: string }[] = [];

  constructor(options: ControlPlaneOptions) {
    this.options = options;
    this.app.onError((error, c) =>
      this.answer(c, () => {
        throw error;
      }),
    );
  }

  get sandbox(): Sandbox {
    return this.options.sandbox;
  }

  /** Serves a control call; the handler's value is the body of the answer, or a stream of its text. */
  serve<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    route: RouteDefinition<P, Q, B>,
    handle: (call: ControlCall<z.output<P>, z.output<Q>, z.output<B>>) => unknown,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.routes.push(anyRoute);
    this.app.on(route.method.toUpperCase(), routerPath(route.path), (c) =>
      this.answer(c, async (causeId) => {
        if (!isHealth(anyRoute)) checkControlToken(c.req.raw.headers, this.options);
        const input = await readInput(c, anyRoute);
        const world = () => this.#worldOf(c);
        const write = async <T>(verb: (uow: UnitOfWork) => T): Promise<T> => {
          const { value, kept } = world().write(causeId, verb);
          await kept;
          return value;
        };
        if (!isGlobal(anyRoute)) await this.sandbox.tickerOf(world()).runDueJobs();
        const call = { ...input, causeId, context: c, world, write };
        const value = await handle(call as unknown as ControlCall<z.output<P>, z.output<Q>, z.output<B>>);
        const body = route.response === null ? null : value instanceof ReadableStream ? value : JSON.stringify(value);
        return { status: route.status, body, headers: {} };
      }),
    );
  }

  /** Serves a route that takes any body from anywhere, without a control token; the handler reads the body itself. */
  serveOpen<P extends z.ZodObject>(
    route: RouteDefinition<P, z.ZodObject<{}>, z.ZodUndefined>,
    handle: (call: Pick<ControlCall<z.output<P>, never, never>, 'params' | 'world' | 'causeId' | 'context'>) => Promise<Answer>,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.routes.push(anyRoute);
    this.app.on(route.method.toUpperCase(), routerPath(route.path), (c) =>
      this.answer(
        c,
        (causeId) => {
          const unchecked = { schema: undefined, value: undefined };
          const { params } = checkParts({ schema: route.params, value: c.req.param() }, unchecked, unchecked);
          return handle({ params: params as z.output<P>, world: () => this.#worldOf(c), causeId, context: c });
        },
        false,
      ),
    );
  }

  /** Answers a request of the plane: guards it, unless it may come from anywhere, and shapes what goes wrong. */
  async answer(c: Context, respond: (causeId: string) => Promise<ControlAnswer>, isGuarded = true): Promise<Response> {
    const requestId = `ctl_${nanoid()}`;
    let answer: ControlAnswer;
    try {
      if (isGuarded) {
        checkBrowser(c.req.raw.headers, this.options);
        checkAstray(c.req.raw.headers);
      }
      answer = await respond(requestId);
    } catch (error) {
      answer = errorAnswer(error, (fault) => this.sandbox.options.onFault(fault, `${c.req.method} ${c.req.path} ${requestId}`));
    }
    const { status, body, headers } = answer;
    const { method, path } = c.req;
    if (method !== 'GET')
      this.sandbox.causes.add({ id: requestId, kind: 'CONTROL', method, path, status, ruleId: null, idempotencyKey: null });
    return new Response(body, {
      status,
      headers: { ...(body === null ? {} : { 'Content-Type': 'application/json' }), 'X-Request-Id': requestId, ...headers },
    });
  }

  #worldOf(c: Context): World {
    const world = this.sandbox.world(c.req.header('x-sandbox-world') ?? c.req.query('world') ?? 'default');
    this.sandbox.touch(world);
    return world;
  }
}

async function readInput(c: Context, route: AnyRoute): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const { headers } = c.req.raw;
  const hasBody = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  const [params, query] = [
    { schema: route.params, value: c.req.param() },
    { schema: route.query, value: c.req.query() },
  ];
  if (route.streamedBody) {
    checkJson(c.req.raw);
    return checkParts(params, query, { schema: undefined, value: undefined });
  }
  const json = hasBody && !reads ? await readJsonBody(c) : { value: {} };
  return checkParts(params, query, 'fault' in json ? json : bodyCheck(route, json.value));
}
