import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { nanoid } from 'nanoid';
import type { UploadedFile } from '../contract/documents.js';
import type { ErrorCode } from '../contract/errors.js';
import type { TokenClaims } from '../contract/tokens.js';
import { UuidSchema } from '../contract/common.js';
import { DomainError, invalidData } from '../domain/errors.js';
import type { Sandbox } from '../sandbox.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { World } from '../world/world.js';
import { errorAnswer, type Answer } from '../web/errors.js';
import { canonicalJson, readJsonBody } from '../web/json-body.js';
import { judgeFile, readUpload } from '../web/multipart-body.js';
import { documentRoute, routerPath, type AnyRoute, type PlaneDocumentation, type RouteDefinition } from '../web/route.js';
import { checkParts } from '../web/validation.js';
import { Idempotency, fingerprintOf } from './idempotency.js';
import { RequestEffects, shapedResponse, type ShapedAnswer } from './request-effects.js';
import { versions as allVersions, resolveVersion, type Version } from './versions.js';

/** The validated parts of a request. */
export interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** What an upload brings beside its body. */
  readonly file: UploadedFile | null;
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

const shared: PlaneDocumentation = {
  emptyBodyAllowed: false,
  requestHeaders: (route) =>
    z.object({
      ...(isKeyed(route)
        ? { 'X-Idempotency-Key': UuidSchema.openapi({ description: 'A new UUID for each new request; the same one for a retry.' }) }
        : {}),
      'X-Service-Version': z
        .string()
        .optional()
        .openapi({ description: 'API version; the default one when missing, empty or unknown.', example: '1' }),
    }),
  responseHeaders: (route, status) => ({
    'X-Request-Id': { description: 'Names this very answer.', required: true, schema: { type: 'string' } },
    'X-Service-Version': { description: 'The API version that answered.', required: true, schema: { type: 'string' } },
    ...(isKeyed(route) && isKept(status)
      ? {
          'X-Idempotent-Replay': {
            description: 'Comes with the stored answer of an earlier request with this key.',
            schema: { type: 'string', enum: ['true'] },
          },
        }
      : {}),
  }),
  errors: (route) => [
    ...(route.params || route.query || route.body || isKeyed(route) ? (['INVALID_DATA'] as const) : []),
    ...(route.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(isKeyed(route) ? (['MISSING_REQUIRED_HEADER', 'IDEMPOTENCY_CONFLICT'] as const) : []),
    ...(isOpen(route) ? [] : (['INVALID_ACCESS_TOKEN', 'EXPIRED_ACCESS_TOKEN'] as const)),
    ...(['RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] satisfies ErrorCode[]),
  ],
  security: (route) => (isOpen(route) ? [] : [{ accessToken: [] }]),
};

/** Whether answers of this status are kept for their idempotency key. */
function isKept(status: number): boolean {
  return status < 400 || status === 404 || status === 409 || status === 422;
}

/** Whether an operation is called without a token: the one that issues them. */
function isOpen(route: AnyRoute): boolean {
  return route.operationId === 'createToken';
}

/** Whether an operation takes an idempotency key. */
function isKeyed(route: AnyRoute): boolean {
  return !isOpen(route) && (route.method === 'post' || route.method === 'put' || route.method === 'patch');
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
   * Serves an operation. `handle` runs in a unit of work, of which a GET's is dropped; it returns the body of the answer.
   * @param bodyIn the body's schema in a world, where settings of the world decide what is valid
   */
  serve<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    route: RouteDefinition<P, Q, B>,
    handle: (uow: UnitOfWork, input: Input<z.output<P>, z.output<Q>, z.output<B>>) => unknown,
    bodyIn?: (world: World) => B,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.#register(anyRoute, async (c, version, requestId) => {
      const { world, claims } = await this.#authenticate(c);
      const { generation } = world;
      const effects = new RequestEffects(this.sandbox, anyRoute, c, requestId);
      const instead = await effects.before(world, claims.jti);
      if (instead) return instead;
      const key = isKeyed(anyRoute) ? idempotencyKey(c) : null;
      const { input, raw } = await readInput(c, bodyIn ? { ...anyRoute, body: bodyIn(world) } : anyRoute, version);
      const run = (uow: UnitOfWork): Answer => {
        if (world.generation !== generation) throw this.#overtaken(claims);
        const body = handle(uow, input as Input<z.output<P>, z.output<Q>, z.output<B>>);
        return success(anyRoute, body);
      };
      this.#catchUp(world);
      const answer = key === null ? world.read(run) : await this.#idempotency.run(world, key, fingerprint(c, version, raw), requestId, run);
      this.#catchUp(world);
      return effects.after(world, claims.jti, answer);
    });
  }

  /** Serves an operation that needs no token and no idempotency key; `enter` finds its world. */
  serveOpen<B extends z.ZodType>(
    route: RouteDefinition<z.ZodObject<{}>, z.ZodObject<{}>, B>,
    enter: (body: z.output<B>) => World,
    handle: (world: World, c: Context) => Promise<unknown>,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.#register(anyRoute, async (c, version, requestId) => {
      const { input } = await readInput(c, anyRoute, version);
      const world = enter(input.body as z.output<B>);
      this.#catchUp(world);
      const effects = new RequestEffects(this.sandbox, anyRoute, c, requestId);
      const instead = await effects.before(world, null);
      if (instead) return instead;
      return effects.after(world, null, success(anyRoute, await handle(world, c)));
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
      return this.#send(c, answer, this.#versionOf(c), requestIdOf(c));
    });
  }

  /** Shapes an answer that no route gave. */
  refuse(c: Context, error: unknown): Response {
    return this.#send(
      c,
      errorAnswer(error, (fault) => this.sandbox.options.onFault(fault, c.req.path)),
      this.#versionOf(c),
      requestIdOf(c),
    );
  }

  #register(route: AnyRoute, answer: (c: Context, version: Version, requestId: string) => Promise<ShapedAnswer>): void {
    this.routes.push(route);
    const codes = [...shared.errors(route), ...route.errors];
    documentRoute(this.app, route, shared);
    this.app.on(route.method.toUpperCase(), routerPath(route.path), async (c) => {
      const requestId = requestIdOf(c);
      const version = this.#versionOf(c);
      const onFault = (fault: unknown) => this.sandbox.options.onFault(fault, `${route.operationId} ${requestId}`);
      let result: ShapedAnswer;
      try {
        result = await answer(c, version, requestId);
      } catch (error) {
        result = errorAnswer(asRefusal(error), onFault);
      }
      if (c.req.method !== 'GET' || result.struckBy !== undefined) {
        this.sandbox.causes.add({
          id: requestId,
          kind: 'REQUEST',
          method: c.req.method,
          path: c.req.path,
          status: result.status,
          struckBy: result.struckBy ?? null,
          idempotencyKey: c.req.header('x-idempotency-key') ?? null,
        });
      }
      if (!result.shape) this.#checkAnswer?.(route, result, codes);
      return this.#send(c, inVersion(version, route, result), version, requestId);
    });
  }

  #versionOf(c: Context): Version {
    return resolveVersion(c.req.header('x-service-version'), this.#versions, this.#defaultVersion);
  }

  async #authenticate(c: Context): Promise<{ world: World; claims: TokenClaims }> {
    const header = c.req.header('authorization');
    if (header === undefined) throw new DomainError('INVALID_ACCESS_TOKEN', 'Send an access token as "Authorization: Bearer <token>".');
    const text = /^Bearer +([^\s]+)$/i.exec(header)?.[1];
    if (text === undefined) throw new DomainError('INVALID_ACCESS_TOKEN', 'The Authorization header is not of the form "Bearer <token>".');
    const { tokens } = this.sandbox;
    const claims = tokens.known(text) ?? (await tokens.verify(text));
    const world = tokens.worldOf(claims);
    this.#catchUp(world);
    tokens.checkExpiry(claims, world);
    return { world, claims };
  }

  #catchUp(world: World): void {
    this.sandbox.touch(world);
    this.sandbox.tickerOf(world).catchUp();
  }

  #send(c: Context, answer: ShapedAnswer, version: Version, requestId: string): Response {
    const { status, body, headers: own } = answer;
    const headers = { 'X-Request-Id': requestId, 'X-Service-Version': version.name, ...own };
    if (answer.shape) return shapedResponse(c, answer, headers);
    return new Response(body, { status, headers: body === null ? headers : { 'Content-Type': 'application/json', ...headers } });
  }

  /** The refusal of a request whose world was replaced or deleted while it was under way. */
  #overtaken(claims: TokenClaims): DomainError {
    this.sandbox.tokens.worldOf(claims);
    return new DomainError('SERVICE_UNAVAILABLE', 'The world was reset while this request was under way. Nothing of it has happened.');
  }
}

