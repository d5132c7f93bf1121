import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { nanoid } from 'nanoid';
import type { Sandbox } from '../sandbox/sandbox.js';
import { DomainError, notFound } from '../domain/errors.js';
import type { Session } from '../world/session.js';
import type { World } from '../world/world.js';
import { errorAnswer, type Answer } from '../web/errors.js';
import { checkJson, readJsonBody } from '../web/json-body.js';
import type { AnyRoute, RouteDefinition } from '../contract/shared/route.js';
import { routerPath } from '../web/route.js';
import { bodyCheck, checkParts } from '../web/validation.js';
import { checkAstray, checkBrowser, checkControlToken, type GuardSettings } from '../web/guard.js';
import { inboxWorld, namedWorld, withWorlds } from './named-world.js';

/** One call of the control plane: its validated parts. */
export interface ControlCall<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The request itself, for a handler that reads its body. */
  readonly context: Context;
}

/** One call about a world, in which all that was due when the call came has been done. */
export interface WorldCall<P, Q, B> extends ControlCall<P, Q, B> {
  readonly session: Session;
}

/** An answer whose body may be made while it is sent. */
type ControlAnswer = Omit<Answer, 'body'> & { readonly body: string | ReadableStream | null };

export interface ControlPlaneOptions extends GuardSettings {
  readonly sandbox: Sandbox;
  /** Whether the server is up and not about to stop. */
  readonly isReady: () => boolean;
}

/** What a handler answers with where it has created that, rather than changed what was there. */
export class Created {
  constructor(readonly body: unknown) {}
}

/** The status that a handler gives an answer without a body. */
export class StatusOnly {
  constructor(readonly status: number) {}
}

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

  /** Serves a call about a world; the handler's value is the body of the answer, or a stream of its text. */
  serve<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    route: RouteDefinition<P, Q, B>,
    handle: (call: WorldCall<z.output<P>, z.output<Q>, z.output<B>>) => unknown,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.#register(anyRoute, async (c, causeId) => {
      const name = await this.#worldNameIn(c, anyRoute);
      const world = this.sandbox.worlds.get(name);
      const session = world && this.sandbox.enter(world, causeId, overtaken, anyRoute.world !== 'path');
      try {
        const input = await readInput(c, anyRoute);
        if (!session) throw notFound('world', { name }, this.sandbox.worlds.keys());
        await this.sandbox.tickerOf(session.world).runDueJobs();
        const call = { ...input, context: c, session };
        const value = await handle(call as unknown as WorldCall<z.output<P>, z.output<Q>, z.output<B>>);
        if (anyRoute.method === 'get') session.check();
        return value;
      } catch (error) {
        throw session && !anyRoute.world ? withWorlds(error, session.world, this.sandbox) : error;
      } finally {
        session?.end();
      }
    });
  }

  /** Serves a call about the sandbox as a whole; the handler's value is the body of the answer. */
  serveSandbox<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    route: RouteDefinition<P, Q, B>,
    handle: (call: ControlCall<z.output<P>, z.output<Q>, z.output<B>>) => unknown,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.#register(anyRoute, async (c) => {
      const call = { ...(await readInput(c, anyRoute)), context: c };
      return handle(call as unknown as ControlCall<z.output<P>, z.output<Q>, z.output<B>>);
    });
  }

  /** The name of the world that a call is about. @throws DomainError INVALID_DATA, INVALID_ACCESS_TOKEN */
  async #worldNameIn(c: Context, route: AnyRoute): Promise<string> {
    if (route.world === 'path') return c.req.param('worldName') ?? '';
    if (route.access !== 'anywhere') return namedWorld(c, this.sandbox, this.options.controlToken === null);
    return inboxWorld(c) ?? this.sandbox.inboxes.worldOf(c.req.param('inboxName') ?? '', c.req.header('x-company-id'));
  }

  #register(route: AnyRoute, respond: (c: Context, causeId: string) => Promise<unknown>): void {
    this.routes.push(route);
    this.app.on(route.method.toUpperCase(), routerPath(route.path), (c) =>
      this.answer(
        c,
        async (causeId) => {
          if (!route.access) checkControlToken(c.req.raw.headers, this.options);
          const value = await respond(c, causeId);
          if (value instanceof StatusOnly) return { status: value.status, body: null, headers: {} };
          const shown = value instanceof Created ? value.body : value;
          const body = route.response === null ? null : shown instanceof ReadableStream ? shown : JSON.stringify(shown);
          return { status: value instanceof Created ? 201 : route.status, body, headers: {} };
        },
        route.access !== 'anywhere',
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
}

function overtaken({ identity: { name } }: World): DomainError {
  return new DomainError(
    'WORLD_REPLACED',
    `The world "${name}" was reset, replaced or deleted while this call was under way. Nothing of it has happened.`,
    { world: name },
  );
}

/** The body of a route that has none to read: an object without fields. */
const nothing = z.strictObject({});

const unchecked = { schema: undefined, value: undefined };

async function readInput(c: Context, route: AnyRoute): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const { headers } = c.req.raw;
  const hasBody = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  const [params, query] = [
    { schema: route.params, value: c.req.param() },
    { schema: route.query, value: c.req.query() },
  ];
  if (route.streamedBody) checkJson(c.req.raw);
  if (route.streamedBody || route.rawBody) return checkParts(params, query, unchecked);
  const json = hasBody && !reads ? await readJsonBody(c) : { value: {} };
  return checkParts(params, query, 'fault' in json ? json : bodyCheck({ ...route, body: route.body ?? nothing }, json.value));
}
