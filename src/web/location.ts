import type { AnyRoute } from '../contract/shared/route.js';

/**
 * The `Location` header of a 201; no header if no GET reads what the route creates.
 * @param params the parameters of the path, which the location may name next to fields of the response
 */
export function locationOf({ location }: AnyRoute, params: unknown, response: unknown): Readonly<Record<string, string>> {
  if (location === undefined) return {};
  const fields = { ...(params as object), ...(response as object) } as Readonly<Record<string, unknown>>;
  return { Location: location.replace(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(String(fields[name]))) };
}
