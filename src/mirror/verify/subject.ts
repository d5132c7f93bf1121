import type { RecordEntry, RecordedText } from '../../contract/control/mirror/record.js';

/** An entry as conditions look at it: bodies as the JSON that they are, and short names for parts of the answer. */
export interface Subject {
  readonly entry: RecordEntry;
  readonly fields: unknown;
  /** Whether it is not answered yet, so that only what was known from the start is. */
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

/** What nobody knows of a call before it is answered. */
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

/** Whether an entry does not tell what a field is: it is under way, or its body was cut. */
export function isHidden({ entry, isOpen }: Subject, path: string): boolean {
  const [first = '', second = ''] = path.split('.');
  if (isOpen) return unknownYet.has(first);
  if (entry.kind === 'MARK') return false;
  if (first === 'body') return entry.body?.truncated === true;
  if (first !== 'answer' || second !== 'body') return false;
  const answer = entry.kind === 'ATTEMPT' ? entry.answer : entry.answer?.body;
  return answer?.truncated === true;
}
