import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { nanoid } from 'nanoid';
import type { AnyRoute } from '../contract/shared/route.js';
import { DomainError } from '../domain/errors.js';
import type { Session } from '../world/session.js';
import type { BegunCall, Witness } from '../world/witness.js';
import { errorAnswer, type Answer } from './errors.js';
import { routerPath } from './openapi/route.js';

/** One call on its way through a plane. */
export interface Call {
  readonly c: Context;
  readonly id: string;
  /** Null for one that no route takes. */
  readonly route: AnyRoute | null;
  /** Its hold on a world, from when it has entered one; ended with the call. */
  session: Session | null;
}

/** An answer as a plane gives it: its body may be made while it is sent. */
export interface PlaneAnswer extends Omit<Answer, 'body'> {
  readonly body: string | ReadableStream | null;
  /** The rule or fault that the call met. */
  readonly ruleId?: string;
}

/** What a plane needs of the sandbox around it. */
export interface PlaneHost {
  readonly witness: Witness;
  /** Told of faults of the program itself. */
  onFault(error: unknown, what: string): void;
}

/** How the ids of the calls of each plane begin. */
const idPrefixes = { REQUEST: 'req', CONTROL: 'ctl' } as const satisfies Record<BegunCall['kind'], string>;

/**
 * What every call of either plane goes through, whatever becomes of it: it is given an id, let into a world, answered or refused,
 * witnessed and sent.
 */
export abstract class Plane<C extends Call, A extends PlaneAnswer> {
  readonly app: OpenAPIHono;
  /** The operations of the plane. */
  readonly routes: AnyRoute[] = [];
  /** Where documents are served that are no operations. */
  readonly documentPaths: { method: 'get'; path: string }[] = [];
  readonly #host: PlaneHost;
  readonly #kind: BegunCall['kind'];

  constructor(kind: BegunCall['kind'], host: PlaneHost, app = new OpenAPIHono()) {
    this.#kind = kind;
    this.#host = host;
    this.app = app;
    app.onError((error, c) => this.refuse(c, error));
  }

  /** Notes of a call what its headers say. */
  protected abstract begin(call: Call): C;

  /** Refuses a call that may not come at all. @throws DomainError */
  protected abstract guard(call: C): void;

  protected abstract send(call: C, answer: A | Answer): Response;

  /** Serves a document that is no operation of the contract. */
  serveDocument(
    path: string,
    mediaType: string,
    text: (c: Context) => string | Promise<string>,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    if (path !== '/') this.documentPaths.push({ method: 'get', path }); // Too short to be what a misspelt path was meant as.
    this.app.get(path, (c) =>
      this.#answer(c, null, async () => ({ status: 200, body: await text(c), headers: { 'Content-Type': mediaType, ...headers } })),
    );
  }

  /** Answers a call that no route took, or that failed in none. */
  refuse(c: Context, error: unknown): Promise<Response> {
    return this.#answer(c, null, () => {
      throw error;
    });
  }

  /** Has calls of a route answered by `respond`. */
  protected register(route: AnyRoute, respond: (call: C) => Promise<A | Answer>): void {
    this.routes.push(route);
    this.app.on(route.method.toUpperCase(), routerPath(route.path), (c) => this.#answer(c, route, respond));
  }

  async #answer(c: Context, route: AnyRoute | null, respond: (call: C) => Promise<A | Answer>): Promise<Response> {
    const call = this.begin({ c, id: `${idPrefixes[this.#kind]}_${nanoid()}`, route, session: null });
    const { witness } = this.#host;
    witness.began?.(this.#seen(call));
    let answer: A | Answer;
    try {
      this.guard(call);
      answer = await respond(call);
    } catch (error) {
      answer = errorAnswer(asRefusal(error), (fault) => {
        const what = route ? route.operationId : `${c.req.method} ${c.req.path}`;
        this.#host.onFault(fault, `${what} ${call.id}`);
      });
    }
    call.session?.end();
    const { status, ruleId = null } = answer as PlaneAnswer;
    const idempotencyKey = c.req.method === 'GET' ? null : (c.req.header('x-idempotency-key') ?? null);
    const { method, path } = c.req;
    const seen = { id: call.id, kind: this.#kind, method, path, status, ruleId, idempotencyKey };
    witness.exchange?.(call.session?.world ?? null, seen);
    return this.send(call, answer);
  }

  #seen({ id, c }: Call): BegunCall {
    return { id, kind: this.#kind, method: c.req.method, path: c.req.path };
  }
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
