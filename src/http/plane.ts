import { OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { nanoid } from 'nanoid';
import type { ErrorCode } from '../contract/shared/errors.js';
import type { Check } from '../contract/shared/rule.js';
import type { TokenClaims } from '../contract/public/tokens.js';
import { DomainError } from '../domain/errors.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { Session } from '../world/session.js';
import type { World } from '../world/world.js';
import { bearerToken } from '../web/bearer.js';
import { errorAnswer, type Answer } from '../web/errors.js';
import { jsonOf } from '../web/rendered.js';
import type { AnyRoute, RouteDefinition } from '../contract/shared/route.js';
import { routerPath } from '../web/route.js';
import { Idempotency } from './idempotency.js';
import { isKeyed, shared } from './plane-documentation.js';
import { effectsOn, shapedResponse, type ShapedAnswer } from './request-effects.js';
import { fingerprint, idempotencyKey, readInput, type Input } from './request-input.js';
import { versions as allVersions, resolveVersion, type Version } from './versions.js';

/** One request, by what it says of itself and what it was given. */
interface Call {
  readonly c: Context;
  readonly id: string;
  readonly version: Version;
}

/** Looks at each answer before it is sent, given the refusals that the contract names for its route, and throws when it must not be. */
export type AnswerCheck = (route: AnyRoute, answer: Answer, codes: readonly ErrorCode[]) => void;

export interface PublicPlaneOptions {
  readonly sandbox: Sandbox;
  readonly defaultVersion: string;
  /** The versions that exist; those of the registry unless told otherwise. */
  readonly versions?: readonly Version[];
  readonly checkAnswer?: AnswerCheck | undefined;
  /** Host names that the documentation page answers to besides those that only exist beside the sandbox. */
  readonly allowedHosts?: readonly string[];
}

/**
 * The public plane: routes with their place in the document, and the course that every request takes.
 *
 * The library's own validation middleware is not used: the contract wants path, query and body checked together,
 * after token, headers and media type, with all failures in one answer.
 */
export class PublicPlane {
  readonly app = new OpenAPIHono();
  readonly sandbox: Sandbox;
  readonly allowedHosts: readonly string[];
  /** The operations of the contract. */
  readonly routes: AnyRoute[] = [];
  /** Where documents are served that are no operations. */
  readonly documentPaths: { method: 'get'; path: string }[] = [];
  readonly #idempotency = new Idempotency();
  readonly #versions: readonly Version[];
  readonly #defaultVersion: Version;
  readonly #checkAnswer: AnswerCheck | undefined;

  /** @throws Error when the default version is not one that exists */
  constructor({ sandbox, defaultVersion, versions = allVersions, checkAnswer, allowedHosts = [] }: PublicPlaneOptions) {
    const version = versions.find((each) => each.name === defaultVersion);
    if (!version) throw new Error(`There is no API version "${defaultVersion}"; there is ${versions.map((each) => each.name).join(', ')}.`);
    this.sandbox = sandbox;
    this.allowedHosts = allowedHosts;
    this.#versions = versions;
    this.#defaultVersion = version;
    this.#checkAnswer = checkAnswer;
  }

  /**
   * Serves an operation. `handle` runs in a unit of work, of which a GET's is dropped; it returns the body of the answer,
   * or a promise of it when it only reads.
   * @param alsoIn what is looked at in a body besides its schema, where the clock or the settings of the world decide what is valid
   */
  serve<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    route: RouteDefinition<P, Q, B>,
    handle: (uow: UnitOfWork, input: Input<z.output<P>, z.output<Q>, z.output<B>>) => unknown,
    alsoIn?: (world: World) => Check,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    const keyed = isKeyed(anyRoute);
    const { tokens } = this.sandbox;
    this.#register(anyRoute, async ({ c, id, version }) => {
      const token = bearerToken(c.req.header('authorization'));
      const claims = tokens.known(token) ?? (await tokens.verify(token));
      const session = this.#enter(claims, id);
      const { world } = session;
      try {
        const effects = effectsOn(session, claims.jti, anyRoute, c);
        const instead = effects && (await effects.before());
        if (instead) return instead;

        const key = keyed ? idempotencyKey(c) : null;
        const { input, raw } = await readInput(c, anyRoute, version, alsoIn?.(world));
        const verb = (uow: UnitOfWork) => handle(uow, input as Input<z.output<P>, z.output<Q>, z.output<B>>);
        await this.sandbox.tickerOf(world).runDueJobs();
        let answer: Answer;
        if (key === null) {
          const body = await session.read((view) => verb(view as UnitOfWork));
          session.check();
          answer = success(anyRoute, body);
        } else {
          answer = await this.#idempotency.run(session, key, fingerprint(c, version, raw), (uow) => success(anyRoute, verb(uow)));
        }
        return effects ? await effects.after(answer) : answer;
      } finally {
        session.end();
      }
    });
  }

  /** Serves an operation that needs no token and no idempotency key; `enter` finds its world. */
  serveOpen<B extends z.ZodType>(
    route: RouteDefinition<z.ZodObject<{}>, z.ZodObject<{}>, B>,
    enter: (body: z.output<B>) => World,
    handle: (world: World, c: Context) => Promise<unknown>,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.#register(anyRoute, async ({ c, id, version }) => {
      const { input } = await readInput(c, anyRoute, version);
      const worldOf = () => enter(input.body as z.output<B>);
      const session = this.sandbox.enter(worldOf(), id, () => {
        worldOf(); // Says so when it is gone.
        return overtaken();
      });
      try {
        const effects = effectsOn(session, null, anyRoute, c);
        const instead = effects && (await effects.before());
        if (instead) return instead;

        await this.sandbox.tickerOf(session.world).runDueJobs();
        session.check();
        const answer = success(anyRoute, await handle(session.world, c));
        return effects ? await effects.after(answer) : answer;
      } finally {
        session.end();
      }
    });
  }

  /** Serves a document that is no operation of the contract. It needs no token. */
  serveDocument(
    path: string,
    mediaType: string,
    text: (c: Context) => string | Promise<string>,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.documentPaths.push({ method: 'get', path });
    this.app.get(path, async (c) => {
      const answer = { status: 200, body: await text(c), headers: { 'Content-Type': mediaType, ...headers } };
      return this.#send(this.#callOf(c), answer);
    });
  }

  /** Shapes an answer that no route gave. */
  refuse(c: Context, error: unknown): Response {
    const onFault = (fault: unknown) => this.sandbox.options.onFault(fault, c.req.path);
    return this.#send(this.#callOf(c), errorAnswer(error, onFault));
  }

  #register(route: AnyRoute, respond: (call: Call) => Promise<ShapedAnswer>): void {
    this.routes.push(route);
    const codes = [...shared.errors(route), ...route.errors];
    this.app.on(route.method.toUpperCase(), routerPath(route.path), async (c) => {
      const call = this.#callOf(c);
      let answer: ShapedAnswer;
      try {
        answer = await respond(call);
      } catch (error) {
        answer = errorAnswer(asRefusal(error), (fault) => this.sandbox.options.onFault(fault, `${route.operationId} ${call.id}`));
      }
      this.#remember(call, answer);
      if (!answer.shape) this.#checkAnswer?.(route, answer, codes);
      return this.#send(call, inVersion(call.version, route, answer));
    });
  }

  #callOf(c: Context): Call {
    return { c, id: `req_${nanoid()}`, version: resolveVersion(c.req.header('x-service-version'), this.#versions, this.#defaultVersion) };
  }

  /** Whose a request is, by the claims of its token. @throws DomainError INVALID_ACCESS_TOKEN, EXPIRED_ACCESS_TOKEN */
  #enter(claims: TokenClaims, id: string): Session {
    const { tokens } = this.sandbox;
    const world = tokens.worldOf(claims);
    tokens.checkExpiry(claims, world);
    return this.sandbox.enter(world, id, () => {
      tokens.worldOf(claims); // Says so when it is gone.
      return overtaken();
    });
  }

  /** Remembers what may have caused something. */
  #remember({ c, id }: Call, { status, ruleId }: ShapedAnswer): void {
    if (c.req.method === 'GET' && ruleId === undefined) return;
    this.sandbox.causes.add({
      id,
      kind: 'REQUEST',
      method: c.req.method,
      path: c.req.path,
      status,
      ruleId: ruleId ?? null,
      idempotencyKey: c.req.header('x-idempotency-key') ?? null,
    });
  }

  #send({ c, id, version }: Call, answer: ShapedAnswer): Response {
    const { status, body, headers: own } = answer;
    const common = { 'X-Request-Id': id, 'X-Service-Version': version.name };
    const headers: Record<string, string> = body === null ? common : { 'Content-Type': 'application/json', ...common };
    for (const name in own) headers[name] = own[name]!;
    if (answer.shape) return shapedResponse(c, answer, headers);
    return new Response(body, { status, headers });
  }
}

function overtaken(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'The world was reset while this request was under way. Nothing of it has happened.');
}

/** The answer of a handler's value, as today's version words it. */
function success(route: AnyRoute, body: unknown): Answer {
  return { status: route.status, body: route.response === null ? null : jsonOf(body), headers: {} };
}

/** An answer as a version words it. */
function inVersion({ responseOut }: Version, route: AnyRoute, answer: ShapedAnswer): ShapedAnswer {
  if (!responseOut || answer.body === null) return answer;
  return { ...answer, body: JSON.stringify(responseOut(route.operationId, JSON.parse(answer.body))) };
}

/** A storage that cannot keep anything any more is told as such; everything else stays what it is. */
function asRefusal(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) {
    return new DomainError('SERVICE_UNAVAILABLE', 'The sandbox cannot store changes at the moment. Its log says why.', {
      cause: error.code,
    });
  }
  return error;
}
