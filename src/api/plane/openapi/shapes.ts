import { getRefId, type OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { z } from '@hono/zod-openapi';

/**
 * Registers all named schemas that the routes and `others` reference, inner ones first, with their own descriptions.
 * Otherwise the generator would use the description of the first field that references a schema.
 * @throws Error if two schemas have the same name
 */
export function registerShapes(registry: Pick<OpenAPIRegistry, 'definitions' | 'register'>, others: readonly z.ZodType[]): void {
  const shapes = new Map<string, z.ZodType>();
  const seen = new Set<unknown>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (!(value instanceof z.ZodType)) return Object.values(value).forEach(look);
    partsOf(value).forEach(look);
    const name = getRefId(value);
    if (name === undefined) return;
    const shape = ownShape(value, name);
    if ((shapes.get(name) ?? shape) !== shape) throw new Error(`Two schemas have the name ${name}. To describe a field, use .describe().`);
    shapes.set(name, shape);
  };
  look(others);
  look(registry.definitions);
  for (const [name, shape] of shapes) registry.register(name, shape);
}

/** Returns the original of a schema that was described again or made optional. */
function ownShape(schema: z.ZodType, name: string): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  const from = innerType ?? (schema._zod.parent as z.ZodType | undefined);
  return from && getRefId(from) === name ? ownShape(from, name) : schema;
}

function partsOf(schema: z.ZodType): z.ZodType[] {
  return Object.values(schema.def).flatMap((part: unknown) => {
    const parts = typeof part === 'object' && part !== null ? [part, ...Object.values(part)] : [];
    return parts.filter((each) => each instanceof z.ZodType);
  });
}
