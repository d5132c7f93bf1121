import type { AnyRoute } from '../../contract/shared/route.js';

/**
 * Returns the `Location` header of a 201; no header if no GET reads the created resource.
 * @param params path parameters, which the location may contain in addition to response fields
 */
export function locationOf({ location }: AnyRoute, params: unknown, response: unknown): Readonly<Record<string, string>> {
  if (location === undefined) return {};
  const fields = { ...(params as object), ...(response as object) } as Readonly<Record<string, unknown>>;
  return { Location: location.replace(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(String(fields[name]))) };
}
