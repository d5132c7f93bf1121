import type { RecordEntry } from '../../../contract/control/analysis/record.js';
import type { BriefEntry } from '../../../contract/control/analysis/verify.js';
import { publicRoutes } from '../../../contract/public/routes.js';
import { distance } from '../../../contract/shared/messages/nearest.js';
import { valuesAt } from '../../../domain/lists/fields.js';
import { withoutEndSlashes } from '../../../api/plane/unrouted.js';
import type { FieldCondition, Matcher } from './match.js';
import { isUnreceived, subjectOf, type Subject } from './subject.js';

/** Maximum number of wrong characters in the path of a near miss. */
const maxMistakes = 3;
/** Maximum number of near misses in a response. */
const maxNearest = 3;

/** A condition with the value in an entry. */
export interface CheckedCondition {
  readonly field: string;
  readonly expected: unknown;
  readonly received: unknown;
  readonly holds: boolean;
  /** The reason for a mismatch, if known. */
  readonly why?: string;
}

/** Entries that nearly match and fail for the same reason. */
export interface NearMiss extends BriefEntry {
  /** Number of such entries. Only the nearest is shown. */
  readonly count: number;
  readonly conditions: readonly CheckedCondition[];
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

/** Explains why a value does not match; undefined if the two values do not show the reason. */
function reasonOf(expected: unknown, received: unknown): string | undefined {
  if (typeof expected === 'string' && typeof received === 'number' && Number(expected) === received) return 'a number; amounts are strings';
  if (typeof expected === 'number' && typeof received === 'string' && Number(received) === expected)
    return 'a string; a number is expected';
  if (typeof expected !== 'string' || typeof received !== 'string') return undefined;
  return expected !== received && expected.toLowerCase() === received.toLowerCase() ? 'different case' : undefined;
}

/** Fields of a response. They depend on the request, so they say less about which request was intended. */
const ofResponse = /^(response|status|code|outcome|replay|originalStatus|ruleId|durationMs|caused|findings)(\.|$)/;

/** Returns the distance of a value from the expected one, from 0 to 1. */
function distanceOf({ field, expected, received, holds, why }: CheckedCondition): number {
  if (holds) return 0;
  if (why !== undefined) return 0.1;
  if (ofResponse.test(field)) return 0.4;
  if (typeof expected !== 'string' || typeof received !== 'string') return received === null ? 1 : 0.9;
  const longest = Math.max(expected.length, received.length, 1);
  return Math.min(Math.max(distance(expected, received) / longest, 0.2), 0.9);
}

function checked({ path, expected, holds }: FieldCondition, subject: Subject): CheckedCondition {
  const values = valuesAt(subject.fields, path.split('.'));
  const received = values.length > 1 ? values : (values[0] ?? null);
  const why =
    path === 'status' && holds(subject) !== 'MATCH' && isUnreceived(subject)
      ? 'the client did not receive this status; add response.outcome to the conditions'
      : reasonOf(expected, received);
  return { field: path, expected, received, holds: holds(subject) === 'MATCH', ...(why === undefined ? {} : { why }) };
}

/** True if an entry is a near miss: the same operation, its path with another method, or a path with at most three wrong characters. */
function isNear({ operationId, conditions }: Matcher, entry: RecordEntry, results: readonly CheckedCondition[]): boolean {
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

/** Returns phrases that may explain a mismatch: where the entry is, the rule that changed it, and its findings. */
function circumstances({ entry }: Subject, place: string | null): string[] {
  if (entry.kind === 'MARK') return [];
  const ruleId = entry.kind === 'ATTEMPT' ? null : entry.response?.ruleId;
  return [
    ...(place === null ? [] : [place]),
    ...(ruleId ? [`changed by ${ruleId.replace(/^fault:(.{4}).*/, 'fault $1')}`] : []),
    ...entry.findings.slice(0, 3).map((id) => `see ${id}`),
  ];
}

/** Entries that fail for the same reason; the nearest is shown, and of equally near ones the newest. */
interface Group {
  shown: Subject;
  readonly place: string | null;
  results: readonly CheckedCondition[];
  count: number;
  distance: number;
}

/** Collects near misses; entries that fail for the same reason count as one. */
export class NearMisses {
  readonly #matcher: Matcher;
  readonly #groups = new Map<string, Group>();

  constructor(matcher: Matcher) {
    this.#matcher = matcher;
  }

  /**
   * Adds an entry if it is a near miss.
   * @param place a phrase for the position of an entry outside the scope; null in the scope
   */
  add(entry: RecordEntry, place: string | null): void {
    const shown = subjectOf(entry);
    const results = this.#matcher.conditions.map((each) => checked(each, shown));
    if (!isNear(this.#matcher, entry, results)) return;
    const total = results.reduce((sum, each) => sum + distanceOf(each), 0);
    const failing = results.flatMap(({ holds, field }) => (holds ? [] : [field]));
    const key = [briefOf(entry).what, place, ...failing].join('\n');
    const group = this.#groups.get(key);
    if (!group) this.#groups.set(key, { shown, place, results, count: 1, distance: total });
    else {
      group.count += 1;
      const isNearer = total < group.distance || (total === group.distance && entry.seq > group.shown.entry.seq);
      if (isNearer) Object.assign(group, { shown, results, distance: total });
    }
  }

  /** Returns the nearest entries: those in scope first, then by distance. The last one is a match outside the scope, if there is one. */
  get nearest(): NearMiss[] {
    const nearer = (a: Group, b: Group) => a.distance - b.distance || b.shown.entry.seq - a.shown.entry.seq;
    const groups = [...this.#groups.values()].toSorted(nearer);
    const [inside, outside] = [groups.filter(({ place }) => place === null), groups.filter(({ place }) => place !== null)];
    const room = outside.length === 0 ? maxNearest : maxNearest - 1;
    return [...inside.slice(0, room), ...outside].slice(0, maxNearest).map(({ shown, place, results, count }) => ({
      ...briefOf(shown.entry),
      count,
      conditions: results,
      why: circumstances(shown, place),
    }));
  }
}
