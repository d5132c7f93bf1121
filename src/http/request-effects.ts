import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { bindingsOf, type Bindings } from '../web/body/body.js';
import type { Call } from '../web/plane.js';
import type { SeenCall } from '../web/seen-call.js';
import type { Fate } from '../world/witness.js';
import { durationMs } from '../contract/shared/duration.js';
import { answerShapes, type RequestEffect } from '../contract/scenario/effects.js';
import type { ErrorBody } from '../contract/shared/errors.js';
import type { OperationId } from '../contract/public/routes.js';
import type { Phase } from '../contract/scenario/scenario.js';
import type { RequestSubject } from '../scenario/subjects.js';
import { statusOf, usualCode, type Answer } from '../web/errors.js';
import type { AnyRoute } from '../contract/shared/route.js';
import { chooseRequestEffect } from '../engine/choose-effect.js';
import { hasRules } from '../engine/rules.js';
import type { Session } from '../world/session.js';

/** How long a slow body takes when its effect does not say, and in how many pieces it comes. */
const slowBodyMs = 2000;
const slowBodyPieces = 10;

/** An answer, and what is done to it on its way. */
export interface ShapedAnswer extends Answer {
  readonly shape?: RequestEffect;
  /** The answer that it takes the place of, after everything had happened. */
  readonly inPlaceOf?: Answer;
}

/**
 * What rules and faults may do to a request; null when its world has none on requests.
 * @param tokenId the token that `expireToken` ends
 */
export function effectsOn(session: Session, tokenId: string | null, route: AnyRoute, call: Call): RequestEffects | null {
  return session.world.read((view) => hasRules(view, 'REQUEST')) ? new RequestEffects(session, tokenId, route, call) : null;
}

/** One request on its way through the plane, as far as rules and faults are concerned. */
class RequestEffects {
  readonly #session: Session;
  readonly #tokenId: string | null;
  readonly #subject: RequestSubject;
  readonly #seen: SeenCall;
  readonly #outgoing: ServerResponse | undefined;
  #isSpent = false;

  constructor(session: Session, tokenId: string | null, route: AnyRoute, { c, seen }: Call) {
    this.#seen = seen;
    this.#outgoing = bindingsOf(c).outgoing;
    this.#session = session;
    this.#tokenId = tokenId;
    this.#subject = {
      operationId: route.operationId as OperationId,
      method: c.req.method as RequestSubject['method'],
      path: c.req.path,
      query: seen.queryIn ? Object.fromEntries(seen.query) : c.req.query(),
      headers: c.req.header(),
    };
  }

  /** What happens right after the token, every time a request arrives: a wait, and the answer if the request ends here. */
  async before(): Promise<ShapedAnswer | null> {
    const chosen = await this.#choose('before');
    if (!chosen) return null;
    const { effect, ruleId } = chosen;
    if (effect.status !== undefined || effect.code !== undefined) return this.#error(effect, effect, ruleId);
    if (effect.expireToken && this.#tokenId !== null) return this.#error({ code: 'EXPIRED_ACCESS_TOKEN' }, effect, ruleId);
    const needsAnswer = effect.connectionReset || answerShapes.some((shape) => effect[shape] !== undefined);
    return needsAnswer ? this.#error({ status: 503 }, effect, ruleId) : null;
  }

  /** What becomes of the answer after everything has happened and is kept. */
  async after(answer: Answer): Promise<ShapedAnswer> {
    const chosen = this.#session.isOvertaken ? null : await this.#choose('after_commit');
    if (!chosen) return answer;
    const { effect, ruleId } = chosen;
    const isLost = effect.status !== undefined || effect.code !== undefined;
    return isLost ? { ...errorOf(effect, ruleId), inPlaceOf: answer, shape: effect } : { ...answer, shape: effect };
  }

  #error(said: RequestEffect, shape: RequestEffect, ruleId: string): ShapedAnswer {
    return { ...errorOf(said, ruleId), shape };
  }

  async #choose(phase: Phase) {
    const tokenId = this.#tokenId;
    if (this.#isSpent) return null;
    const { value: chosen, kept } = this.#session.write((uow) => {
      const effect = chooseRequestEffect(uow, this.#subject, phase);
      if (effect?.effect.expireToken && tokenId !== null) uow.put('expiredTokens', { id: tokenId, at: uow.now });
      return effect;
    });
    if (!chosen) return null;
    this.#isSpent = true;
    this.#seen.ruleId = chosen.ruleId;
    this.#seen.effect = chosen.effect;
    await kept;
    if (chosen.delayMs > 0) await waitWith(this.#outgoing, chosen.delayMs);
    return chosen;
  }
}

