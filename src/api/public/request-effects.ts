import { errorCatalogue } from '../../contract/shared/error-codes.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { bindingsOf, type Bindings } from '../plane/body/body.js';
import { waitWith } from '../plane/wait-with.js';
import type { RequestContext } from '../plane/plane.js';
import type { OpenRequest, ResponseOutcome } from '../../exchange/exchange.js';
import { durationMs } from '../../contract/shared/duration.js';
import { answerShapes, slowBodyMsOf, type RequestEffect } from '../../contract/scenario/effects.js';
import type { OperationId } from '../../contract/public/routes.js';
import type { Phase } from '../../contract/scenario/scenario.js';
import type { RequestSubject } from '../../scenario/subjects.js';
import { injectedCode } from '../plane/documented-errors.js';
import { type ApiResponse } from '../plane/errors.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import { chooseRequestEffect, type ChosenEffect } from '../../engine/choose-effect.js';
import { RateLimits } from '../../engine/rate-limits.js';
import { hasRules } from '../../engine/rules.js';
import { DomainError } from '../../domain/errors.js';
import { heldLimits } from '../../sandbox/held-calls.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import type { Session } from '../../world/session.js';
import { withUnknownFields } from '../../domain/unknown-fields.js';
import { injectedBody } from './injected-error.js';
import { waitForReceivers, nextDelivery } from './respond-after.js';

/** Number of chunks of a slow body. */
const slowBodyPieces = 10;

/** A response, and the effect to apply while it is sent. */
export interface ResponseWithEffect extends ApiResponse {
  readonly shape?: RequestEffect;
  /** The original response, if an effect replaced it after the commit of the request. */
  readonly inPlaceOf?: ApiResponse;
}

/**
 * Returns the effects for a request; null if its world has no rules or faults on requests.
 * @param tokenId id of the token that the effect `expireToken` expires
 */
export function effectsOn(
  sandbox: Sandbox,
  session: Session,
  tokenId: string | null,
  route: AnyRoute,
  context: RequestContext,
): RequestEffects | null {
  return session.world.read((view) => hasRules(view, 'REQUEST')) ? new RequestEffects(sandbox, session, tokenId, route, context) : null;
}

/** The effects of rules and faults on one request. */
export class RequestEffects {
  readonly #sandbox: Sandbox;
  readonly #session: Session;
  readonly #route: AnyRoute;
  readonly #tokenId: string | null;
  readonly #subject: Omit<RequestSubject, 'resource'>;
  readonly #request: OpenRequest;
  readonly #outgoing: ServerResponse | undefined;
  /** Number of the first delivery that the request may cause. */
  readonly #firstDelivery: number;
  #isSpent = false;
  /** The choice of the effect after the commit; null until then. */
  #afterCommit: Promise<ChosenEffect | null> | null = null;

