import type { RecordedCall, RecordedText, RecordEntry } from '../../contract/control/analysis/record.js';
import type { AttemptRecord, RecordedResponse, RequestRecord } from '../../exchange/exchange.js';
import { hashOfAnswer } from '../../exchange/answer-hash.js';
import type { Redactor } from '../../exchange/redact.js';

/**
 * A request as the record keeps it: without the data of its bodies. It contains secrets, except in long bodies: of these, only the beginning
 * is kept, as the control API shows it.
 */
export interface KeptRequest extends RequestRecord {
  readonly response: RecordedResponse & {
    /** Size of the whole body in bytes. */
    readonly bytes: number;
    /** Hash of the whole body if only its beginning is kept; otherwise null. */
    readonly hash: string | null;
  };
}

/** One entry of the recorded requests: the fields for lookups, and what it shows. Secrets are removed when it is read. */
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
  /** A request, with its body and response when it has ended, or an attempt; null for an entry with `fields`. */
  readonly source: RequestRecord | KeptRequest | AttemptRecord | null;
  /** The fields of a mark or an unattributed request, without secrets; null for an entry that is converted when it is read. */
  readonly fields: object | null;
  /** Size in memory, in bytes. */
  readonly bytes: number;
}

/** Size of an entry and its source in memory without strings, in bytes. */
const entryBytes = 900;

/** Returns the size of a string in memory: two bytes for each character if any of them is beyond Latin-1, else one. */
export const sizeOf = (text: string) => (Buffer.byteLength(text) !== text.length && /[\u0100-\uffff]/.test(text) ? 2 : 1) * text.length;

/** Returns what is kept of a body. @param bytes size of the whole body */
const keptText = (redactor: Redactor, text: string, bytes: number, limit: number) =>
  bytes <= limit ? text : recordedText(redactor, text, bytes, limit).text;

/** Returns what the record keeps of a request. @param before the headers of an earlier request, whose equal strings are reused */
export function keptRequest(redactor: Redactor, request: RequestRecord, isRead: boolean, before: readonly string[] = []): KeptRequest {
  const { body, response, rawHeaders } = request;
  const { headers, body: text } = response;
  const bytes = text === null ? 0 : Buffer.byteLength(text);
  const kept = text === null ? null : keptText(redactor, text, bytes, isRead ? limits.read : limits.write);
  return {
    ...request,
    rawHeaders: sharedHeaders(rawHeaders, before),
    body: body && { ...body, text: keptText(redactor, body.text, body.size, body.file ? Infinity : limits.request), value: undefined },
    response: { headers, body: kept, value: undefined, bytes, hash: text === kept ? null : hashOfAnswer(text!) },
  };
}

/** Returns headers with the strings of earlier headers where they are equal. */
function sharedHeaders(raw: readonly string[], before: readonly string[]): readonly string[] {
  let isSame = raw.length === before.length;
  const shared = raw.map((each, index) => {
    if (each === before[index]) return before[index];
    isSame = false;
    return each;
  });
  return isSame ? before : shared;
}

/** Returns the size of a request in memory, in bytes. @param before as for {@link keptRequest} */
export function sizeOfRequest({ target, body, response, rawHeaders }: KeptRequest, before: readonly string[]): number {
  let bytes = entryBytes + sizeOf(target) + sizeOf(body?.text ?? '') + sizeOf(response.body ?? '');
  for (const [index, each] of rawHeaders.entries()) if (each !== before[index]) bytes += each.length;
  return bytes;
}

/** Returns what the record keeps of an attempt. */
export const keptAttempt = (attempt: AttemptRecord): AttemptRecord => ({ ...attempt, payload: undefined });

/** Returns the size of an attempt in memory, in bytes. */
export function sizeOfAttempt({ url, headers, sent, body, answer }: AttemptRecord): number {
  let bytes = entryBytes + url.length + sizeOf(sent) + (body === sent ? 0 : sizeOf(body)) + (answer?.length ?? 0);
  for (const name in headers) bytes += name.length + headers[name]!.length;
  return bytes;
}

/** Returns the entry of a finished request, attempt or mark. @param bytes size of its content in memory */
export function endedEntry(
  entry: Omit<StoredEntry, 'endedOrder' | 'source' | 'fields' | 'bytes'>,
  endedOrder: number,
  { source = null, fields = null }: Partial<Pick<StoredEntry, 'source' | 'fields'>>,
  bytes: number,
): StoredEntry {
  const { seq, id, kind, isRead, generation, test, beganOrder } = entry;
  return { seq, id, kind, isRead, generation, test, beganOrder, endedOrder, source, fields, bytes: bytes + (test?.length ?? 0) };
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
  const { kind, seq, id, generation, test } = stored;
  const fields = fieldsOf(stored, redactor);
  const findings = kind === 'MARK' ? {} : { findings: findingsOf(id) };
  return { kind, seq, id, world, generation, test, ...fields, ...findings } as RecordEntry;
}

/** Returns the fields of an entry without secrets. */
function fieldsOf({ kind, source, fields, isRead, endedOrder }: StoredEntry, redactor: Redactor): object {
  if (fields) return fields;
  if (kind === 'ATTEMPT') return attemptFields(redactor, source as AttemptRecord);
  const isEnded = endedOrder < Infinity;
  return requestFields(
    redactor,
    isEnded ? (source as KeptRequest) : keptRequest(redactor, source as RequestRecord, isRead),
    isRead,
    isEnded,
  );
}

/** Returns the request of an entry of a world; null for an attempt or mark. */
export const requestIn = ({ kind, source }: StoredEntry): RequestRecord | null => (kind === 'ATTEMPT' ? null : (source as RequestRecord));

const timestamp = (ms: number) => new Date(ms).toISOString();

/** Maximum number of bytes of a body that are stored. */
const limits = { request: 16 * 1024, write: 16 * 1024, read: 4 * 1024, event: 16 * 1024 } as const;
/** Returns the beginning of a body without secrets. @param text the whole body, or its beginning without secrets @param bytes size of the whole body */
function recordedText(redactor: Redactor, text: string, bytes: number, limit: number): RecordedText {
  if (bytes <= limit) return { text: redactor.text(text), bytes, truncated: false };
  return { text: Buffer.from(redactor.text(text, limit)).toString('utf8', 0, limit), bytes, truncated: true };
}

function recordedBody(redactor: Redactor, { body }: RequestRecord): RecordedCall['body'] {
  if (!body) return null;
  const { mediaType, size, text, file } = body;
  const recorded = recordedText(redactor, text, size, file ? Infinity : limits.request);
  return { ...recorded, mediaType: redactor.text(mediaType), ...(file ? { file: { ...file, name: redactor.text(file.name) } } : {}) };
}

function responseBody(redactor: Redactor, { response: { body, bytes } }: KeptRequest, isRead: boolean): RecordedText | null {
  return body === null ? null : recordedText(redactor, body, bytes, isRead ? limits.read : limits.write);
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
export type RequestFields = Omit<RecordedCall, 'kind' | 'seq' | 'id' | 'world' | 'generation' | 'test' | 'findings'>;

/** Returns a request as the control API shows it, without secrets. @param isEnded false while the request is in progress */
export function requestFields(redactor: Redactor, request: KeptRequest, isRead: boolean, isEnded = true): RequestFields {
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
