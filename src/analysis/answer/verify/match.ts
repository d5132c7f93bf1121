import { isDeepStrictEqual } from 'node:util';
import { conditionOf, filterOperators, type FilterOperator } from '../../../domain/lists/condition.js';
import { valuesAt, type Value } from '../../../domain/lists/fields.js';
import { isOfType, keyOf, typeOfOperands, type FieldType } from '../../../domain/lists/value.js';
import { RecordedAttemptSchema, RecordedRequestSchema, type RecordEntry } from '../../../contract/control/analysis/record.js';
import { publicRoutes } from '../../../contract/public/routes.js';
import { isRead } from '../../../exchange/exchange.js';
import type { Expressions } from './expressions.js';
import { typeOfEntryField } from './schemas.js';
import { isHidden, isUnreceived, type Subject } from './subject.js';

/** The result of a condition. UNKNOWN: the entry is in progress, or its body was cut. */
export type MatchResult = 'MATCH' | 'NO_MATCH' | 'UNKNOWN';

/** A condition on a field. */
export interface FieldCondition {
  readonly path: string;
  /** The expected value, or operators with operands, as in the request. */
  readonly expected: unknown;
  readonly holds: (subject: Subject) => MatchResult;
}

/** Conditions on entries of one kind, all of which must match. */
export interface Matcher {
  readonly kind: RecordEntry['kind'];
  readonly conditions: readonly FieldCondition[];
  /** The `operationId` in the conditions; null without one. */
  readonly operationId: string | null;
}

/** The operators of a verification: those of filters, and three more. */
export const verifyOperators = [...filterOperators, 'matches', 'exists', 'equals'] as const;
type VerifyOperator = (typeof verifyOperators)[number];

const operatorNames: ReadonlySet<string> = new Set(verifyOperators);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isOperators = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => operatorNames.has(name));

/** Returns the fields of a match as dotted paths, each with its condition. */
function flattened(match: Readonly<Record<string, unknown>>, before = ''): [path: string, expected: unknown][] {
  return Object.entries(match).flatMap(([name, value]): [string, unknown][] => {
    const path = normal(before === '' ? name : `${before}.${name}`);
    return isObject(value) && Object.keys(value).length > 0 && !isOperators(value) ? flattened(value, path) : [[path, value]];
  });
}

/** Returns a path with lower-case header names, because header names are case-insensitive. */
const normal = (path: string) =>
  path.replace(/^((?:response\.)?headers\.)(.+)$/, (_all, start: string, name: string) => start + name.toLowerCase());

/** True for a field that only attempts have. */
function isOfAttempts(path: string): boolean {
  const [name = ''] = path.split('.');
  return Object.hasOwn(RecordedAttemptSchema.shape, name) && !Object.hasOwn(RecordedRequestSchema.shape, name);
}

/** Compiles the conditions of a request. @param expressions the engine for `matches`; null if no condition needs it */
export function compileMatch(match: Readonly<Record<string, unknown>>, expressions: Expressions | null): Matcher {
  const fields = flattened(match);
  const kind = fields.find(([path]) => path === 'kind')?.[1];
  const operationId = fields.find(([path]) => path === 'operationId')?.[1];
  const usual = fields.some(([path]) => isOfAttempts(path)) ? 'ATTEMPT' : 'REQUEST';
  const namesOutcome = fields.some(([path]) => path === 'outcome' || path === 'response.outcome');
  const matched = {
    kind: kind === 'ATTEMPT' || kind === 'CONTROL' || kind === 'MARK' || kind === 'REQUEST' ? kind : usual,
    operationId: typeof operationId === 'string' ? operationId : null,
  } as const;
  const conditions = fields.map(([path, expected]) => {
    const declared = typeOfEntryField(matched, path);
    // No entry has a duration as text.
    const tested = { path, declared: declared === 'DURATION' ? 'TEXT' : declared, expressions } as const;
    return compile(tested, expected, path === 'status' && !namesOutcome);
  });
  return { ...matched, conditions };
}

/** A field with what its tests need. */
interface Tested {
  readonly path: string;
  /** The type that the field declares; null without one. */
  readonly declared: FieldType | null;
  readonly expressions: Expressions | null;
}

/** @param onlyReceived true if a response that the client did not receive cannot match */
function compile(tested: Tested, expected: unknown, onlyReceived: boolean): FieldCondition {
  const { path } = tested;
  const steps = path.split('.');
  const tests = operatorsOf(expected).map(([operator, operand]) => testOf(tested, operator, operand));
  const holds = (subject: Subject): MatchResult => {
    if (isHidden(subject, path)) return 'UNKNOWN';
    if (onlyReceived && isUnreceived(subject)) return 'NO_MATCH';
    const values = valuesAt(subject.fields, steps);
    return tests.every((test) => test(values, subject)) ? 'MATCH' : 'NO_MATCH';
  };
  return { path, expected, holds };
}

