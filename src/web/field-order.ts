import { z } from '@hono/zod-openapi';

/** Where something stands: one number for each step of its path. */
type Place = readonly number[];

/** What stands in the order in which a contract names its fields; within a field, what concerns the whole comes first. */
export function inContractOrder<T>(
  schema: z.ZodType,
  value: unknown,
  items: readonly T[],
  pathOf: (item: T) => readonly PropertyKey[],
): T[] {
  const placeOf = placesIn(schema, value);
  return items
    .map((item) => ({ item, place: placeOf(pathOf(item)) }))
    .toSorted((a, b) => comparePlaces(a.place, b.place))
    .map(({ item }) => item);
}

function comparePlaces(a: Place, b: Place): number {
  for (let depth = 0; depth < Math.max(a.length, b.length); depth += 1) {
    const left = a[depth] ?? -1;
    const right = b[depth] ?? -1;
    if (left !== right) return left - right;
  }
  return 0;
}

/** Tells the place of a path. What a field may hold is found out once, however many paths lead through it. */
function placesIn(schema: z.ZodType, value: unknown): (path: readonly PropertyKey[]) => Place {
  const root: Level = { orders: fieldOrders(schema, value), below: new Map() };
  return (path) => {
    let level = root;
    return path.map((key) => {
      const rank = typeof key === 'number' ? key : rankOf(level.orders, key);
      let next = level.below.get(key);
      if (!next) level.below.set(key, (next = { orders: level.orders.flatMap((each) => each.below(key)), below: new Map() }));
      level = next;
      return rank;
    });
  };
}

interface Level {
  readonly orders: readonly FieldOrder[];
  readonly below: Map<PropertyKey, Level>;
}

interface FieldOrder {
  readonly names: readonly string[];
  below(key: PropertyKey): FieldOrder[];
}

function rankOf(orders: readonly FieldOrder[], key: PropertyKey): number {
  const positions = orders.map(({ names }) => names.indexOf(String(key))).filter((position) => position >= 0);
  return positions.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...positions);
}

/** The fields of a schema in order: one list for an object, several for a union whose value does not say which it is meant as. */
function fieldOrders(schema: unknown, value: unknown): FieldOrder[] {
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Record<string, unknown>;
    const below = (key: PropertyKey) =>
      Object.hasOwn(shape, key) ? fieldOrders(shape[String(key)], (value as Record<PropertyKey, unknown> | undefined)?.[key]) : [];
    return [{ names: Object.keys(shape), below }];
  }
  if (schema instanceof z.ZodArray)
    return [{ names: [], below: (index) => fieldOrders(schema.element, (value as Record<PropertyKey, unknown> | undefined)?.[index]) }];
  if (schema instanceof z.ZodUnion) return variantsOf(schema, value).flatMap((each) => fieldOrders(each, value));
  if (schema instanceof z.ZodPipe) return fieldOrders(schema.out, value);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldOrders(schema.unwrap(), value);
  return [];
}

/** The variants that a value may be meant as: the one that its discriminator names, or all. */
function variantsOf(union: z.ZodUnion, value: unknown): readonly z.core.SomeType[] {
  if (!(union instanceof z.ZodDiscriminatedUnion)) return union.options;
  const { discriminator } = union.def;
  const named = (value as Record<string, z.core.util.Primitive> | undefined)?.[discriminator];
  return union.options.filter((each) => each._zod.propValues?.[discriminator]?.has(named));
}