/** The answer of a handler's value, as today's version words it. */
function success(route: AnyRoute, body: unknown): Answer {
  return { status: route.status, body: route.response === null ? null : JSON.stringify(body), headers: {} };
}

/** An answer as a version words it. */
function inVersion({ responseOut }: Version, route: AnyRoute, answer: ShapedAnswer): ShapedAnswer {
  if (!responseOut || answer.body === null) return answer;
  return { ...answer, body: JSON.stringify(responseOut(route.operationId, JSON.parse(answer.body))) };
}

const requestIds = new WeakMap<Context, string>();

/** The id of a request; the same each time it is asked for. */
function requestIdOf(c: Context): string {
  let id = requestIds.get(c);
  if (!id) requestIds.set(c, (id = `req_${nanoid()}`));
  return id;
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

function fingerprint(c: Context, version: Version, raw: unknown): string {
  const { pathname, search } = new URL(c.req.url);
  return fingerprintOf(c.req.method, pathname, search, version.name, canonicalJson(raw));
}

function idempotencyKey(c: Context): string {
  const header = c.req.header('x-idempotency-key');
  if (header === undefined || header.trim() === '') {
    throw new DomainError('MISSING_REQUIRED_HEADER', 'Send a UUID of your own as X-Idempotency-Key with every POST, PUT and PATCH.', {
      header: 'X-Idempotency-Key',
    });
  }
  const key = UuidSchema.safeParse(header.trim());
  if (key.success) return key.data;
  throw invalidData([
    { code: 'INVALID_UUID', message: 'X-Idempotency-Key has to be a UUID.', field: 'header:X-Idempotency-Key', params: {} },
  ]);
}

/** Reads and checks all parts of a request, and reports what is wrong with any of them together. */
async function readInput(
  c: Context,
  route: AnyRoute,
  version: Version,
): Promise<{ input: Input<unknown, unknown, unknown>; raw: unknown }> {
  const upload = route.upload ? await readUpload(c.req.raw) : null;
  const json = upload?.json ?? (route.body ? await readJsonBody(c.req.raw) : { value: undefined });
  const raw = 'fault' in json ? undefined : json.value;
  const value = version.requestIn ? version.requestIn(route.operationId, raw) : raw;
  const body = 'fault' in json ? json : { schema: route.body, value };
  const parts = checkParts({ schema: route.params, value: c.req.param() }, { schema: route.query, value: queryOf(c) }, body);
  if (!upload) return { input: { ...parts, file: null }, raw };
  const file = await judgeFile(upload.file);
  return { input: { ...parts, file }, raw: { body: raw, fileName: file.name, sha256: file.sha256 } };
}

/** The query parameters; one that is given twice is a list, which no schema takes. */
function queryOf(c: Context): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}
