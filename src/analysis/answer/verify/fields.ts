import { z } from '@hono/zod-openapi';
import { controlRoutes } from '../../../contract/control/routes.js';
import { publicRoutes } from '../../../contract/public/routes.js';
import { maxErrorItems, type ErrorItem } from '../../../contract/shared/errors.js';
import { didYouMean, distance, maxSuggestions, nearestName } from '../../../contract/shared/messages/nearest.js';
import { invalidData } from '../../../domain/errors.js';
import { enumValues, plainValue, schemasAt } from '../../../scenario/subjects.js';
import type { Expressions } from './expressions.js';
import { operatorsOf, type FieldCondition, type Matcher } from './match.js';
import { bodyPath, bodySchemas, entrySchemas, isShort, short } from './schemas.js';

/** True if an entry can have a field. */
function exists(matcher: Matcher, path: string): boolean {
  const inBody = bodyPath(path);
  if (inBody) return misspeltIn(matcher, inBody) === null;
  return isShort(matcher, path) || schemasAt(entrySchemas[matcher.kind], path.split('.')) !== null;
}

/**
 * Returns the path of a similar field in the schema, which was probably intended; `''` for a field below a plain value. Otherwise null,
 * because clients can send any field.
 */
function misspeltIn(matcher: Matcher, { isAnswer, rest }: NonNullable<ReturnType<typeof bodyPath>>): string | null {
  const schemas = matcher.kind === 'REQUEST' ? bodySchemas(matcher, isAnswer) : null;
  if (schemas === null || schemas.some((each) => schemasAt(each, rest) !== null)) return null;
  const above = schemas.flatMap((each) => schemasAt(each, rest.slice(0, -1)) ?? []);
  if (above.length === 0) return null;
  const objects = above.filter((each) => each instanceof z.ZodObject);
  if (objects.length === 0) return '';
  const name = rest.at(-1)!;
  const similar = objects.flatMap(({ shape }) => Object.keys(shape)).find((each) => distance(each, name) <= name.length / 4);
  return similar === undefined ? null : [isAnswer ? 'response.body' : 'body', ...rest.slice(0, -1), similar].join('.');
}

const operationIds = {
  REQUEST: new Set(publicRoutes.map(({ operationId }) => operationId)),
  CONTROL: new Set(controlRoutes.map(({ operationId }) => operationId)),
};
const kinds: ReadonlySet<string> = new Set(Object.keys(entrySchemas));

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns the possible values of an enum field; null for other fields and for bodies, because clients can send any value. */
function allowedValues(matcher: Matcher, path: string): ReadonlySet<string> | null {
  const { kind } = matcher;
  if (path === 'kind') return kinds;
  if (path === 'operationId' && (kind === 'REQUEST' || kind === 'CONTROL')) return operationIds[kind];
  if (path === 'method' && kind !== 'ATTEMPT') return methods;
  if (/^(response\.)?body\./.test(path)) return null;
  const steps = isShort(matcher, path) ? ['response', path] : path.split('.');
  return enumValues(schemasAt(entrySchemas[kind], steps) ?? []);
}

/** Returns an expected value that no entry can have; undefined without one. */
function impossible({ expected }: FieldCondition, allowed: ReadonlySet<string>): unknown {
  const operands = operatorsOf(expected).flatMap(([operator, operand]) =>
    ['eq', 'ne', 'in', 'nin'].includes(operator) ? [operand].flat() : [],
  );
  return operands.find((each) => each !== null && !allowed.has(plainValue(each)));
}

/** Returns the fields that the caller may have meant. */
function candidates(matcher: Matcher): string[] {
  const names = Object.keys(entrySchemas[matcher.kind].shape);
  const below = (schemas: readonly z.ZodType[], before: string) =>
    schemas.flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape).map((name) => `${before}.${name}`) : []));
  const bodies = [...below(bodySchemas(matcher, false), 'body'), ...below(bodySchemas(matcher, true), 'response.body')];
  return [...names, ...short, ...bodies];
}

/** Maximum number of conditions with a regular expression in a request. */
const maxExpressions = 10;

/** Rejects conditions on fields or values that no entry can have: they could never match. @throws DomainError INVALID_DATA */
export function checkFields(matchers: readonly Matcher[], expressions: Expressions | null): void {
  const items: ErrorItem[] = [];
  const all = matchers.flatMap(({ conditions }) => conditions.flatMap(({ expected }) => operatorsOf(expected)));
  if (all.filter(([operator]) => operator === 'matches').length > maxExpressions) {
    const message = `match: expected at most ${maxExpressions} conditions with \`matches\`.`;
    throw invalidData([{ code: 'OUT_OF_RANGE', message, field: 'body:match', params: { maximum: maxExpressions } }]);
  }
  for (const matcher of matchers) {
    for (const condition of matcher.conditions) {
      const item = operandMistake(condition, expressions) ?? mistakeIn(matcher, condition, items.length < maxSuggestions);
      if (item) items.push(item);
      if (items.length === maxErrorItems) throw invalidData(items);
    }
  }
  if (items.length > 0) throw invalidData(items);
}

/** Returns the problem of an operand, regardless of the field; null without one. */
function operandMistake({ path, expected }: FieldCondition, expressions: Expressions | null): ErrorItem | null {
  const wrong = (message: string): ErrorItem => ({
    code: 'INVALID_FORMAT',
    message: `${path}: ${message}.`,
    field: `body:match.${path}`,
    params: {},
  });
  for (const [operator, operand] of operatorsOf(expected)) {
    const problem = operator === 'matches' ? (expressions?.faultOf(operand) ?? null) : null;
    if (problem !== null) return wrong(problem);
    if (operator === 'exists' && typeof operand !== 'boolean') return wrong('expected true or false for exists');
    const isEmpty = operator === 'eq' && typeof operand === 'object' && operand !== null && Object.keys(operand).length === 0;
    if (isEmpty) return wrong('expected a value, fields or operators; got an empty object or list. Compare a whole value with equals');
  }
  return null;
}

function mistakeIn(matcher: Matcher, condition: FieldCondition, isSuggested: boolean): ErrorItem | null {
  const { path } = condition;
  const field = `body:match.${path}`;
  if (!exists(matcher, path)) {
    const inBody = bodyPath(path);
    const similar = (inBody && misspeltIn(matcher, inBody)) || undefined;
    const nearest = similar ?? (isSuggested ? nearestName(path, candidates(matcher)) : undefined);
    const hint = nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
    const params = nearest === undefined ? {} : { nearest };
    return { code: 'UNKNOWN_FIELD', message: `${path} is not a field of any entry${hint}`, field, params };
  }
  const allowed = allowedValues(matcher, path);
  const value = allowed && impossible(condition, allowed);
  if (!allowed || value === undefined) return null;
  const names = [...allowed];
  const meant = isSuggested ? didYouMean(plainValue(value), names) : '';
  const message = `${path}: expected one of ${names.join(', ')}; got ${JSON.stringify(value)}${meant || '.'}`;
  return { code: 'INVALID_ENUM', message, field, params: { allowed: names } };
}
