import { traceOf } from '../plane/trace.js';
import { OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { ScenarioFile } from '../../contract/control/scenario-files.js';
import { WorldSchema } from '../../contract/control/worlds.js';
import type { AnyRoute, RouteDefinition } from '../../contract/shared/route.js';
import { DomainError, notFound } from '../../domain/errors.js';
import type { Analysis } from '../../analysis/analysis.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import type { Session } from '../../world/session.js';
import type { World } from '../../world/world.js';
import { rejectWebhooks, checkControlToken, checkHost, checkOrigin, checkSite, isReadMethod, type GuardSettings } from '../plane/guard.js';
import { responseMediaType } from '../plane/openapi/route.js';
import { locationOf } from '../plane/location.js';
import { readInput, type Input, type ReadOptions } from '../plane/input.js';
import { withoutReadOnly } from './read-only-fields.js';
import { Plane, type RequestContext, type PlaneResponse, type Respond } from '../plane/plane.js';
import { helpPath } from './help.js';
import type { AuditLog } from '../../sandbox/audit-log.js';
import { auditEntryOf } from './audited.js';
import { admitPartner, checkPartner, partnerOf } from './partner.js';
import { inboxWorld, namedWorld, noReceiver, withWorlds } from './named-world.js';

/** Returns how to read the requests of a route. */
const readingOf = (route: AnyRoute): ReadOptions => ({
  emptyBodyAllowed: true,
  closedQuery: true,
  requestIn: (_operationId, body) => withoutReadOnly(route, body),
});

/** A control request, with its validated parts. */
interface ControlInput<P, Q, B> extends Input<P, Q, B> {
  /** The request itself, for a handler that reads its body. */
  readonly context: Context;
}

/** A control request about a world. All timers that were due at its arrival have fired. */
export interface WorldInput<P, Q, B> extends ControlInput<P, Q, B> {
  readonly session: Session;
}

/** A control request about the whole sandbox, or about the world in its path. `session` is undefined without an existing world. */
export interface SandboxInput<P, Q, B> extends ControlInput<P, Q, B> {
  readonly session: Session | undefined;
}

/** Information about a listening sandbox. */
interface AboutServer {
  readonly version: string;
  /** The versions of the public API, oldest first. */
  readonly apiVersions: readonly string[];
  /** Id that differs for each start of the sandbox. */
  readonly bootId: string;
  /** Real time of the start. */
  readonly startedAt: string;
  /** Base URL of the control API on this machine. */
  readonly internalUrl: string;
  /** The port of the public API if it differs from that of the control API; else null. */
  readonly publicPort: number | null;
  readonly inContainer: boolean;
  /** Returns the free bytes of the disk that stores the state; null if it is not a local disk. */
  readonly freeBytes: () => Promise<number | null>;
}

export interface ControlPlaneOptions extends GuardSettings {
  readonly sandbox: Sandbox;
  /** The analysis of clients. */
  readonly analysis: Analysis;
  /** Returns information about the server. Available once the server listens. */
  readonly about: () => AboutServer;
  /** The log of control requests. */
  readonly audit: Pick<AuditLog, 'note' | 'list'>;
  /** Returns the metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** True if the server has started and is not stopping. */
  readonly isReady: () => boolean;
  /** Null if no directory for scenarios is configured. */
  readonly scenarioDirectory: ScenarioStore | null;
}

/** The directory in which scenarios are saved. */
export interface ScenarioStore {
  readonly shownAs: string;
  /** Writes a valid scenario to a file and loads it. @throws DomainError if it exists and `replace` is false, or the file cannot be written */
  save(name: string, text: string, replace: boolean): Promise<ScenarioFile>;
}

/** A complete response from a handler. Other values are sent as JSON with the status of the route. */
export class RawResponse {
  constructor(readonly answer: PlaneResponse) {}
}

/** Path of the OpenAPI document of the control API, which pages of other origins may load. */
export const contractPath = '/_sandbox/openapi.json';

/** The control API: everything that a tester has in addition to the public API. */
export class ControlPlane extends Plane<RequestContext, PlaneResponse> {
  readonly options: ControlPlaneOptions;
  protected override readonly helpFor = helpPath;

  constructor(options: ControlPlaneOptions) {
    // The routes are too similar for the faster router; the default router would notice this only at the first request.
    super('CONTROL', options.sandbox.planeHost, new OpenAPIHono({ router: new TrieRouter() }));
    this.options = options;
  }

  /** The steps of each request. A route continues in {@link serve} or {@link serveSandbox}. */
  protected override async handle(c: Context, route: AnyRoute | null, respond: Respond<RequestContext, PlaneResponse>): Promise<Response> {
    const context = this.open(c, route);
    await this.arrive(context);
    const answer = await this.answer(context, () => {
      this.#checkAccess(context);
      return respond(context);
    });
    const { status, body, bytes } = answer;
    const headers = { ...(body === null ? {} : { 'Content-Type': 'application/json' }), 'X-Request-Id': context.id, ...answer.headers };
    // A request that names no existing world does not belong to any world.
    const world = context.session?.world ?? null;
    this.record(context, { ...answer, headers }, { outcome: 'DELIVERED', originalStatus: status, world });
    this.#audit(context);
    return new Response(bytes ?? body, { status, headers });
  }

  get sandbox(): Sandbox {
    return this.options.sandbox;
  }

  /** Serves a request about a world; the handler returns the body of the response, or a stream of its text. */
  serve<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    route: RouteDefinition<P, Q, B>,
    handle: (input: WorldInput<z.output<P>, z.output<Q>, z.output<B>>) => unknown,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.register(anyRoute, async (context) => {
      const { c } = context;
      const name = await this.#worldNameIn(c, anyRoute);
      const session = this.#enter(context, name, anyRoute);
      try {
        const input = await readInput(context, anyRoute, readingOf(anyRoute));
        if (!session) throw this.#noWorld(name);
        await this.sandbox.tickerOf(session.world).runDueJobs();
        session.check();
        const value = await handle({ ...(input as Input<z.output<P>, z.output<Q>, z.output<B>>), context: c, session });
        if (anyRoute.method === 'get' && !anyRoute.eventStream) session.check();
        return responseOf(anyRoute, value, input.params);
      } catch (error) {
        throw session && !anyRoute.world && partnerOf(c) === undefined ? withWorlds(error, session.world, this.sandbox) : error;
      }
    });
  }

  /** Returns the error for a world that does not exist. Nodes on PostgreSQL start without the default world, and keep names of worlds secret. */
  #noWorld(name: string): DomainError {
    const { hosted } = this.sandbox.options;
    const error = notFound('world', { name }, hosted ? [] : this.sandbox.worlds.keys());
    if (!hosted || name !== 'default') return error;
    const how = 'Name a world in X-Sandbox-World, in the query parameter "world", or in the option --world of a command.';
    return new DomainError(error.code, `${error.message} ${how}`, error.details);
  }

  /** @throws DomainError SERVICE_UNAVAILABLE if the sandbox is stopping, so that no long work begins */
  checkRunning(): void {
    if (!this.options.isReady()) throw new DomainError('SERVICE_UNAVAILABLE', 'The sandbox is stopping.');
  }

  /** Serves a request about the whole sandbox, or about a world that may not exist; the handler returns the body of the response. */
  serveSandbox<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
    route: RouteDefinition<P, Q, B>,
    handle: (input: SandboxInput<z.output<P>, z.output<Q>, z.output<B>>) => unknown,
  ): void {
    const anyRoute = route as unknown as AnyRoute;
    this.register(anyRoute, async (context) => {
      const { c } = context;
      const session = anyRoute.world === 'path' ? this.#enter(context, c.req.param('worldName') ?? '', anyRoute) : undefined;
      const input = await readInput(context, anyRoute, readingOf(anyRoute));
      const value = await handle({ ...(input as Input<z.output<P>, z.output<Q>, z.output<B>>), context: c, session });
      return responseOf(anyRoute, value, input.params);
    });
  }

  /** Rejects a request from a web page or caller that may not send it. @throws DomainError */
  #checkAccess({ c, route }: RequestContext): void {
    const { headers } = c.req.raw;
    if (route?.access === 'anywhere') {
      // Any program may post to an inbox or listener under any host name, but no page of another site.
      checkSite(c.req.raw);
      return;
    }
    checkHost(headers, this.options);
    if (c.req.path !== contractPath || !isReadMethod(c.req.method)) {
      checkOrigin(headers);
      checkSite(c.req.raw);
    }
    rejectWebhooks(headers);
    admitPartner(c, this.sandbox);
    const partner = partnerOf(c);
    if (partner !== undefined) checkPartner(c, route, partner);
    else if (route && !route.access) checkControlToken(headers, this.options);
  }

  /** Adds a request to the audit log. */
  #audit({ c, route, request, session }: RequestContext): void {
    const { status, response } = request;
    const created = route?.response === WorldSchema ? (response.value as { readonly name?: string } | undefined)?.name : undefined;
    const world = session?.world.identity.name ?? (status < 300 ? (created ?? c.req.param('worldName')) : undefined) ?? null;
    const entry = auditEntryOf(c, route, request, world, { guard: this.options, quote: this.options.analysis.record.removeSecrets });
    if (entry) this.options.audit.note(entry);
  }

  /** Returns the name of the world in a request. @throws DomainError INVALID_DATA, INVALID_ACCESS_TOKEN */
  async #worldNameIn(c: Context, route: AnyRoute): Promise<string> {
    if (route.world === 'path') return c.req.param('worldName') ?? '';
    if (route.access !== 'anywhere') return partnerOf(c) ?? namedWorld(c, this.sandbox, this.options.controlToken === null);
    const { inboxName, listenerName = '' } = c.req.param() as { inboxName?: string; listenerName?: string };
    const place =
      inboxName === undefined ? ({ kind: 'listeners', name: listenerName } as const) : ({ kind: 'inbox', name: inboxName } as const);
    const name = inboxWorld(c) ?? this.sandbox.inboxes.worldOf(place, c.req.header('x-company-id'));
    if (name === undefined) throw noReceiver(place.kind);
    return name;
  }

  /** Begins a session in the world `name`, with its current state; undefined if the world does not exist. */
  #enter(context: RequestContext, name: string, { world: place }: AnyRoute): Session | undefined {
    const world = this.sandbox.worlds.get(name);
    if (!world) return undefined;
    return this.enter(context, this.sandbox.enter(world, context.id, staleWorldError, place !== 'path', traceOf(context.c)));
  }
}

function responseOf(route: AnyRoute, value: unknown, params: unknown): PlaneResponse {
  if (value instanceof RawResponse) return value.answer;
  const { status, response, eventStream } = route;
  const isStream = value instanceof ReadableStream;
  const body = response === null ? null : isStream ? value : JSON.stringify(value);
  if (eventStream) return { status, body, headers: { 'Content-Type': responseMediaType(route), 'Cache-Control': 'no-store' } };
  const headers = {
    ...(route.noStore ? { 'Cache-Control': 'no-store' } : {}),
    ...(status === 201 ? locationOf(route, params, value) : {}),
  };
  return { status, body, value: isStream ? undefined : value, headers };
}

function staleWorldError({ identity: { name } }: World): DomainError {
  return new DomainError(
    'WORLD_REPLACED',
    `The world "${name}" was reset, replaced or deleted during this request. The request had no effect; send it again if you still need it.`,
    { world: name },
  );
}
