import { maxShownBytes } from '../../contract/control/analysis/replay-limits.js';
import type { ReplayStep } from '../../contract/control/analysis/replay.js';
import { timestampOf } from '../../domain/context.js';
import { credentialHash } from '../../exchange/credential-hash.js';
import { headerOf } from '../../exchange/raw-headers.js';
import type { AttemptRecord, RequestRecord } from '../../exchange/exchange.js';
import type { Moment } from '../../world/commit.js';
import type { Redactor } from '../../exchange/redact.js';
import { responseHash, sha256, withoutRequestIds } from '../../exchange/response-hash.js';
import { beginningOf, type Exchange, type StoredRequest } from '../../exchange/entry.js';
import { isCutResponse, requestFields } from './entry.js';

/** The fields of a step that depend on the start time of the replay and on the other steps. */
export type Numbered = 'realMs' | 'jobsBefore';

/** An exchange as a step of a replay file, before its number is known. */
export interface Step {
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
  /** Returns the beginning of the body of the response, or of the sent webhook, without secrets; null without one. */
  shown(redactor: Redactor): string | null;
}

/** Returns the steps of exchanges in the order of repetition: each after the commits that it saw, and before the next commit. */
export function stepsOf(exchanges: readonly Exchange[]): Step[] {
  const steps = exchanges
    .map(stepOf)
    .toSorted((a, b) => a.moment.commit - b.moment.commit || Number(b.moment.isOwn) - Number(a.moment.isOwn) || a.order - b.order);
  // With rules for requests, the first commit of a request counts them. Another request may write between this commit and its write.
  for (let end = 1; end < steps.length; end += 1) {
    for (let index = end; index > 0 && isOvertaking(steps[index]!, steps[index - 1]!); index -= 1)
      [steps[index - 1], steps[index]] = [steps[index]!, steps[index - 1]!];
  }
  return steps;
}

/**
 * Returns the number of jobs that ran before each step and after the earlier ones. Of two requests that overlapped, the later step can have
 * seen fewer jobs.
 */
export function jobsBefore(steps: readonly Pick<Step, 'moment'>[]): number[] {
  let jobs = steps[0]?.moment.jobs ?? 0;
  return steps.map(({ moment }) => {
    const added = Math.max(0, moment.jobs - jobs);
    jobs += added;
    return added;
  });
}

/** True if two requests overlapped, and the write of `after` was before that of `before`. */
function isOvertaking(after: Step, before: Step): boolean {
  return after.isWrite && before.isWrite && after.moment.last < before.moment.last;
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

function stepOf({ kind, source, isRead }: Exchange): Step {
  if (kind === 'ATTEMPT') {
    const attempt = source as AttemptRecord;
    const { moment, began, ended } = attempt;
    const place = { moment, order: ended.order, beganOrder: began.order, endedOrder: ended.order, realMs: began.realMs };
    return {
      kind,
      ...place,
      isWrite: false,
      isLong: false,
      fields: (redactor) => attemptFields(redactor, attempt),
      shown: (redactor) => beginningOf(redactor, attempt.sent, maxShownBytes),
    };
  }
  const request = source as StoredRequest;
  const { began, ended, effect, stored } = request;
  const isControl = kind === 'CONTROL';
  const moment = request.moment!;
  return {
    kind: isControl ? 'CONTROL' : 'CALL',
    moment,
    order: isControl ? began.order : ended.order,
    beganOrder: began.order,
    endedOrder: ended.order,
    realMs: began.realMs,
    isWrite: stored !== null,
    isLong: isControl || effect?.delay !== undefined || effect?.respondAfter !== undefined,
    fields: (redactor) => callFields(redactor, request, moment, isRead),
    shown: (redactor) => (request.response.body === null ? null : beginningOf(redactor, request.response.body, maxShownBytes)),
  };
}

/** Returns the access token in the response to a token request; undefined without one. */
function issuedIn({ operationId, response: { body } }: StoredRequest): unknown {
  if (operationId !== 'createToken' || body === null) return undefined;
  try {
    return (JSON.parse(body) as { accessToken?: unknown } | null)?.accessToken;
  } catch {
    return undefined; // A fault has broken the response.
  }
}

function callFields(redactor: Redactor, request: StoredRequest, moment: Moment, isRead: boolean): Omit<ReplayStep, Numbered> {
  const { kind, response, effect } = request;
  const fields = requestFields(redactor, request, isRead);
  const issued = issuedIn(request);
  // The error message about an invalid token depends on the text of the token, which is not recorded.
  // The response of a flush is the number of waiting deliveries, which depends on the real time of their timers.
  const isComparable =
    typeof issued !== 'string' && request.operationId !== 'flushDeliveries' && (request.token === null || request.tokenEndsMs !== null);
  const { worldMs, instants = [] } = moment;
  const step: Omit<Extract<ReplayStep, { kind: 'CALL' }>, 'kind' | Numbered> = {
    at: timestampOf(worldMs),
    ...(instants.some((each) => each !== worldMs) ? { instants: instants.map(timestampOf) } : {}),
    effect: effect && fields.response!.effect,
    connection: fields.connection,
    method: fields.method,
    url: fields.url,
    operationId: fields.operationId,
    version: fields.version,
    headers: Object.fromEntries(Object.entries(fields.headers).filter(([name]) => !ownHeaders.has(name))),
    token:
      request.token === null ? null : { id: request.token, endsAt: request.tokenEndsMs === null ? null : timestampOf(request.tokenEndsMs) },
    body: bodyOf(redactor, request),
    response: {
      status: request.status,
      code: request.code,
      sha256: response.body !== null && isComparable ? (response.hash ?? responseHash(response.body)) : null,
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

function attemptFields(redactor: Redactor, attempt: AttemptRecord): Omit<ReplayStep, Numbered> {
  const { moment, began, ended, effect, location, error, answer } = attempt;
  const body = answer && redactor.text(answer.toString(), Infinity, isCutResponse(answer));
  const step: Omit<Extract<ReplayStep, { kind: 'ATTEMPT' }>, Numbered> = {
    kind: 'ATTEMPT',
    at: timestampOf(moment.worldMs),
    effect: effect && (JSON.parse(redactor.json(effect)) as Record<string, unknown>),
    messageId: attempt.messageId,
    eventType: attempt.eventType,
    attemptKind: attempt.attemptKind,
    number: attempt.number,
    subscription: attempt.subscription,
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
