import type { RecordedCall, RecordedText, RecordEntry } from '../../contract/control/analysis/record.js';
import { timestampOf } from '../../domain/context.js';
import { beginningOf, bodyLimits, storedRequest, type Exchange, type StoredRequest } from '../../exchange/entry.js';
import type { AttemptRecord, RequestRecord } from '../../exchange/exchange.js';
import type { Redactor } from '../../exchange/redact.js';

/** The world and findings of an entry. */
export interface EntryPlace {
  /** Name of the world; null for an unattributed request. */
  readonly world: string | null;
  /** Returns the ids of the findings that refer to an entry. */
  readonly findingsOf: (id: string) => string[];
  readonly redactor: Redactor;
}

/** Returns an exchange as the control API shows it, without secrets. */
export function entryView(exchange: Exchange, { world, findingsOf, redactor }: EntryPlace): RecordEntry {
  const { kind, seq, id, generation, test } = exchange;
  const findings = kind === 'MARK' ? {} : { findings: findingsOf(id) };
  return { kind, seq, id, world, generation, test, ...fieldsOf(exchange, redactor), ...findings } as RecordEntry;
}

function fieldsOf({ kind, source, fields, isRead, isCutOff, endedOrder }: Exchange, redactor: Redactor): object {
  if (fields) return fields;
  if (kind === 'ATTEMPT') return attemptFields(redactor, source as AttemptRecord);
  if (endedOrder === Infinity) return requestFields(redactor, storedRequest(redactor, source as RequestRecord, isRead), isRead, false);
  const request = source as StoredRequest;
  return requestFields(redactor, isCutOff ? { ...request, outcome: 'CLIENT_DISCONNECTED' } : request, isRead);
}

/** Returns the beginning of a body without secrets. @param text the whole body, or its beginning without secrets @param bytes size of the whole body */
function recordedText(redactor: Redactor, text: string, bytes: number, limit: number): RecordedText {
  const isWhole = bytes <= limit;
  return { text: isWhole ? redactor.text(text) : beginningOf(redactor, text, limit), bytes, truncated: !isWhole };
}

function recordedBody(redactor: Redactor, { body }: RequestRecord): RecordedCall['body'] {
  if (!body) return null;
  const { mediaType, size, text, file } = body;
  const recorded = recordedText(redactor, text, size, file ? Infinity : bodyLimits.request);
  return { ...recorded, mediaType: redactor.text(mediaType), ...(file ? { file: { ...file, name: redactor.text(file.name) } } : {}) };
}

function responseBody(redactor: Redactor, { response: { body, bytes } }: StoredRequest, isRead: boolean): RecordedText | null {
  return body === null ? null : recordedText(redactor, body, bytes, isRead ? bodyLimits.read : bodyLimits.write);
}

/** Returns headers without secrets, by lower-case name. */
function headerFields(redactor: Redactor, raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of redactor.headers(raw).split('\n')) {
    const end = line.indexOf(': ');
    if (end < 0) continue;
    const name = line.slice(0, end);
    const value = line.slice(end + 2);
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** Returns response headers by lower-case name. None of them is secret. */
function responseHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name in headers) fields[name.toLowerCase()] = headers[name]!;
  return fields;
}

/** Returns the query parameters of a URL without secrets. */
function queryFields(url: string): RecordedCall['query'] {
  const at = url.indexOf('?');
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of at < 0 ? [] : new URLSearchParams(url.slice(at + 1))) {
    const before = Object.hasOwn(query, name) ? query[name] : undefined;
    if (Array.isArray(before)) before.push(value);
    else query[name] = before === undefined ? value : [before, value];
  }
  return query;
}

function paramFields(redactor: Redactor, params: RequestRecord['params']): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name in params) fields[name] = redactor.text(params[name]!);
  return fields;
}

/** Returns a copy of data without secrets in its strings. */
const redactedValue = <T>(redactor: Redactor, value: T): T => JSON.parse(redactor.json(value)) as T;

/** The fields of a recorded request that depend only on the request. */
type RequestFields = Omit<RecordedCall, 'kind' | 'seq' | 'id' | 'world' | 'generation' | 'test' | 'findings'>;

