import { z } from '@hono/zod-openapi';
import {
  RecordedAttemptSchema,
  RecordedControlSchema,
  RecordedMarkSchema,
  RecordedRequestSchema,
  type RecordEntry,
} from '../../contract/control/analysis/record.js';
import { controlRoutes } from '../../contract/control/routes.js';
import { publicRoutes } from '../../contract/public/routes.js';
import { ErrorSchema, maxErrorItems, type ErrorItem } from '../../contract/shared/errors.js';
import { didYouMean, maxSuggestions, nearestName } from '../../contract/shared/messages/nearest.js';
import { invalidData } from '../../domain/errors.js';
import { closedValues, plainValue, schemasAt } from '../../scenario/subjects.js';
import type { FieldCondition, Matcher } from './match.js';

/** Response fields with short names. */
const short = ['outcome', 'replay', 'ruleId', 'originalStatus'];
const isShort = ({ kind }: Matcher, path: string) => (kind === 'REQUEST' || kind === 'CONTROL') && short.includes(path);

/** Returns the schemas of a JSON body; there are none for events and the responses of endpoints. */
function bodySchemas({ kind, operationId }: Matcher, isAnswer: boolean): readonly z.ZodType[] | null {
  if (kind !== 'REQUEST') return null;
  const named = publicRoutes.filter((route) => operationId === null || route.operationId === operationId);
  return isAnswer ? [...named.flatMap(({ response }) => response ?? []), ErrorSchema] : named.flatMap(({ body }) => body ?? []);
}

/** The schemas of entries, without bodies. */
const entrySchemas: Readonly<Record<RecordEntry['kind'], z.ZodObject>> = {
  REQUEST: RecordedRequestSchema,
  CONTROL: RecordedControlSchema,
  ATTEMPT: RecordedAttemptSchema,
  MARK: RecordedMarkSchema,
};

/** True if an entry can have a field. */
function exists(matcher: Matcher, path: string): boolean {
  const steps = path.split('.');
  const isAnswer = steps[0] === 'response';
  const isBody = steps[isAnswer ? 1 : 0] === 'body';
  const rest = steps.slice(isAnswer ? 2 : 1);
  if (isBody && rest.length > 0) {
    const schemas = bodySchemas(matcher, isAnswer);
    return schemas === null || schemas.some((each) => schemasAt(each, rest) !== null);
  }
  return isShort(matcher, path) || schemasAt(entrySchemas[matcher.kind], steps) !== null;
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
  return closedValues(schemasAt(entrySchemas[kind], steps) ?? []);
}

/** Returns the value of a condition that no entry can have; undefined without one. */
function impossible({ expected }: FieldCondition, allowed: ReadonlySet<string>): unknown {
  const operators = typeof expected === 'object' && expected !== null ? Object.entries(expected) : [['eq', expected] as const];
  const operands = operators.flatMap(([operator, operand]) => (['eq', 'ne', 'in', 'nin'].includes(operator) ? [operand].flat() : []));
  return operands.find((each) => each !== null && !allowed.has(plainValue(each)));
}

/** Returns the fields that the caller may have meant. */
function candidates(matcher: Matcher): string[] {
  const names = Object.keys(entrySchemas[matcher.kind].shape);
  const below = (schemas: readonly z.ZodType[] | null, before: string) =>
    (schemas ?? []).flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape).map((name) => `${before}.${name}`) : []));
  const bodies = [...below(bodySchemas(matcher, false), 'body'), ...below(bodySchemas(matcher, true), 'response.body')];
  return [...names, ...short, ...bodies];
}

/** Rejects conditions on fields or values that no entry can have: they could never match. @throws DomainError INVALID_DATA */
export function checkFields(matchers: readonly Matcher[]): void {
  const items: ErrorItem[] = [];
  for (const matcher of matchers) {
    for (const condition of matcher.conditions) {
      const item = mistakeIn(matcher, condition, items.length < maxSuggestions);
      if (item) items.push(item);
      if (items.length === maxErrorItems) throw invalidData(items);
    }
  }
  if (items.length > 0) throw invalidData(items);
}

function mistakeIn(matcher: Matcher, condition: FieldCondition, isSuggested: boolean): ErrorItem | null {
  const { path } = condition;
  const field = `body:match.${path}`;
  if (!exists(matcher, path)) {
    const nearest = isSuggested ? nearestName(path, candidates(matcher)) : undefined;
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
