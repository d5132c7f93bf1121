import type { RecordEntry, RecordedText } from '../../contract/control/mirror/record.js';

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
    const { answer, body } = entry;
    return { entry, fields: { ...entry, body: jsonOf(body), answer: { body: jsonOf(answer) } }, isOpen: false };
  }
  const { answer, body } = entry;
  const { fate, replay, ruleId, outcome } = answer ?? {};
  const answered = answer && { ...answer, body: jsonOf(answer.body) };
  return { entry, fields: { ...entry, body: jsonOf(body), answer: answered, fate, replay, ruleId, outcome }, isOpen: answer === null };
}

/** The fields of a request that are unknown until its response. */
const unknownYet: ReadonlySet<string> = new Set([
  'durationMs',
  'body',
  'unknown',
  'status',
  'code',
  'answer',
  'caused',
  'findings',
  'fate',
  'replay',
  'ruleId',
  'outcome',
]);

/** True if the value of a field is unknown: the entry is in progress, or its body was cut. */
export function isHidden({ entry, isOpen }: Subject, path: string): boolean {
  const [first = '', second = ''] = path.split('.');
  if (isOpen) return unknownYet.has(first);
  if (entry.kind === 'MARK') return false;
  if (first === 'body') return entry.body?.truncated === true;
  if (first !== 'answer' || second !== 'body') return false;
  const answer = entry.kind === 'ATTEMPT' ? entry.answer : entry.answer?.body;
  return answer?.truncated === true;
}
