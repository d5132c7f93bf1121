import type { RecordedCall, RecordedMark, RecordedText, RecordEntry } from '../../contract/control/mirror/record.js';
import { controlRoutes } from '../../contract/control/routes.js';
import { publicRoutes } from '../../contract/public/routes.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import type { SeenAttempt } from '../../world/witness.js';
import { blockEnd } from './entry-text.js';
import type { Redactor } from './redaction.js';
import type { Stored } from './stored.js';

const byName = (routes: readonly AnyRoute[]) => new Map(routes.map((route) => [route.operationId, route]));
const routes = { REQUEST: byName(publicRoutes), CONTROL: byName(controlRoutes) };

/** What an entry says of its surroundings. */
export interface EntryPlace {
  /** The name of its world; null for a call that came to none. */
  readonly world: string | null;
  /** The ids of the findings that an entry is evidence of. */
  readonly findingsOf: (id: string) => string[];
  readonly redactor: Redactor;
}

const instant = (ms: number) => new Date(ms).toISOString();

/** An entry as the contract words it. */
export function entryOf(stored: Stored, place: EntryPlace): RecordEntry {
  const { kind, text, call } = stored;
  if (kind === 'REQUEST' || kind === 'CONTROL') {
    const entry = text !== null ? answeredCall(stored, text, place) : callUnderWay(stored, call!, place);
    return { kind, ...entry, findings: place.findingsOf(stored.id) };
  }
  const own = JSON.parse(text!) as Pick<RecordedMark, 'at' | 'startedAt'>;
  const whose = { ...placeOf(stored, place), ...own };
  return (kind === 'MARK' ? { kind, ...whose } : { kind, ...whose, findings: place.findingsOf(stored.id) }) as RecordEntry;
}

const placeOf = ({ seq, id, chapter, test }: Stored, { world }: EntryPlace) => ({ seq, id, world, chapter, test });

type CallEntry = Omit<RecordedCall, 'kind' | 'findings'>;

function callUnderWay(stored: Stored, call: NonNullable<Stored['call']>, place: EntryPlace): CallEntry {
  const { redactor } = place;
  const target = redactor.text(call.target);
  return {
    ...placeOf(stored, place),
    at: call.began.worldMs === null ? null : instant(call.began.worldMs),
    startedAt: instant(call.began.realMs),
    durationMs: null,
    connection: call.connection,
    method: call.method,
    ...partsOf(stored.kind, target, call.operationId),
    operationId: call.operationId,
    version: call.version,
    token: call.token,
    idempotencyKey: call.idempotencyKey === null ? null : redactor.text(call.idempotencyKey),
    traceId: call.traceId === null ? null : redactor.text(call.traceId),
    headers: headersOf(redactor.headers(call.rawHeaders)),
    body: null,
    unknown: [],
    status: null,
    code: null,
    answer: null,
    caused: [...(stored.caused ?? [])],
  };
}

/** Reads what `callText` has written. */
function answeredCall(stored: Stored, text: string, place: EntryPlace): CallEntry {
  const blocks: string[] = [];
  let at = 0;
  while (blocks.length < 6) {
    const end = text.indexOf(blockEnd, at);
    blocks.push(text.slice(at, end));
    at = end + 1;
  }
  const [facts = '', headers = '', answerHeaders = '', requestFacts = '', answerFacts = '', length = ''] = blocks;
  const lines = facts.split('\n');
  let line = 0;
  const next = () => lines[line++] ?? '';
  const textOf = () => next() || null;
  const numberOf = () => Number(next());
  const jsonOf = <T>(otherwise: T): T => {
    const json = next();
    return json === '' ? otherwise : (JSON.parse(json) as T);
  };
  const worldMs = next();
  const [beganMs, endedMs, connection] = [numberOf(), numberOf(), next()];
  const [method, url, operationId] = [next(), next(), textOf()];
  const bodies = at + Number(length);
  const answerBody = answerFacts === '' ? null : recordedText(answerFacts, text.slice(bodies));
  return {
    ...placeOf(stored, place),
    at: worldMs === '' ? null : instant(Number(worldMs)),
    startedAt: instant(beganMs),
    durationMs: endedMs - beganMs,
    connection: connection === '' ? null : Number(connection),
    method,
    ...partsOf(stored.kind, url, operationId),
    operationId,
    version: textOf(),
    token: textOf(),
    idempotencyKey: textOf(),
    traceId: textOf(),
    headers: headersOf(headers),
    body: requestFacts === '' ? null : recordedBody(requestFacts, text.slice(at, bodies)),
    unknown: jsonOf([]),
    status: numberOf(),
    code: textOf(),
    answer: {
      outcome: numberOf(),
      replay: next() === '1',
      fate: fateOf(stored, next()),
      ruleId: jsonOf(null),
      effect: jsonOf(null),
      headers: headersOf(answerHeaders),
      body: answerBody,
    },
    caused: jsonOf([]),
  };
}

