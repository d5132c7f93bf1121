import type { RecordEntry, RecordedText } from '../../../contract/control/analysis/record.js';

/** An entry in the form that conditions read: bodies as parsed JSON, and short names for fields of the response. */
export interface Subject {
  readonly entry: RecordEntry;
  readonly fields: unknown;
  /** True while the request has no response: only the fields of the request are known. */
  readonly isOpen: boolean;
}

/** Returns a body as parsed JSON; null if it is missing, cut or not valid JSON. */
export function jsonOf(body: RecordedText | null): unknown {
  if (!body || body.truncated) return null;
  try {
    return JSON.parse(body.text) as unknown;
  } catch {
    return null;
  }
}

/** Returns an object with `body` as parsed JSON. Parses the body at the first access, because few conditions need it. */
function withBody(fields: object, body: RecordedText | null): object {
  let parsed: unknown;
  const read = () => (parsed === undefined ? (parsed = jsonOf(body)) : parsed);
  return Object.defineProperty({ ...fields, body: null }, 'body', { get: read, enumerable: true });
}

export function subjectOf(entry: RecordEntry): Subject {
  if (entry.kind === 'MARK') return { entry, fields: entry, isOpen: false };
  if (entry.kind === 'ATTEMPT') {
    const { response, body } = entry;
    return { entry, fields: withBody({ ...entry, response: withBody({}, response) }, body), isOpen: false };
  }
  const { response, body } = entry;
  const { outcome, replay, ruleId, originalStatus } = response ?? {};
  const readable = response && withBody(response, response.body);
  return {
    entry,
    fields: withBody({ ...entry, response: readable, outcome, replay, ruleId, originalStatus }, body),
    isOpen: response === null,
  };
}

/** True if the client did not receive the status in the entry. A fault that replaced the response sent another status. */
export function isUnreceived({ entry }: Subject): boolean {
  if (entry.kind !== 'REQUEST' || entry.response === null) return false;
  const { outcome, originalStatus } = entry.response;
  return outcome === 'CLIENT_DISCONNECTED' || (outcome === 'LOST' && entry.status === originalStatus);
}

/** The fields of a request that are unknown until its response. */
const unknownYet: ReadonlySet<string> = new Set([
  'durationMs',
  'body',
  'unknown',
  'status',
  'code',
  'response',
  'caused',
  'findings',
  'outcome',
  'replay',
  'ruleId',
  'originalStatus',
]);

/** True if the value of a field is unknown: the entry is in progress, or its body was cut. */
export function isHidden({ entry, isOpen }: Subject, path: string): boolean {
  const [first = '', second = ''] = path.split('.');
  if (isOpen) return unknownYet.has(first);
  if (entry.kind === 'MARK') return false;
  if (first === 'body') return entry.body?.truncated === true;
  if (first !== 'response' || second !== 'body') return false;
  const response = entry.kind === 'ATTEMPT' ? entry.response : entry.response?.body;
  return response?.truncated === true;
}
