import type { RecordedCall, RecordedText, RecordEntry } from '../../contract/control/analysis/record.js';
import type { AttemptRecord, RequestRecord } from '../../web/observer.js';
import type { Redactor } from './redaction.js';

/**
 * One entry of the recorded requests: the fields for lookups, and all other fields as JSON without secrets, as the control API shows them.
 */
export interface StoredEntry {
  /** Position among the entries of the world, from 1. */
  readonly seq: number;
  readonly id: string;
  readonly kind: RecordEntry['kind'];
  /** True for a request that changes no resource. Such entries are stored separately from the others. */
  readonly isRead: boolean;
  readonly generation: number;
  readonly test: string | null;
  readonly beganOrder: number;
  /** Infinity while the request is in progress. */
  readonly endedOrder: number;
  /** The request while it is in progress; null after its response. */
  readonly request: RequestRecord | null;
  /** Null while the request is in progress. */
  readonly json: string | null;
  /** Size in memory, in bytes. */
  readonly bytes: number;
}

/** Size of an entry in memory without its JSON, in bytes. */
const entryBytes = 250;

/** Returns the size of a string in memory: two bytes for each character if any of them is beyond Latin-1, else one. */
export const sizeOf = (text: string) => (Buffer.byteLength(text) !== text.length && /[\u0100-\uffff]/.test(text) ? 2 : 1) * text.length;

/** Returns the entry of a finished request, attempt or mark. */
export function endedEntry(
  entry: Omit<StoredEntry, 'endedOrder' | 'request' | 'json' | 'bytes'>,
  endedOrder: number,
  json: string,
): StoredEntry {
  const { seq, id, kind, isRead, generation, test, beganOrder } = entry;
  const bytes = entryBytes + sizeOf(json) + (test?.length ?? 0);
  return { seq, id, kind, isRead, generation, test, beganOrder, endedOrder, request: null, json, bytes };
}

/** The world and findings of an entry. */
export interface EntryPlace {
  /** Name of the world; null for an unattributed request. */
  readonly world: string | null;
  /** Returns the ids of the findings that refer to an entry. */
  readonly findingsOf: (id: string) => string[];
  readonly redactor: Redactor;
}

/** Returns an entry as the control API shows it. */
export function entryView(stored: StoredEntry, { world, findingsOf, redactor }: EntryPlace): RecordEntry {
  const { kind, seq, id, generation, test, request, json } = stored;
  const fields = json === null ? requestFields(redactor, request!, stored.isRead, false) : (JSON.parse(json) as object);
  const findings = kind === 'MARK' ? {} : { findings: findingsOf(id) };
  return { kind, seq, id, world, generation, test, ...fields, ...findings } as RecordEntry;
}

const timestamp = (ms: number) => new Date(ms).toISOString();

/** Maximum number of bytes of a body that are stored. */
const limits = { request: 16 * 1024, write: 16 * 1024, read: 4 * 1024, event: 16 * 1024 } as const;
/** Returns the beginning of a body without secrets. @param bytes size of the whole body */
function recordedText(redactor: Redactor, text: string, bytes: number, limit: number): RecordedText {
  if (bytes <= limit) return { text: redactor.text(text), bytes, truncated: false };
  return {
    text: Buffer.from(redactor.text(text, limit))
      .toString('utf8', 0, limit)
      .replace(/\ufffd$/, ''),
    bytes,
    truncated: true,
  };
}

function recordedBody(redactor: Redactor, { body }: RequestRecord): RecordedCall['body'] {
  if (!body) return null;
  const { mediaType, size, text, file } = body;
  const recorded = recordedText(redactor, text, size, file ? Infinity : limits.request);
  return { ...recorded, mediaType: redactor.text(mediaType), ...(file ? { file: { ...file, name: redactor.text(file.name) } } : {}) };
}

function responseBody(redactor: Redactor, { response: { body } }: RequestRecord, isRead: boolean): RecordedText | null {
  return body === null ? null : recordedText(redactor, body, Buffer.byteLength(body), isRead ? limits.read : limits.write);
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

/** The fields of a recorded request that are stored as JSON. */
export type RequestFields = Omit<RecordedCall, 'kind' | 'seq' | 'id' | 'world' | 'generation' | 'test' | 'findings'>;

/** Returns a request as the control API shows it, without secrets. @param isEnded false while the request is in progress */
export function requestFields(redactor: Redactor, request: RequestRecord, isRead: boolean, isEnded = true): RequestFields {
  const { began, ended, idempotencyKey, unknown, response } = request;
  const url = redactor.text(request.target);
  const at = url.indexOf('?');
  return {
    at: began.worldMs === null ? null : timestamp(began.worldMs),
    startedAt: timestamp(began.realMs),
    durationMs: isEnded ? ended.realMs - began.realMs : null,
    connection: request.connection,
    method: request.method,
    url,
    path: at < 0 ? url : url.slice(0, at),
    params: paramFields(redactor, request.params),
    query: queryFields(url),
    operationId: request.operationId,
    version: request.version,
    token: request.token,
    idempotencyKey: idempotencyKey === null ? null : redactor.text(idempotencyKey),
    traceId: request.traceId === null ? null : redactor.text(request.traceId),
    headers: headerFields(redactor, request.rawHeaders),
    body: isEnded ? recordedBody(redactor, request) : null,
    unknown: isEnded ? unknown.map((each) => redactor.text(each)) : [],
    status: isEnded ? request.status : null,
    code: isEnded ? request.code : null,
    response: isEnded
      ? {
          originalStatus: request.originalStatus,
          replay: request.replay,
          outcome: request.outcome,
          ruleId: request.ruleId === null ? null : redactor.text(request.ruleId),
          effect: request.effect && redactedValue(redactor, request.effect),
          headers: responseHeaders(response.headers),
          body: responseBody(redactor, request, isRead),
        }
      : null,
    caused: request.caused.map(({ resource, id }) => ({ resource, id: redactor.text(id) })),
  };
}

/** True if the response of an endpoint may be longer than 1 KiB: only the first KiB is stored. */
export const isCutAnswer = (answer: Buffer) => answer.length >= 1024;

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
    url,
    location,
    error,
    ...rest
  } = facts;
  return {
    at: timestamp(began.worldMs ?? 0),
    startedAt: timestamp(began.realMs),
    durationMs: ended.realMs - began.realMs,
    ...rest,
    url: redactor.text(url),
    location: location && redactor.text(location),
    error: error && redactor.text(error),
    effect: effect && redactedValue(redactor, effect),
    headers: headerFields(redactor, Object.entries(headers).flat()),
    body: recordedText(redactor, body, Buffer.byteLength(body), limits.event),
    response: answer && { text: redactor.text(answer.toString(), Infinity, isCutAnswer(answer)), bytes: answer.length, truncated: false },
  };
}
