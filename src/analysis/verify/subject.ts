import type { RecordEntry, RecordedText } from '../../contract/control/analysis/record.js';

/** An entry as conditions read it: bodies as parsed JSON, and short names for parts of the response. */
export interface Subject {
  readonly entry: RecordEntry;
  readonly fields: unknown;
  /** True while it has no response; only the fields of the request are known then. */
  readonly isOpen: boolean;
}

function jsonOf(body: RecordedText | null): unknown {
  if (!body || body.truncated) return null;
  try {
    return JSON.parse(body.text) as unknown;
  } catch {
    return null;
  }
}

export function subjectOf(entry: RecordEntry): Subject {
  if (entry.kind === 'MARK') return { entry, fields: entry, isOpen: false };
  if (entry.kind === 'ATTEMPT') {
    const { response, body } = entry;
    return { entry, fields: { ...entry, body: jsonOf(body), response: { body: jsonOf(response) } }, isOpen: false };
  }
  const { response, body } = entry;
  const { outcome, replay, ruleId, originalStatus } = response ?? {};
  const readable = response && { ...response, body: jsonOf(response.body) };
  return {
    entry,
    fields: { ...entry, body: jsonOf(body), response: readable, outcome, replay, ruleId, originalStatus },
    isOpen: response === null,
  };
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
