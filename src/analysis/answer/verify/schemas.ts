import type { z } from '@hono/zod-openapi';
import {
  RecordedAttemptSchema,
  RecordedControlSchema,
  RecordedMarkSchema,
  RecordedRequestSchema,
  type RecordEntry,
} from '../../../contract/control/analysis/record.js';
import { controlRoutes } from '../../../contract/control/routes.js';
import { publicRoutes } from '../../../contract/public/routes.js';
import { ErrorSchema } from '../../../contract/shared/errors.js';
import type { AnyRoute } from '../../../contract/shared/route.js';
import { declaredType, schemasAt, typeInEvent, typeOfParameter, type DeclaredType } from '../../../scenario/subjects.js';

/** The entries that a matcher is for. */
interface Matched {
  readonly kind: RecordEntry['kind'];
  readonly operationId: string | null;
}

/** Response fields that conditions can also name without `response.`. */
export const short = ['outcome', 'replay', 'ruleId', 'originalStatus'];
export const isShort = ({ kind }: Matched, path: string) => (kind === 'REQUEST' || kind === 'CONTROL') && short.includes(path);

/** The schemas of entries, without bodies. */
export const entrySchemas: Readonly<Record<RecordEntry['kind'], z.ZodObject>> = {
  REQUEST: RecordedRequestSchema,
  CONTROL: RecordedControlSchema,
  ATTEMPT: RecordedAttemptSchema,
  MARK: RecordedMarkSchema,
};

/** Returns the part of a path inside a JSON body; null for other fields. */
export function bodyPath(path: string): { readonly isAnswer: boolean; readonly rest: readonly string[] } | null {
  const steps = path.split('.');
  const isAnswer = steps[0] === 'response';
  const rest = steps.slice(isAnswer ? 2 : 1);
  return steps[isAnswer ? 1 : 0] === 'body' && rest.length > 0 ? { isAnswer, rest } : null;
}

/** Returns the operations of the entries. */
function routesOf({ kind, operationId }: Matched): readonly AnyRoute[] {
  const routes: readonly AnyRoute[] = kind === 'REQUEST' ? publicRoutes : kind === 'CONTROL' ? controlRoutes : [];
  return routes.filter((route) => operationId === null || route.operationId === operationId);
}

/** Returns the schemas of the JSON bodies of requests or their responses. */
export function bodySchemas(matched: Matched, isAnswer: boolean): readonly z.ZodType[] {
  const routes = routesOf(matched);
  return isAnswer ? [...routes.flatMap(({ response }) => response ?? []), ErrorSchema] : routes.flatMap(({ body }) => body ?? []);
}

/** Returns the type that a field of an entry declares; null without one. */
export function typeOfEntryField(matched: Matched, path: string): DeclaredType | null {
  const inBody = bodyPath(path);
  if (path.startsWith('query.')) return typeOfParameter(routesOf(matched), path.slice('query.'.length));
  if (inBody === null) {
    const steps = (isShort(matched, path) ? `response.${path}` : path).split('.');
    return declaredType(schemasAt(entrySchemas[matched.kind], steps) ?? []);
  }
  if (matched.kind === 'ATTEMPT') return inBody.isAnswer ? null : typeInEvent(inBody.rest);
  return declaredType(bodySchemas(matched, inBody.isAnswer).flatMap((each) => schemasAt(each, inBody.rest) ?? []));
}
