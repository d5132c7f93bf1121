/** The parts of a schema that this code uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly description?: string;
  readonly properties?: unknown;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/**
 * Rewrites a generated document into forms that most tools understand: descriptions next to `$ref`, `const` for a single value,
 * flat unions, and nullable lists and objects as unions. Examples stay unchanged.
 */
export function plain<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => plain(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, /^examples?$/.test(name) ? each : plain<unknown>(each)]);
  return plainSchema(Object.fromEntries(entries) as Schema) as T;
}

/** Returns a union of a schema and null. With null in `type`, some generators lose the items of a list. */
export function orNull<S extends { readonly description?: string }>({ description, ...shape }: S): object {
  return { anyOf: [shape, { type: 'null' }], ...(description === undefined ? {} : { description }) };
}

function plainSchema(schema: Schema): object {
  const { allOf, oneOf, enum: values, ...rest } = schema;
  const [named, own] = allOf ?? [];
  if (allOf?.length === 2 && named?.$ref !== undefined && own && own.properties === undefined) {
    const { type, ...described } = own;
    // The generator writes "reference or null" as `allOf` with both, which no value matches.
    if (Array.isArray(type) && type.includes('null')) return { anyOf: [named, { type: 'null' }], ...described, ...rest };
    if (type === undefined) return { ...named, ...described, ...rest };
  }
  const { type } = schema;
  if (Array.isArray(type) && type.includes('null') && ('items' in schema || 'properties' in schema || 'additionalProperties' in schema)) {
    return orNull({ ...schema, type: type.find((each) => each !== 'null') as string });
  }
  if (Array.isArray(values) && values.length === 1) return { ...rest, const: values[0] as unknown };
  const inner = Array.isArray(oneOf) ? oneOf.flatMap((each) => each.oneOf ?? [each]) : [];
  return inner.length > (oneOf?.length ?? 0) ? { ...rest, oneOf: inner } : schema;
}
