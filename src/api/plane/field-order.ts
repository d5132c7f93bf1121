import type { z } from '@hono/zod-openapi';
import { knownFields, type KnownFields } from '../../contract/shared/messages/known-fields.js';

/** The position of a field: one number for each step of its path. */
type Place = readonly number[];

/** Sorts items by the field order of a schema. Items about a whole field come before items about its parts. */
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

/** Returns a function that finds the position of a path. Caches the known fields of each level. */
function placesIn(schema: z.ZodType, value: unknown): (path: readonly PropertyKey[]) => Place {
  const root: Level = { orders: knownFields(schema, value), below: new Map() };
  return (path) => {
    let level = root;
    return path.map((key, depth) => {
      const rank = typeof key === 'number' ? key : rankOf(level.orders, key);
      if (depth === path.length - 1) return rank;
      let next = level.below.get(key);
      if (!next) level.below.set(key, (next = { orders: level.orders.flatMap((each) => each.below(key)), below: new Map() }));
      level = next;
      return rank;
    });
  };
}

interface Level {
  readonly orders: readonly KnownFields[];
  readonly below: Map<PropertyKey, Level>;
}

function rankOf(orders: readonly KnownFields[], key: PropertyKey): number {
  const positions = orders.map(({ names }) => names.indexOf(String(key))).filter((position) => position >= 0);
  return positions.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...positions);
}