/** The fields of a request that the timeline shows. */
export type RequestOutline = Pick<
  RecordedCall,
  'at' | 'startedAt' | 'durationMs' | 'method' | 'path' | 'params' | 'operationId' | 'status' | 'code' | 'caused'
> & { readonly response: Pick<NonNullable<RecordedCall['response']>, 'outcome' | 'replay' | 'ruleId'> | null };

/** Returns a request as the timeline shows it, without secrets. @param isEnded false while the request is in progress */
export function requestOutline(redactor: Redactor, request: RequestRecord, isEnded = true): RequestOutline {
  const { began, ended, ruleId } = request;
  const url = redactor.text(request.target);
  const at = url.indexOf('?');
  return {
    at: began.worldMs === null ? null : timestampOf(began.worldMs),
    startedAt: timestampOf(began.realMs),
    durationMs: isEnded ? ended.realMs - began.realMs : null,
    method: request.method,
    path: at < 0 ? url : url.slice(0, at),
    params: paramFields(redactor, request.params),
    operationId: request.operationId,
    status: isEnded ? request.status : null,
    code: isEnded ? request.code : null,
    response: isEnded ? { outcome: request.outcome, replay: request.replay, ruleId: ruleId === null ? null : redactor.text(ruleId) } : null,
    caused: request.caused.map(({ resource, id }) => ({ resource, id: redactor.text(id) })),
  };
}

/** Returns a request as the control API shows it, without secrets. @param isEnded false while the request is in progress */
export function requestFields(redactor: Redactor, request: StoredRequest, isRead: boolean, isEnded = true): RequestFields {
  const { idempotencyKey, unknown, response, traceId, purpose } = request;
  const outline = requestOutline(redactor, request, isEnded);
  const url = redactor.text(request.target);
  return {
    at: outline.at,
    startedAt: outline.startedAt,
    durationMs: outline.durationMs,
    connection: request.connection,
    method: outline.method,
    url,
    path: outline.path,
    params: outline.params,
    query: queryFields(url),
    operationId: outline.operationId,
    version: request.version,
    token: request.token,
    idempotencyKey: idempotencyKey === null ? null : redactor.text(idempotencyKey),
    traceId: traceId === null ? null : redactor.text(traceId),
    purpose: purpose === null ? null : redactor.text(purpose),
    headers: headerFields(redactor, request.rawHeaders),
    body: isEnded ? recordedBody(redactor, request) : null,
    unknown: isEnded ? unknown.map((each) => redactor.text(each)) : [],
    status: outline.status,
    code: outline.code,
    response: outline.response
      ? {
          originalStatus: request.originalStatus,
          replay: outline.response.replay,
          outcome: outline.response.outcome,
          ruleId: outline.response.ruleId,
          effect: request.effect && redactedValue(redactor, request.effect),
          headers: responseHeaders(response.headers),
          body: responseBody(redactor, request, isRead),
        }
      : null,
    caused: outline.caused,
  };
}

/** True if the response of an endpoint may be longer than 1 KiB: only the first KiB is stored. */
export const isCutResponse = (answer: Buffer) => answer.length >= 1024;

/** Returns an attempt as the control API shows it, without secrets. */
export function attemptFields(redactor: Redactor, attempt: AttemptRecord): object {
  const { began, ended, headers, body: _newest, sent: body, answer, effect, ...facts } = attempt;
  const {
    id: _id,
    timeoutMs: _timeout,
    isHeld: _held,
    generation: _generation,
    test: _test,
    payload: _payload,
    moment: _moment,
    subscription: _subscription,
    url,
    location,
    error,
    ...rest
  } = facts;
  return {
    at: timestampOf(began.worldMs ?? 0),
    startedAt: timestampOf(began.realMs),
    durationMs: ended.realMs - began.realMs,
    ...rest,
    url: redactor.text(url),
    location: location && redactor.text(location),
    error: error && redactor.text(error),
    effect: effect && redactedValue(redactor, effect),
    headers: headerFields(redactor, Object.entries(headers).flat()),
    body: recordedText(redactor, body, Buffer.byteLength(body), bodyLimits.event),
    response: answer && { text: redactor.text(answer.toString(), Infinity, isCutResponse(answer)), bytes: answer.length, truncated: false },
  };
}