/** Returns the operators of a condition with their operands. */
export const operatorsOf = (expected: unknown): [operator: VerifyOperator, operand: unknown][] =>
  isOperators(expected) ? (Object.entries(expected) as [VerifyOperator, unknown][]) : [['eq', expected]];

type Test = (values: readonly Value[], subject: Subject) => boolean;

function testOf(tested: Tested, operator: VerifyOperator, operand: unknown): Test {
  const { path, expressions } = tested;
  const steps = path.split('.');
  switch (operator) {
    case 'matches':
      return (values) => values.some((value) => typeof value === 'string' && expressions?.test(String(operand), value) === true);
    case 'exists':
      return (_values, { fields }) => isPresent(fields, steps) === operand;
    case 'equals':
      return (_values, { fields }) => nodesAt(fields, steps).some((node) => isDeepStrictEqual(node, operand));
    default:
      return comparisonOf(tested, operator, operand);
  }
}

/** Returns the objects, lists and values at a path, including those inside lists; undefined for a missing one. */
function nodesAt(from: unknown, steps: readonly string[]): unknown[] {
  const [name, ...rest] = steps;
  if (name === undefined) return [from];
  if (Array.isArray(from)) return from.flatMap((each) => nodesAt(each, steps));
  const hasName = typeof from === 'object' && from !== null && Object.hasOwn(from, name);
  return hasName ? nodesAt((from as Record<string, unknown>)[name], rest) : [undefined];
}

/** True if a field exists. In bodies, null is a value; other fields of an entry are null if they are absent. */
function isPresent(fields: unknown, steps: readonly string[]): boolean {
  const isInBody = steps[0] === 'body' || (steps[0] === 'response' && steps[1] === 'body');
  const isAtTop = isInBody && steps.length === (steps[0] === 'body' ? 1 : 2);
  return nodesAt(fields, steps).some((node) => node !== undefined && (node !== null || (isInBody && !isAtTop)));
}

/** Matches a class of statuses, for example 2xx. */
const statusClass = /^[1-5]xx$/i;
const statusFields: ReadonlySet<string> = new Set(['status', 'originalStatus', 'response.originalStatus', 'httpStatus']);

/** Returns the test of an operator, as in scenario rules. But values of different JSON types are never equal, greater or less. */
function comparisonOf(tested: Tested, operator: FilterOperator, operand: unknown): (values: readonly Value[]) => boolean {
  if ((operator === 'in' || operator === 'nin') && Array.isArray(operand)) {
    const tests = operand.map((each) => comparisonOf(tested, 'eq', each));
    return (values) => tests.some((test) => test(values)) === (operator === 'in');
  }
  if (
    (operator === 'eq' || operator === 'ne') &&
    typeof operand === 'string' &&
    statusFields.has(tested.path) &&
    statusClass.test(operand)
  ) {
    const isOfClass = (value: Value) => typeof value === 'number' && Math.floor(value / 100) === Number(operand[0]);
    return (values) => values.some(isOfClass) === (operator === 'eq');
  }
  const text = operand === null || operand === undefined ? null : typeof operand === 'string' ? operand : JSON.stringify(operand);
  const isText = operator === 'like' || operator === 'text' || text === null;
  const type = isText ? 'TEXT' : typeFor(tested.declared, operand);
  const condition = conditionOf(type, operator, [text]);
  const comparable = (value: Value) => {
    if (value === null || value === undefined) return null;
    const isSameType = isText || typeof value === typeof operand || typeof operand === 'object';
    return isSameType ? keyOf(type, String(value)) : undefined;
  };
  return (values) => condition(values.map(comparable));
}

/**
 * Returns the type by which an operand compares with a field: the declared one. Clients can also send values that the field does not
 * allow, for example a number as an amount, or a word; such operands compare as what they are.
 */
function typeFor(declared: FieldType | null, operand: unknown): FieldType {
  return typeof operand === 'string' && declared !== null && isOfType(declared, operand) ? declared : typeOfOperands([operand]);
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

/** True if a matcher can match entries of this sort: reads, or all other entries. */
export function mayHoldFor({ kind, operationId }: Matcher, sort: 'reads' | 'writes'): boolean {
  if (kind !== 'REQUEST') return sort === 'writes';
  const route = publicRoutes.find((each) => each.operationId === operationId);
  return !route || isRead({ kind, method: route.method.toUpperCase(), operationId }) === (sort === 'reads');
}
