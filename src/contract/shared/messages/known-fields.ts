import { z } from '@hono/zod-openapi';

/** The fields that a schema has at one path, in the order of the contract, and the fields below each. */
export interface KnownFields {
  readonly names: readonly string[];
  below(key: PropertyKey): KnownFields[];
}

/**
 * Returns the fields that a schema has for a value: one item for an object; for a union, one for each variant that the value may be.
 */
export function knownFields(schema: unknown, value: unknown): KnownFields[] {
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Record<string, unknown>;
    const below = (key: PropertyKey) =>
      Object.hasOwn(shape, key) ? knownFields(shape[String(key)], (value as Record<PropertyKey, unknown> | null | undefined)?.[key]) : [];
    return [{ names: Object.keys(shape), below }];
  }
  if (schema instanceof z.ZodArray) {
    const below = (index: PropertyKey) => knownFields(schema.element, (value as Record<PropertyKey, unknown> | null | undefined)?.[index]);
    return [{ names: [], below }];
  }
  if (schema instanceof z.ZodUnion) return variantsOf(schema, value).flatMap((each) => knownFields(each, value));
  if (schema instanceof z.ZodPipe) return knownFields(schema.out, value);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault || schema instanceof z.ZodLazy)
    return knownFields(schema.unwrap(), value);
  return [];
}

/** Returns the field names that a schema has at a path into a value. */
export function namesAt(schema: unknown, value: unknown, path: readonly PropertyKey[]): string[] {
  const fields = path.reduce<KnownFields[]>((known, key) => known.flatMap((each) => each.below(key)), knownFields(schema, value));
  return [...new Set(fields.flatMap(({ names }) => names))];
}

/** Returns the variants that a value may be: the one that its discriminator names, or all. */
function variantsOf(union: z.ZodUnion, value: unknown): readonly z.core.SomeType[] {
  if (!(union instanceof z.ZodDiscriminatedUnion)) return union.options;
  const { discriminator } = union.def;
  const named = (value as Record<string, z.core.util.Primitive> | null | undefined)?.[discriminator];
  return union.options.filter((each) => each._zod.propValues?.[discriminator]?.has(named));
}

/**
 * Returns the paths of at most `most` fields that the schema of a value does not have. If the variant of a union is unknown, fields of all
 * variants are accepted.
 */
export function unknownFields(schema: unknown, value: unknown, most: number): (readonly (string | number)[])[] {
  const found: (readonly (string | number)[])[] = [];
  const look = (known: readonly KnownFields[], from: unknown, path: readonly (string | number)[]): void => {
    if (typeof from !== 'object' || from === null || known.length === 0) return;
    const isList = Array.isArray(from);
    for (const key of Object.keys(from)) {
      if (found.length >= most) return;
      const each = (from as Record<string, unknown>)[key];
      const isKnown = isList || known.some(({ names }) => names.includes(key));
      if (isKnown && (typeof each !== 'object' || each === null)) continue;
      const below = [...path, isList ? Number(key) : key];
      if (!isKnown) found.push(below);
      else {
        const next = known.flatMap((fields) => fields.below(key));
        look(next, each, below);
      }
    }
  };
  look(knownFields(schema, value), value, []);
  return found;
}
