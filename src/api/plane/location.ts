import type { AnyRoute } from '../../contract/shared/route.js';

/**
 * Returns the `Location` header of a 201; no header if no GET reads the created resource.
 * @param params path parameters, which the location may contain in addition to response fields
 */
export function locationOf({ location }: AnyRoute, params: unknown, response: unknown): Readonly<Record<string, string>> {
  if (location === undefined) return {};
  const [own, given] = [(response ?? {}) as Readonly<Record<string, unknown>>, (params ?? {}) as Readonly<Record<string, unknown>>];
  return {
    Location: partsOf(location)
      .map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(String(part in own ? own[part] : given[part]))))
      .join(''),
  };
}

/** The parts of each template: literal text and names of fields alternate. */
const templates = new Map<string, readonly string[]>();

function partsOf(template: string): readonly string[] {
  let parts = templates.get(template);
  if (!parts) templates.set(template, (parts = template.split(/\{(\w+)\}/)));
  return parts;
}
