import type { ReplayStep } from '../../contract/control/analysis/replay.js';
import { credentialHash } from '../../web/bearer.js';
import { headerOf } from '../../web/request-record.js';
import type { AttemptRecord, RequestRecord } from '../../exchange/exchange.js';
import type { Moment } from '../../world/commit.js';
import type { Redactor } from '../../exchange/redact.js';
import { hashOfAnswer, sha256, withoutRequestIds } from '../../exchange/answer-hash.js';
import { requestFields, type KeptRequest } from './entry.js';

/** The fields of a step that depend on the beginning of the tape and on the other steps. */
export type Numbered = 'realMs' | 'jobsBefore';

/** A recorded step, before its number is known. */
export interface TapedStep {
  readonly kind: ReplayStep['kind'];
  readonly moment: Moment;
  /** Order among the steps at the same commit. */
  readonly order: number;
  readonly beganOrder: number;
  readonly endedOrder: number;
  /** Real time at the beginning, in milliseconds since 1970. */
  readonly realMs: number;
  /** True for a request whose write was carried out. */
  readonly isWrite: boolean;
  /** True if later steps can end before this one: an advance of the clock, or a request with a delay. */
  readonly isLong: boolean;
  /** Returns the step in the form of a replay file, without secrets. */
  fields(redactor: Redactor): Omit<ReplayStep, Numbered>;
}

/** Headers of the connection and of the body, which a replay sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'date',
  'expect',
  'host',
  'keep-alive',
  'priority',
  'sec-fetch-mode',
  'te',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

const timestamp = (ms: number) => new Date(ms).toISOString();

/** Returns the step of a request that has a response. */
export function stepOfCall(request: KeptRequest, moment: Moment, isRead: boolean): TapedStep {
  const { kind, effect } = request;
  const isControl = kind === 'CONTROL';
  return {
    kind: isControl ? 'CONTROL' : 'CALL',
    moment,
    order: isControl ? request.began.order : request.ended.order,
    beganOrder: request.began.order,
    endedOrder: request.ended.order,
    realMs: request.began.realMs,
    isWrite: request.stored !== null,
    isLong: isControl || effect?.delay !== undefined || effect?.respondAfter !== undefined,
    fields: (redactor) => callFields(redactor, request, moment, isRead),
  };
}

/** Returns the access token in the response to a token request; undefined without one. */
function issuedIn({ operationId, response: { body } }: KeptRequest): unknown {
  if (operationId !== 'createToken' || body === null) return undefined;
  try {
    return (JSON.parse(body) as { accessToken?: unknown } | null)?.accessToken;
  } catch {
    return undefined; // A fault has broken the response.
  }
}

function callFields(redactor: Redactor, request: KeptRequest, moment: Moment, isRead: boolean): Omit<ReplayStep, Numbered> {
  const { kind, response, effect } = request;
  const fields = requestFields(redactor, request, isRead);
  const issued = issuedIn(request);
  // The error message about an invalid token depends on the text of the token, which is not recorded.
  const isComparable = typeof issued !== 'string' && (request.token === null || request.tokenEndsMs !== null);
  const step: Omit<Extract<ReplayStep, { kind: 'CALL' }>, 'kind' | Numbered> = {
    at: timestamp(moment.worldMs),
    effect: effect && fields.response!.effect,
    connection: fields.connection,
    method: fields.method,
    url: fields.url,
    operationId: fields.operationId,
    version: fields.version,
    headers: Object.fromEntries(Object.entries(fields.headers).filter(([name]) => !ownHeaders.has(name))),
    token:
      request.token === null ? null : { id: request.token, endsAt: request.tokenEndsMs === null ? null : timestamp(request.tokenEndsMs) },
    body: bodyOf(redactor, request),
    response: {
      status: request.status,
      code: request.code,
      sha256: response.body !== null && isComparable ? (response.hash ?? hashOfAnswer(response.body)) : null,
      outcome: request.outcome,
      ms: Math.max(0, request.ended.realMs - request.began.realMs),
      issued: typeof issued === 'string' ? credentialHash(issued) : null,
    },
  };
  return { kind: kind === 'CONTROL' ? 'CONTROL' : 'CALL', ...step } satisfies Omit<ReplayStep, Numbered>;
}

function bodyOf(redactor: Redactor, { body, rawHeaders }: RequestRecord): Extract<ReplayStep, { kind: 'CALL' }>['body'] {
  const bytes = Number(headerOf(rawHeaders, 'content-length') ?? 0) || 0;
  if (!body) return bytes === 0 ? null : { text: '', sha256: sha256(''), bytes };
  const text = redactor.text(body.text);
  const file = body.file && { ...body.file, name: redactor.text(body.file.name) };
  return { text, sha256: sha256(text), bytes: body.size, ...(file ? { file } : {}) };
}

/** Returns the step of a finished attempt. @param subscription number of the subscription in the order of creation */
export function stepOfAttempt(attempt: AttemptRecord, subscription: number): TapedStep {
  const { moment, began, ended } = attempt;
  return {
    kind: 'ATTEMPT',
    moment,
    order: ended.order,
    beganOrder: began.order,
    endedOrder: ended.order,
    realMs: began.realMs,
    isWrite: false,
    isLong: false,
    fields: (redactor) => attemptFields(redactor, attempt, subscription),
  };
}

function attemptFields(redactor: Redactor, attempt: AttemptRecord, subscription: number): Omit<ReplayStep, Numbered> {
  const { moment, began, ended, effect, location, error, answer } = attempt;
  const body = answer && redactor.text(answer.toString(), Infinity, answer.length >= 1024);
  const step: Omit<Extract<ReplayStep, { kind: 'ATTEMPT' }>, Numbered> = {
    kind: 'ATTEMPT',
    at: timestamp(moment.worldMs),
    effect: effect && (JSON.parse(redactor.json(effect)) as Record<string, unknown>),
    messageId: attempt.messageId,
    eventType: attempt.eventType,
    attemptKind: attempt.attemptKind,
    number: attempt.number,
    subscription,
    url: redactor.text(attempt.url),
    toInbox: attempt.toInbox,
    sha256: sha256(withoutRequestIds(attempt.sent)),
    response: {
      status: attempt.httpStatus,
      error: error && redactor.text(error),
      location: location && redactor.text(location),
      body,
      sha256: body === null ? null : sha256(body),
      ms: Math.max(0, ended.realMs - began.realMs),
    },
  };
  return step;
}