type RecordedFile = NonNullable<NonNullable<RecordedCall['body']>['file']>;
type Fate = NonNullable<RecordedCall['answer']>['fate'];

const fateOf = ({ isClientGone }: Stored, told: string) => (isClientGone ? 'CLIENT_GONE' : told) as Fate;

function recordedText(facts: string, text: string): RecordedText {
  const [bytes, truncated] = facts.split(' ');
  return { text, bytes: Number(bytes), truncated: truncated === '1' };
}

function recordedBody(facts: string, text: string): NonNullable<RecordedCall['body']> {
  const [, , mediaType = '', ...file] = facts.split(' ');
  const body = { ...recordedText(facts, text), mediaType };
  return file.length === 0 ? body : { ...body, file: JSON.parse(file.join(' ')) as RecordedFile };
}

function headersOf(block: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const end = line.indexOf(': ');
    if (end < 0) continue;
    const [name, value] = [line.slice(0, end).toLowerCase(), line.slice(end + 2)];
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** What follows from a URL: its path, the parameters of that, and those of the query. */
function partsOf(kind: Stored['kind'], url: string, operationId: string | null): Pick<CallEntry, 'url' | 'path' | 'params' | 'query'> {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of at < 0 ? [] : new URLSearchParams(url.slice(at + 1))) {
    const before = Object.hasOwn(query, name) ? query[name] : undefined;
    if (Array.isArray(before)) before.push(value);
    else query[name] = before === undefined ? value : [before, value];
  }
  const template = kind === 'REQUEST' || kind === 'CONTROL' ? routes[kind].get(operationId ?? '')?.path : undefined;
  return { url, path, params: template === undefined ? {} : paramsOf(template, path), query };
}

function paramsOf(template: string, path: string): Record<string, string> {
  const given = path.split('/');
  const named = template.split('/').flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), given[index] ?? '']] : []));
  return Object.fromEntries(named) as Record<string, string>;
}

/** How much of the body of an event is kept, in bytes. */
const maxEventBytes = 16 * 1024;

/** Returns true if an endpoint may have answered with more than what is kept of it, which is one KiB. */
export const isCutAnswer = (answer: Buffer) => answer.length >= 1024;

/** The text of an attempt, without secrets. */
export function attemptText(redactor: Redactor, seen: SeenAttempt): string {
  const { began, ended, headers, body: _newest, sent: body, answer, effect, ...facts } = seen;
  const { id: _id, timeoutMs: _timeout, isHeld: _held, url, location, error, ...rest } = facts;
  const bytes = Buffer.byteLength(body);
  const shown = Buffer.from(redactor.text(body, maxEventBytes));
  return JSON.stringify({
    at: instant(began.worldMs ?? 0),
    startedAt: instant(began.realMs),
    durationMs: ended.realMs - began.realMs,
    ...rest,
    url: redactor.text(url),
    location: location && redactor.text(location),
    error: error && redactor.text(error),
    effect: effect && (JSON.parse(redactor.json(effect)) as unknown),
    headers: headersOf(redactor.headers(Object.entries(headers).flat())),
    body: { text: shown.subarray(0, maxEventBytes).toString(), bytes, truncated: bytes > maxEventBytes },
    answer: answer && { text: redactor.text(answer.toString(), Infinity, isCutAnswer(answer)), bytes: answer.length, truncated: false },
  });
}
