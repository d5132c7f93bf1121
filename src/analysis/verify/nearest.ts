import type { RecordEntry } from '../../contract/control/analysis/record.js';
import type { BriefEntry } from '../../contract/control/analysis/verify.js';
import { publicRoutes } from '../../contract/public/routes.js';
import { distance } from '../../contract/shared/messages/nearest.js';
import { valuesAt } from '../../domain/lists/fields.js';
import { withoutEndSlashes } from '../../web/unrouted.js';
import type { FieldCondition, Matcher } from './match.js';
import { subjectOf, type Subject } from './subject.js';

/** Maximum number of wrong characters in a path. */
const maxMistakes = 3;
/** Maximum number of near misses in a response. */
const maxNearest = 3;

/** A condition with the value in an entry. */
export interface Checked {
  readonly field: string;
  readonly expected: unknown;
  readonly received: unknown;
  readonly holds: boolean;
  /** The reason for a mismatch, if known. */
  readonly why?: string;
}

/** Entries that nearly match and fail for the same reason. */
export interface NearMiss extends BriefEntry {
  /** Number of such entries; the newest is shown. */
  readonly count: number;
  readonly conditions: readonly Checked[];
  readonly why: readonly string[];
}

export function briefOf(entry: RecordEntry): BriefEntry {
  const { id, startedAt: at } = entry;
  if (entry.kind === 'MARK')
    return { id, at, what: entry.what, status: null, code: null, outcome: null, ruleId: null, idempotencyKey: null, findings: [] };
  if (entry.kind === 'ATTEMPT') {
    const { eventType: what, httpStatus: status, findings } = entry;
    return { id, at, what, status, code: null, outcome: null, ruleId: null, idempotencyKey: null, findings };
  }
  const { operationId, method, path, status, code, response, idempotencyKey, findings } = entry;
  const { outcome = null, ruleId = null } = response ?? {};
  return { id, at, what: operationId ?? `${method} ${path}`, status, code, outcome, ruleId, idempotencyKey, findings };
}

/** Explains why a value does not match, if the two values show it. */
function reasonOf(expected: unknown, received: unknown): string | undefined {
  if (typeof expected === 'string' && typeof received === 'number' && Number(expected) === received) return 'a number; amounts are strings';
  if (typeof expected === 'number' && typeof received === 'string' && Number(received) === expected)
    return 'a string; a number is expected';
  if (typeof expected !== 'string' || typeof received !== 'string') return undefined;
  return expected !== received && expected.toLowerCase() === received.toLowerCase() ? 'different case' : undefined;
}

function checked({ path, expected, holds }: FieldCondition, subject: Subject): Checked {
  const values = valuesAt(subject.fields, path.split('.'));
  const received = values.length > 1 ? values : (values[0] ?? null);
  const why = reasonOf(expected, received);
  return { field: path, expected, received, holds: holds(subject) === 'MATCH', ...(why === undefined ? {} : { why }) };
}

/** True if an entry is a near miss: the same operation, its path with another method, or a path with at most three wrong characters. */
function isNear({ operationId, conditions }: Matcher, entry: RecordEntry, results: readonly Checked[]): boolean {
  if (operationId === null) return results.filter(({ holds }) => holds).length * 2 >= conditions.length;
  if (entry.kind !== 'REQUEST') return false;
  if (entry.operationId === operationId) return true;
  const template = publicRoutes.find((route) => route.operationId === operationId)!.path;
  const [wanted, given] = [template.split('/'), withoutEndSlashes(entry.path).split('/')];
  if (wanted.length !== given.length) return false;
  const mistakes = wanted.reduce(
    (sum, part, index) => sum + (part.startsWith('{') || part === given[index] ? 0 : distance(part, given[index]!)),
    0,
  );
  return mistakes === 0 || (entry.operationId === null && mistakes <= maxMistakes);
}

/** Explains why an entry had no effect, regardless of the expectation. */
function circumstances({ entry }: Subject, place: string | null): string[] {
  if (entry.kind === 'MARK') return [];
  const ruleId = entry.kind === 'ATTEMPT' ? null : entry.response?.ruleId;
  return [
    ...(place === null ? [] : [place]),
    ...(ruleId ? [`changed by ${ruleId.replace(/^fault:(.{4}).*/, 'fault $1')}`] : []),
    ...entry.findings.slice(0, 3).map((id) => `see ${id}`),
  ];
}

/** Collects near misses; entries that fail for the same reason are one. */
export class NearMisses {
  readonly #matcher: Matcher;
  readonly #groups = new Map<
    string,
    { newest: Subject; place: string | null; results: readonly Checked[]; count: number; failing: number }
  >();

  constructor(matcher: Matcher) {
    this.#matcher = matcher;
  }

  /**
   * Adds an entry if it is a near miss.
   * @param place where it was found, if it is outside the scope
   */
  add(entry: RecordEntry, place: string | null): void {
    const subject = subjectOf(entry);
    const results = this.#matcher.conditions.map((each) => checked(each, subject));
    if (!isNear(this.#matcher, entry, results)) return;
    const failing = results.filter(({ holds }) => !holds);
    const key = [briefOf(entry).what, place, ...failing.map(({ field }) => field)].join('\n');
    const group = this.#groups.get(key);
    if (group) {
      group.count += 1;
      if (entry.seq > group.newest.entry.seq) Object.assign(group, { newest: subject, results });
    } else this.#groups.set(key, { newest: subject, place, results, count: 1, failing: failing.length });
  }

  /** The nearest entries, the fewest failing conditions first. */
  get nearest(): NearMiss[] {
    return [...this.#groups.values()]
      .toSorted((a, b) => a.failing - b.failing || b.newest.entry.seq - a.newest.entry.seq)
      .slice(0, maxNearest)
      .map(({ newest, place, results, count }) => ({
        ...briefOf(newest.entry),
        count,
        conditions: results,
        why: circumstances(newest, place),
      }));
  }
}