/** Waits, but no longer than the client does. */
async function waitWith(outgoing: ServerResponse | undefined, ms: number): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  outgoing?.once('close', leave);
  await wait(ms, undefined, { ref: false, signal: gone.signal }).catch(() => undefined);
  outgoing?.off('close', leave);
}

/** The answer that an effect gives instead of the real one. */
function errorOf({ status, code, retryAfter }: RequestEffect, ruleId: string): Answer {
  const errorCode = code ?? usualCode(status ?? 503);
  const errorStatus = status ?? statusOf[errorCode];
  const body: ErrorBody = {
    code: errorCode,
    message: 'A rule or a fault of the sandbox asked for this answer.',
    details: { rule: ruleId },
  };
  const waits = retryAfter !== undefined || errorStatus === 429 || errorStatus === 503;
  const headers: Record<string, string> = {
    ...(waits ? { 'Retry-After': String(Math.ceil((durationMs(retryAfter ?? '1s') ?? 0) / 1000)) } : {}),
    ...(errorStatus === 401 ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {}),
  };
  return { status: errorStatus, body: JSON.stringify(body), headers };
}

/** What becomes of an answer on its way to the client. */
export function fateOf({ shape = {}, inPlaceOf, body }: ShapedAnswer): Fate {
  const isBroken = shape.connectionReset || ((shape.malformedJson || shape.truncate) && body !== null);
  if (inPlaceOf || isBroken) return 'LOST';
  return shape.unknownFields && body !== null ? 'ALTERED' : 'INTACT';
}

/** A body as an effect has it sent. */
export function shapedBody(shape: RequestEffect, body: string | null): string | null {
  const told = shape.unknownFields && body !== null ? withUnknownFields(body) : body;
  return shape.malformedJson && told !== null ? `${told.slice(0, -1)},` : told;
}

/** The header in which a node tells the one that holds the client's socket what to do to an answer on its way. */
export const shapeHeader = 'x-sandbox-shape';

/** What is done on the wire, rather than to the text. */
type WireShape = Pick<RequestEffect, 'connectionReset' | 'truncate' | 'slowBody'>;

/** Makes the response of a shaped answer, whose headers lack those that follow from the body. */
export function shapedResponse(env: Bindings, answer: ShapedAnswer): Response {
  const { connectionReset, truncate, slowBody } = answer.shape ?? {};
  const isWire = connectionReset ?? truncate ?? slowBody;
  if (!env.isHop || isWire === undefined) return onTheWire(env, answer);
  const told = { ...answer.headers, [shapeHeader]: JSON.stringify({ connectionReset, truncate, slowBody } satisfies WireShape) };
  return new Response(answer.body, { status: answer.status, headers: told });
}

/** What another node tells to do to an answer; undefined for nothing. */
export const shapeIn = (text: string | undefined): WireShape | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as WireShape);

function onTheWire({ incoming }: Bindings, { status, body: text, headers, shape = {} }: ShapedAnswer): Response {
  if (shape.connectionReset) {
    incoming?.socket.resetAndDestroy();
    return new Response(brokenOff([])); // Whatever its status would be: of a 204 none could be made, and none is sent.
  }
  if (text === null) return new Response(null, { status, headers });
  const bytes = Buffer.from(text);
  const sized = { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) };
  if (shape.truncate)
    return new Response(brokenOff([bytes.subarray(0, Math.ceil(bytes.length / 2))], incoming), { status, headers: sized });
  if (shape.slowBody !== undefined) {
    const lengthMs = shape.slowBody === true ? slowBodyMs : (durationMs(shape.slowBody) ?? 0);
    return new Response(slowly(bytes, lengthMs), { status, headers: sized });
  }
  return new Response(text, { status, headers: sized });
}

/** A body that ends, and its connection with it, after its pieces. */
function brokenOff(pieces: Uint8Array[], incoming?: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift();
      if (piece) return controller.enqueue(piece);
      await wait(10); // What went before has left by then.
      if (incoming) incoming.socket.destroy();
      else controller.error(new Error('A rule or a fault of the sandbox broke this answer off.'));
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

/** A body with a field in each of its objects that no contract names. */
function withUnknownFields(body: string): string {
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value, unknownField: 'A field that this version of the contract does not name.' }
      : value,
  );
}
