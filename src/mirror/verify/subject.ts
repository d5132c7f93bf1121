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

/** What is known of a call before it is answered. */
const known: ReadonlySet<string> = new Set(
  [
    'id',
    'seq',
    'kind',
    'world',
    'chapter',
    'test',
    'at',
    'startedAt',
    'connection',
    'method',
    'path',
    'url',
    'operationId',
    'params',
  ].concat(['query', 'version', 'token', 'idempotencyKey', 'traceId', 'headers']),
);

/** Whether an entry does not tell what a field is: it is under way, or its body was cut. */
export function isHidden({ entry, isOpen }: Subject, path: string): boolean {
  const [first = '', second = ''] = path.split('.');
  if (isOpen) return !known.has(first);
  if (entry.kind === 'MARK') return false;
  if (first === 'body') return entry.body?.truncated === true;
  if (first !== 'answer' || second !== 'body') return false;
  const answer = entry.kind === 'ATTEMPT' ? entry.answer : entry.answer?.body;
  return answer?.truncated === true;
}
