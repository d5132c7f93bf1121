import { conditionOf, filterOperators, type FilterOperator } from '../../domain/lists/condition.js';
import { valuesAt, type Value } from '../../domain/lists/fields.js';
import { keyOf, typeOfValue } from '../../domain/lists/value.js';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import { publicRoutes } from '../../contract/public/routes.js';
import { isRead } from '../record/record.js';
import { isHidden, type Subject } from './subject.js';

/** The result of a condition: it matches, it does not, or the entry has no value for it. */
export type MatchResult = 'MATCH' | 'NO_MATCH' | 'UNKNOWN';

/** A condition on a field. */
export interface FieldCondition {
  readonly path: string;
  /** The value or operators, as given. */
  readonly expected: unknown;
  readonly holds: (subject: Subject) => MatchResult;
}

/** Conditions on entries of one kind, all of which must match. */
export interface Matcher {
  readonly kind: RecordEntry['kind'];
  readonly conditions: readonly FieldCondition[];
  /** The operation in the conditions; null without one. */
  readonly operationId: string | null;
}

const operatorNames: ReadonlySet<string> = new Set(filterOperators);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isOperators = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => operatorNames.has(name));

/** Returns the fields of a match as dotted paths, each with its condition. */
function flattened(match: Readonly<Record<string, unknown>>, before = ''): [path: string, expected: unknown][] {
  return Object.entries(match).flatMap(([name, value]): [string, unknown][] => {
    const path = normal(before === '' ? name : `${before}.${name}`);
    return isObject(value) && !isOperators(value) ? flattened(value, path) : [[path, value]];
  });
}

/** Header names are case-insensitive. */
const normal = (path: string) =>
  path.replace(/^((?:response\.)?headers\.)(.+)$/, (_all, start: string, name: string) => start + name.toLowerCase());

/** The fields that only attempts have. */
const ofAttempts = /^(messageId|eventType|resourceId|subscriptionId|which|number|causeId|own|synthetic|httpStatus|error|location)(\.|$)/;

export function compileMatch(match: Readonly<Record<string, unknown>>): Matcher {
  const fields = flattened(match);
  const kind = fields.find(([path]) => path === 'kind')?.[1];
  const operationId = fields.find(([path]) => path === 'operationId')?.[1];
  const usual = fields.some(([path]) => ofAttempts.test(path)) ? 'ATTEMPT' : 'REQUEST';
  return {
    kind: kind === 'ATTEMPT' || kind === 'CONTROL' || kind === 'MARK' || kind === 'REQUEST' ? kind : usual,
    operationId: typeof operationId === 'string' ? operationId : null,
    conditions: fields.map(([path, expected]) => compile(path, expected)),
  };
}

function compile(path: string, expected: unknown): FieldCondition {
  const steps = path.split('.');
  const operators: [string, unknown][] = isOperators(expected) ? Object.entries(expected) : [['eq', expected]];
  const tests = operators.map(([operator, operand]) => testOf(operator as FilterOperator, operand));
  const holds = (subject: Subject): MatchResult => {
    if (isHidden(subject, path)) return 'UNKNOWN';
    const values = valuesAt(subject.fields, steps);
    return tests.every((test) => test(values)) ? 'MATCH' : 'NO_MATCH';
  };
  return { path, expected, holds };
}

type Test = (values: readonly Value[]) => boolean;

/** Returns the operator as in scenario rules, except that values of different JSON types are never equal, greater or less. */
function testOf(operator: FilterOperator, operand: unknown): Test {
  if ((operator === 'in' || operator === 'nin') && Array.isArray(operand)) {
    const tests = operand.map((each) => testOf('eq', each));
    return (values) => tests.some((test) => test(values)) === (operator === 'in');
  }
  const text = operand === null || operand === undefined ? null : typeof operand === 'string' ? operand : JSON.stringify(operand);
  const isText = operator === 'like' || operator === 'text' || text === null;
  const type = isText ? 'TEXT' : typeOfValue(text);
  const condition = conditionOf(type, operator, [text]);
  const comparable = (value: Value) => {
    if (value === null || value === undefined) return null;
    const isSameType = isText || typeof value === typeof operand || typeof operand === 'object';
    return isSameType ? keyOf(type, String(value)) : undefined;
  };
  return (values) => condition(values.map(comparable));
}

/** Returns the result of all conditions of a matcher. */
export function judge({ conditions }: Matcher, subject: Subject): MatchResult {
  let isAnyHidden = false;
  for (const { holds } of conditions) {
    const held = holds(subject);
    if (held === 'NO_MATCH') return 'NO_MATCH';
    isAnyHidden ||= held === 'UNKNOWN';
  }
  return isAnyHidden || subject.isOpen ? 'UNKNOWN' : 'MATCH';
}

/** True if a matcher can match reads, or other entries. */
export function mayHoldFor({ kind, operationId }: Matcher, sort: 'reads' | 'writes'): boolean {
  if (kind !== 'REQUEST') return sort === 'writes';
  const route = publicRoutes.find((each) => each.operationId === operationId);
  return !route || isRead({ kind, method: route.method.toUpperCase(), operationId }) === (sort === 'reads');
}
