import { z } from '@hono/zod-openapi';

/**
 * Removes nulls of optional fields from a body. In a POST, null means the same as a missing field; serialisers of many languages send such
 * nulls. Keeps all other values, including nulls of required fields.
 */
export function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  return without([schema], value);
}

/** @param schemas candidates for the value */
function without(schemas: readonly unknown[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const meant = schemas.flatMap((each) => structureOf(each, value));
  if (Array.isArray(value)) {
    const elements = meant.flatMap((each) => (each instanceof z.ZodArray ? [each.element] : []));
    return elements.length === 0 ? value : value.map((each) => without(elements, each));
  }
  const shapes = meant.flatMap((each) => (each instanceof z.ZodObject ? [each.shape as Record<string, z.ZodType>] : []));
  if (shapes.length === 0) return value;
  const kept = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const fields = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name]!] : []));
    if (each === null && fields.length > 0 && fields.every((field) => field.isOptional())) return [];
    return [[name, without(fields, each)]];
  });
  return Object.fromEntries(kept);
}

/** Returns the object and array schemas of a schema; for a union, only the variants that match the value. */
function structureOf(schema: unknown, value: object): (z.ZodObject | z.ZodArray)[] {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray) return [schema];
  if (schema instanceof z.ZodPipe) return structureOf(schema.out, value);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return structureOf(schema.unwrap(), value);
  if (!(schema instanceof z.ZodUnion)) return [];
  return schema.options.flatMap((each) => structureOf(each, value)).filter((each) => isNamed(each, value));
}

/** Whether the literal fields of a value match a variant or are missing. */
function isNamed(schema: z.ZodObject | z.ZodArray, value: object): boolean {
  if (schema instanceof z.ZodArray) return true;
  return Object.entries(schema.shape as Record<string, z.ZodType>).every(([name, field]) => {
    const given = (value as Record<string, z.core.util.Literal | null | undefined>)[name];
    return !(field instanceof z.ZodLiteral) || given === undefined || given === null || field.values.has(given);
  });
}