  constructor(sandbox: Sandbox, session: Session, tokenId: string | null, route: AnyRoute, { c, request }: RequestContext) {
    this.#request = request;
    this.#outgoing = bindingsOf(c).outgoing;
    this.#sandbox = sandbox;
    this.#session = session;
    this.#route = route;
    this.#firstDelivery = nextDelivery(session);
    this.#tokenId = tokenId;
    this.#subject = {
      operationId: route.operationId as OperationId,
      method: c.req.method as RequestSubject['method'],
      path: c.req.path,
      query: Object.fromEntries(request.query.toReversed()),
      headers: c.req.header(),
    };
  }

  /** Runs after authentication. Applies the delay of an effect. Returns a response if the effect ends the request; otherwise null. */
  async before(): Promise<ResponseWithEffect | null> {
    const chosen = await this.#choose('before');
    if (!chosen) return null;
    const { effect, ruleId } = chosen;
    if (chosen.retryAfterMs !== undefined) {
      const retryAfter = `${Math.ceil(chosen.retryAfterMs / 1000)}s`;
      return this.#error({ code: 'RATE_LIMIT_EXCEEDED', retryAfter }, effect, ruleId);
    }
    if (effect.status !== undefined || effect.code !== undefined) return this.#error(effect, effect, ruleId);
    if (effect.expireToken && this.#tokenId !== null) return this.#error({ code: 'EXPIRED_ACCESS_TOKEN' }, effect, ruleId);
    const needsAnswer = effect.connectionReset || answerShapes.some((shape) => effect[shape] !== undefined);
    return needsAnswer ? this.#error({ status: 503 }, effect, ruleId) : null;
  }

  /** Runs right after the commit of a write, so that overlapping writes get their effects in the order of their commits. */
  committed(): void {
    if (this.#session.isOvertaken) return;
    this.#afterCommit = this.#choose('after_commit');
    this.#afterCommit.catch(() => undefined); // If the commit cannot be stored, the request fails with this error.
  }

  /** Runs after the commit of the request is stored. Returns the response for the client. */
  async after(answer: ApiResponse): Promise<ResponseWithEffect> {
    const chosen = this.#session.isOvertaken ? null : await (this.#afterCommit ?? this.#choose('after_commit'));
    if (!chosen) return answer;
    const { effect, ruleId } = chosen;
    const shape = this.#slowly(effect);
    if (effect.respondAfter) await waitForReceivers(this.#sandbox, this.#session, effect.respondAfter, answer.value, this.#firstDelivery);
    const isLost = effect.status !== undefined || effect.code !== undefined;
    if (isLost) return { ...this.#error(effect, effect, ruleId), inPlaceOf: answer };
    return { ...(effect.hideNewerThan === undefined ? answer : this.#withoutNew(answer, effect.hideNewerThan)), shape };
  }

  /** Returns an effect without its slow body if too many calls wait already; otherwise counts the call until its connection is free. */
  #slowly(effect: RequestEffect): RequestEffect {
    if (effect.slowBody === undefined || !this.#outgoing) return effect;
    const release = this.#sandbox.held.take(this.#session.world);
    if (release) this.#outgoing.once('close', release);
    return release ? effect : { ...effect, slowBody: undefined };
  }

  /** Returns a list response without the items that were created less than `span` ago. Returns other responses unchanged. */
  #withoutNew(answer: ApiResponse, span: string): ApiResponse {
    const list = answer.value as { readonly data?: readonly { readonly createdAt?: string }[] } | null | undefined;
    if (!Array.isArray(list?.data)) return answer;
    const lastMs = Date.parse(this.#session.read((view) => view.now)) - (durationMs(span) ?? 0);
    const data = list.data.filter(({ createdAt }) => createdAt === undefined || Date.parse(createdAt) <= lastMs);
    const value = { ...list, data };
    return { ...answer, value, body: JSON.stringify(value) };
  }

  #error(said: RequestEffect, shape: RequestEffect, ruleId: string): ResponseWithEffect {
    const { operationId, path, headers } = this.#subject;
    const place = { operationId, template: this.#route.path, path, idempotencyKey: headers['x-idempotency-key'], ruleId };
    return { ...errorOf(said, this.#route, place), shape };
  }

  /**
   * Holds the request. After a commit, a call that may not wait is answered at once: its result is final.
   * @throws DomainError RATE_LIMIT_EXCEEDED before a commit, if too many calls of the world wait
   */
  async #hold(ms: number, phase: Phase): Promise<void> {
    const { holdCall } = this.#sandbox.options;
    if (holdCall) return holdCall(this.#session.causeId);
    const release = this.#sandbox.held.take(this.#session.world);
    if (release) await waitWith(this.#outgoing, ms).finally(release);
    else if (phase === 'before') throw tooManyHeld();
  }

  async #choose(phase: Phase): Promise<ChosenEffect | null> {
    const tokenId = this.#tokenId;
    if (this.#isSpent) return null;
    const { value: chosen, kept } = this.#session.write((uow) => {
      const effect = chooseRequestEffect(uow, this.#subject, phase, new RateLimits(this.#session.world, this.#request.began.realMs));
      if (effect?.effect.expireToken && tokenId !== null) uow.put('expiredTokens', { id: tokenId, at: uow.now });
      return effect;
    });
    if (!chosen) return null;
    this.#isSpent = true;
    this.#request.ruleId = chosen.ruleId;
    this.#request.effect = chosen.effect;
    this.#request.delayMs = chosen.delayMs;
    await kept;
    if (chosen.delayMs > 0) await this.#hold(chosen.delayMs, phase);
    return chosen;
  }
}

/** Returns the error for a call that a delay would hold, if too many calls wait. */
const tooManyHeld = (): DomainError =>
  new DomainError(
    'RATE_LIMIT_EXCEEDED',
    'Too many requests to this world wait for a delay of a rule, a fault or an inbox. Retry when some have ended.',
    {
      maximum: heldLimits.ofWorld,
    },
  );

/** Returns the error response of an effect. */
function errorOf({ status, code, retryAfter }: RequestEffect, route: AnyRoute, place: Parameters<typeof injectedBody>[1]): ApiResponse {
  const errorCode = code ?? injectedCode(route, status ?? 503);
  const errorStatus = status ?? errorCatalogue[errorCode].status;
  const body = injectedBody(errorCode, place);
  const waits = retryAfter !== undefined || errorStatus === 429 || errorStatus === 503;
  const headers: Record<string, string> = {
    ...(waits ? { 'Retry-After': String(Math.ceil((durationMs(retryAfter ?? '1s') ?? 0) / 1000)) } : {}),
    ...(errorStatus === 401 ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {}),
  };
  return { status: errorStatus, body: JSON.stringify(body), headers, value: body };
}

/** Returns whether the client receives this response, modified or unmodified, or loses it. */
export function outcomeOf({ shape = {}, inPlaceOf, body }: ResponseWithEffect): ResponseOutcome {
  const isBroken = shape.connectionReset || ((shape.malformedJson || shape.truncate) && body !== null);
  if (inPlaceOf || isBroken) return 'LOST';
  return (shape.unknownFields || shape.hideNewerThan) && body !== null ? 'MODIFIED' : 'DELIVERED';
}

/** Returns the body as changed by an effect. */
export function bodyWithEffect(shape: RequestEffect, body: string | null): string | null {
  const text = shape.unknownFields && body !== null ? withUnknownFields(body) : body;
  return shape.malformedJson && text !== null ? `${text.slice(0, -1)},` : text;
}

/** Internal header of a forwarded request: the wire effects that the node with the client's connection must apply. */
export const effectsHeader = 'x-sandbox-shape';

/** Effects on the transfer of the response, not on the text of its body. */
type WireShape = Pick<RequestEffect, 'connectionReset' | 'truncate' | 'slowBody'>;

/** Creates the HTTP response with its effects. @param answer the response without headers that depend on the body */
export function responseWithEffect(env: Bindings, answer: ResponseWithEffect): Response {
  const { connectionReset, truncate, slowBody } = answer.shape ?? {};
  const isWire = connectionReset ?? truncate ?? slowBody;
  if (!env.isHop || isWire === undefined) return onTheWire(env, answer);
  const text = { ...answer.headers, [effectsHeader]: JSON.stringify({ connectionReset, truncate, slowBody } satisfies WireShape) };
  return new Response(answer.body, { status: answer.status, headers: text });
}

/** Parses the effects from {@link effectsHeader}; undefined if there are none. */
export const parseEffects = (text: string | undefined): WireShape | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as WireShape);

function onTheWire({ incoming }: Bindings, { status, body: text, headers, shape = {} }: ResponseWithEffect): Response {
  if (shape.connectionReset) {
    incoming?.socket.resetAndDestroy();
    return new Response(brokenOff([])); // Without a status: nothing is sent, and a 204 cannot have a body.
  }
  if (text === null) return new Response(null, { status, headers });
  const bytes = Buffer.from(text);
  const sized = { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) };
  if (shape.truncate)
    return new Response(brokenOff([bytes.subarray(0, Math.ceil(bytes.length / 2))], incoming), { status, headers: sized });
  if (shape.slowBody !== undefined) return new Response(slowly(bytes, slowBodyMsOf(shape)), { status, headers: sized });
  return new Response(text, { status, headers: sized });
}

/** Returns a body that aborts the connection after its chunks. */
function brokenOff(pieces: Uint8Array[], incoming?: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift();
      if (piece) return controller.enqueue(piece);
      await wait(10); // Gives earlier chunks time to be sent.
      if (incoming) incoming.socket.destroy();
      else controller.error(new Error('A rule or fault of the sandbox aborted this response.'));
    },
  });
}

function slowly(bytes: Uint8Array, lengthMs: number): ReadableStream<Uint8Array> {
  const size = Math.ceil(bytes.length / slowBodyPieces);
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await wait(lengthMs / slowBodyPieces, undefined, { ref: false });
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
      if (at >= bytes.length) controller.close();
    },
  });
}
