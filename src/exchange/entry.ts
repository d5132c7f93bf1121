import type { TimelineItem } from '../contract/control/analysis/stream.js';
import { responseHash } from './response-hash.js';
import type { AttemptRecord, RecordedResponse, RequestRecord } from './exchange.js';
import type { Redactor } from './redact.js';

/**
 * A finished request as the log keeps it: without the data of its bodies. It contains secrets, except in long bodies: of these, only the
 * beginning is kept, as the control API shows it.
 */
export interface StoredRequest extends RequestRecord {
  readonly response: RecordedResponse & {
    /** Size of the whole body in bytes. */
    readonly bytes: number;
    /** Hash of the whole body if only its beginning is kept; otherwise null. */
    readonly hash: string | null;
  };
}

/** A request, an attempt or a mark in the log of a world, with its secrets: they are removed when it leaves the process. */
export interface Exchange {
  /** Position in the log of the world, from 1. */
  readonly seq: number;
  readonly id: string;
  readonly kind: 'REQUEST' | 'CONTROL' | 'ATTEMPT' | 'MARK';
  /** True for a request that changes no resource. Reads are evicted apart from the others. */
  readonly isRead: boolean;
  readonly generation: number;
  readonly test: string | null;
  readonly beganOrder: number;
  /** Infinity while the request is in progress. */
  readonly endedOrder: number;
  /** A request in progress or finished, or an attempt; null for an exchange with `fields`. Never changes after the end. */
  readonly source: RequestRecord | StoredRequest | AttemptRecord | null;
  /** True if the client disconnected after the end of the request, before it had the whole response. */
  readonly isCutOff: boolean;
  /** The fields of a mark or an unattributed request, without secrets; null for an exchange that is rendered when it is read. */
  readonly fields: object | null;
  /** Size in memory, in bytes. */
  readonly bytes: number;
}

/** Maximum number of bytes of a body that are shown. */
export const bodyLimits = { request: 16 * 1024, write: 16 * 1024, read: 4 * 1024, event: 16 * 1024 } as const;

/** Size of an exchange and its source in memory without strings, in bytes. */
const exchangeBytes = 900;
/** Size of a mark in memory, in bytes. */
const markBytes = 500;
/** Size of a timeline item in memory without its longest strings, in bytes. */
const itemBytes = 700;

/** Returns the size of a string in memory: two bytes for each character if any of them is beyond Latin-1, else one. */
const sizeOf = (text: string) => (Buffer.byteLength(text) !== text.length && /[\u0100-\uffff]/.test(text) ? 2 : 1) * text.length;

/** Returns the beginning of a text without secrets. @param limit maximum size in bytes */
export const beginningOf = (redactor: Redactor, text: string, limit: number) =>
  Buffer.from(redactor.text(text, limit))
    .toString('utf8', 0, limit)
    .replace(/\ufffd$/, ''); // Removes a character that the limit cuts in half.

const kept = (redactor: Redactor, text: string, bytes: number, limit: number) =>
  bytes <= limit ? text : beginningOf(redactor, text, limit);

/**
 * Returns what the log keeps of a finished request.
 * @param isWhole true to keep the whole body of the request, which a replay sends again
 * @param before the headers of an earlier request, whose equal strings are reused
 */
export function storedRequest(
  redactor: Redactor,
  request: RequestRecord,
  isRead: boolean,
  isWhole = false,
  before: readonly string[] = [],
): StoredRequest {
  const { body, response, rawHeaders } = request;
  const { headers, body: text } = response;
  const bytes = text === null ? 0 : Buffer.byteLength(text);
  const shown = text === null ? null : kept(redactor, text, bytes, isRead ? bodyLimits.read : bodyLimits.write);
  const limit = isWhole || body?.file ? Infinity : bodyLimits.request;
  return {
    ...request,
    rawHeaders: sharedHeaders(rawHeaders, before),
    body: body && { ...body, text: kept(redactor, body.text, body.size, limit), value: undefined },
    response: { headers, body: shown, value: undefined, bytes, hash: text === shown ? null : responseHash(text!) },
  };
}

/** Returns headers with the strings of earlier headers where they are equal. */
function sharedHeaders(raw: readonly string[], before: readonly string[]): readonly string[] {
  if (raw.length === before.length && raw.every((each, index) => each === before[index])) return before;
  return raw.map((each, index) => (each === before[index] ? before[index] : each));
}

/** Returns what the log keeps of an attempt. */
export const storedAttempt = (attempt: AttemptRecord): AttemptRecord => ({ ...attempt, payload: undefined });

/** Returns the size of a request in memory, in bytes. @param before the headers of an earlier request, which are not counted again */
export function sizeOfRequest({ target, body, response, rawHeaders }: RequestRecord, before: readonly string[] = []): number {
  let bytes = exchangeBytes + sizeOf(target) + sizeOf(body?.text ?? '') + sizeOf(response.body ?? '');
  if (rawHeaders !== before) for (const [index, each] of rawHeaders.entries()) if (each !== before[index]) bytes += each.length;
  return bytes;
}

function sizeOfAttempt({ url, headers, sent, body, answer }: AttemptRecord): number {
  let bytes = exchangeBytes + url.length + sizeOf(sent) + (body === sent ? 0 : sizeOf(body)) + (answer?.length ?? 0);
  for (const name in headers) bytes += name.length + headers[name]!.length;
  return bytes;
}

/** Returns the size of a timeline item in memory, in bytes. */
export const sizeOfItem = ({ summary, state, delivery }: TimelineItem): number =>
  itemBytes + sizeOf(summary) + sizeOf(state?.reason?.message ?? '') + sizeOf(delivery?.url ?? '');

/** The fields of an exchange that are known when it begins. */
export type BegunExchange = Pick<Exchange, 'id' | 'kind' | 'isRead' | 'generation' | 'test' | 'beganOrder'>;

/** Returns the exchange of a request in progress. */
export function openExchange(seq: number, request: RequestRecord, isRead: boolean): Exchange {
  const { id, kind, generation, test, began } = request;
  return {
    seq,
    id,
    kind,
    isRead,
    generation,
    test,
    beganOrder: began.order,
    endedOrder: Infinity,
    source: request,
    isCutOff: false,
    fields: null,
    bytes: 0,
  };
}

/** Returns the exchange of a finished request. @param bytes size of the request in memory */
export const endedExchange = (open: Exchange, source: StoredRequest, bytes: number): Exchange => ({
  ...open,
  generation: source.generation,
  test: source.test,
  endedOrder: source.ended.order,
  source,
  bytes,
});

/** Returns the exchange of an attempt. */
export function attemptExchange(seq: number, attempt: AttemptRecord): Exchange {
  const { id, began, ended, generation, test } = attempt;
  const place = { seq, id, kind: 'ATTEMPT', isRead: false, generation, test, beganOrder: began.order, endedOrder: ended.order } as const;
  return { ...place, source: storedAttempt(attempt), isCutOff: false, fields: null, bytes: sizeOfAttempt(attempt) };
}

/** Returns an exchange that is already rendered: a mark, or an unattributed request. */
export const renderedExchange = (seq: number, begun: BegunExchange, endedOrder: number, fields: object, bytes = markBytes): Exchange => ({
  seq,
  ...begun,
  endedOrder,
  source: null,
  isCutOff: false,
  fields,
  bytes,
});

/** Returns the request of an exchange; null for an attempt, a mark or an unattributed request. */
export const requestIn = ({ kind, source }: Exchange): RequestRecord | null =>
  kind === 'ATTEMPT' ? null : (source as RequestRecord | null);
