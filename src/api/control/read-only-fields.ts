import { controlRoutes } from '../../contract/control/routes.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import { schemasAt } from '../../scenario/subjects.js';

const routes: readonly AnyRoute[] = controlRoutes;

/**
 * Returns the body of a PUT without the fields that only the GET of the same path returns, so that clients can send back what they received.
 * Other bodies are unchanged.
 */
export function withoutReadOnly({ method, path, body: accepted }: AnyRoute, body: unknown): unknown {
  if (method !== 'put' || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const returned = routes.find((each) => each.method === 'get' && each.path === path)?.response;
  if (!returned) return body;
  const isReadOnly = (name: string) => schemasAt(returned, [name]) !== null && schemasAt(accepted, [name]) === null;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isReadOnly(name)));
}
