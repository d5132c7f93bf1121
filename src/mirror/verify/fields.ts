import { z } from '@hono/zod-openapi';
import { RecordedAttemptSchema, RecordedRequestSchema } from '../../contract/control/mirror/record.js';
import { publicRoutes } from '../../contract/public/routes.js';
import { ErrorSchema } from '../../contract/shared/errors.js';
import { nearestName } from '../../contract/shared/messages/nearest.js';
import { invalidData } from '../../domain/errors.js';
import { schemasAt } from '../../scenario/subjects.js';
import type { Matcher } from './match.js';

const short = ['fate', 'replay', 'ruleId', 'outcome'];

/** The schemas that the JSON of a body may follow; for events, and for what endpoints answer, there is none to hold it to. */
function bodySchemas({ kind, operationId }: Matcher, isAnswer: boolean): readonly z.ZodType[] | null {
  if (kind !== 'REQUEST') return null;
  const named = publicRoutes.filter((route) => operationId === null || route.operationId === operationId);
  return isAnswer ? [...named.flatMap(({ response }) => response ?? []), ErrorSchema] : named.flatMap(({ body }) => body ?? []);
}

/** Whether an entry can have a field. */
function exists(matcher: Matcher, path: string): boolean {
  const steps = path.split('.');
  const isAnswer = steps[0] === 'answer';
  const isBody = steps[isAnswer ? 1 : 0] === 'body';
  const rest = steps.slice(isAnswer ? 2 : 1);
  if (isBody && rest.length > 0) {
    const schemas = bodySchemas(matcher, isAnswer);
    return schemas === null || schemas.some((each) => schemasAt(each, rest) !== null);
  }
  if (matcher.kind !== 'ATTEMPT' && short.includes(path)) return true;
  return schemasAt(matcher.kind === 'ATTEMPT' ? RecordedAttemptSchema : RecordedRequestSchema, steps) !== null;
}

/** Fields that may have been meant. */
function candidates(matcher: Matcher): string[] {
  const names = Object.keys((matcher.kind === 'ATTEMPT' ? RecordedAttemptSchema : RecordedRequestSchema).shape);
  const below = (schemas: readonly z.ZodType[] | null, before: string) =>
    (schemas ?? []).flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape).map((name) => `${before}.${name}`) : []));
  const { operationId } = matcher;
  const bodies =
    operationId === null ? [] : [...below(bodySchemas(matcher, false), 'body'), ...below(bodySchemas(matcher, true), 'answer.body')];
  return [...names, ...short, ...bodies];
}

/** Refuses conditions on fields that no entry can have: they would never match, and nobody would learn why. @throws DomainError INVALID_DATA */
export function checkFields(matchers: readonly Matcher[]): void {
  const items = matchers.flatMap((matcher) => {
    const known = matcher.conditions.filter(({ path }) => !exists(matcher, path));
    return known.map(({ path }) => {
      const nearest = nearestName(path, candidates(matcher));
      const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
      const message = `${path} is not a field that an entry can have${hint === '' ? '.' : hint}`;
      return { code: 'UNKNOWN_FIELD', message, field: `body:match.${path}`, params: nearest === undefined ? {} : { nearest } } as const;
    });
  });
  if (items.length > 0) throw invalidData(items);
}
