/** As much of a schema as is looked at. */
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
 * Brings everything in a generated document into the form that most tools understand: a field says what it means beside
 * its `$ref`, a single value is a `const`, a union lists all of its members itself, a list or an object that may be null is a
 * union of both. Examples stay as they are.
 */
export function plain<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => plain(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, /^examples?$/.test(name) ? each : plain<unknown>(each)]);
  return plainSchema(Object.fromEntries(entries) as Schema) as T;
}

/** A schema or null, as a union: some generators lose the items of a list whose `type` names null as well. */
export function orNull<S extends { readonly description?: string }>({ description, ...shape }: S): object {
  return { anyOf: [shape, { type: 'null' }], ...(description === undefined ? {} : { description }) };
}

function plainSchema(schema: Schema): object {
  const { allOf, oneOf, enum: values, ...rest } = schema;
  const [named, own] = allOf ?? [];
  if (allOf?.length === 2 && named?.$ref !== undefined && own && own.properties === undefined) {
    const { type, ...told } = own;
    // The generator writes "a named shape or null" as both at once, which nothing can be.
    if (Array.isArray(type) && type.includes('null')) return { anyOf: [named, { type: 'null' }], ...told, ...rest };
    if (type === undefined) return { ...named, ...told, ...rest };
  }
  const { type } = schema;
  if (Array.isArray(type) && type.includes('null') && ('items' in schema || 'properties' in schema || 'additionalProperties' in schema)) {
    return orNull({ ...schema, type: type.find((each) => each !== 'null') as string });
  }
  if (Array.isArray(values) && values.length === 1) return { ...rest, const: values[0] as unknown };
  const inner = Array.isArray(oneOf) ? oneOf.flatMap((each) => each.oneOf ?? [each]) : [];
  return inner.length > (oneOf?.length ?? 0) ? { ...rest, oneOf: inner } : schema;
}
