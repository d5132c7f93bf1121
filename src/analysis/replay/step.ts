import { createHash } from 'node:crypto';
import type { ReplayStep } from '../../contract/control/analysis/replay.js';
import { credentialHash } from '../../web/bearer.js';
import { headerOf } from '../../web/request-record.js';
import type { AttemptRecord, RequestRecord } from '../../web/observer.js';
import type { Moment } from '../../world/commit.js';
import type { Redactor } from '../record/redaction.js';
import type { RequestFields } from '../record/stored-entry.js';

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
  readonly json: string;
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns a string without the ids of requests, which differ in every run. */
export function withoutRequestIds(text: string): string {
  return text.includes('req_') || text.includes('ctl_') ? text.replaceAll(/\b(req|ctl)_[A-Za-z0-9_-]{21}/g, '$1_') : text;
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

/** Returns the step of a request that has a response. @param fields the recorded form of the request, without secrets */
export function stepOfCall(redactor: Redactor, request: RequestRecord, moment: Moment, fields: RequestFields): TapedStep {
  const { kind, response, effect, operationId } = request;
  const { value } = response;
  const issued = operationId === 'createToken' ? (value as { accessToken?: unknown } | undefined)?.accessToken : undefined;
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
      sha256: response.body !== null && isComparable ? sha256(withoutRequestIds(response.body)) : null,
      outcome: request.outcome,
      ms: Math.max(0, request.ended.realMs - request.began.realMs),
      issued: typeof issued === 'string' ? credentialHash(issued) : null,
    },
  };
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
    json: JSON.stringify({ kind: isControl ? 'CONTROL' : 'CALL', ...step } satisfies Omit<ReplayStep, Numbered>),
  };
}

function bodyOf(redactor: Redactor, { body, rawHeaders }: RequestRecord): Extract<ReplayStep, { kind: 'CALL' }>['body'] {
  const bytes = Number(headerOf(rawHeaders, 'content-length') ?? 0) || 0;
  if (!body) return bytes === 0 ? null : { text: '', sha256: sha256(''), bytes };
  const text = redactor.text(body.text);
  const file = body.file && { ...body.file, name: redactor.text(body.file.name) };
  return { text, sha256: sha256(text), bytes: body.size, ...(file ? { file } : {}) };
}

/** Returns the step of a finished attempt. @param subscription number of the subscription in the order of creation */
export function stepOfAttempt(redactor: Redactor, attempt: AttemptRecord, subscription: number): TapedStep {
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
  return {
    kind: 'ATTEMPT',
    moment,
    order: ended.order,
    beganOrder: began.order,
    endedOrder: ended.order,
    realMs: began.realMs,
    isWrite: false,
    isLong: false,
    json: JSON.stringify(step),
  };
}
