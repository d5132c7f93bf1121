import type { FieldType } from './value.js';

/** One value of a field. What is absent is null. */
export type Value = string | number | boolean | null | undefined;

/** A field that items can be filtered by. */
export interface FilterField<R> {
  /** How its values compare. */
  readonly type: FieldType;
  /** The values that an item has there. */
  readonly values: (item: R) => readonly Value[];
}

/** The fields that a list can be filtered by, under the names that the response has for them. */
export type FilterFields<R> = Readonly<Record<string, FilterField<R>>>;

const one =
  (type: FieldType) =>
  <R>(value: (item: R) => Value): FilterField<R> => ({ type, values: (item) => [value(item)] });
const several =
  (type: FieldType) =>
  <R>(values: (item: R) => readonly Value[]): FilterField<R> => ({ type, values });

export const text = one('TEXT');
export const texts = several('TEXT');
export const decimal = one('DECIMAL');
export const decimals = several('DECIMAL');
export const flag = one('BOOLEAN');
export const timestamp = one('TIMESTAMP');

/** A field by its path, in items of which nothing is known. */
export function fieldAt(path: string, type: FieldType): FilterField<unknown> {
  const steps = path.split('.');
  return { type, values: (item) => valuesAt(item, steps) };
}

/** All values at a path, arrays walked through. */
export function valuesAt(item: unknown, path: readonly string[]): Value[] {
  const found: Value[] = [];
  collect(item, path, 0, found);
  return found;
}

function collect(from: unknown, path: readonly string[], depth: number, found: Value[]): void {
  const name = path[depth];
  if (name === undefined) {
    found.push(typeof from === 'object' && from !== null ? JSON.stringify(from) : (from as Value));
    return;
  }
  const value: unknown =
    typeof from === 'object' && from !== null && Object.hasOwn(from, name) ? (from as Record<string, unknown>)[name] : null;
  if (!Array.isArray(value)) return collect(value, path, depth + 1, found);
  for (const each of value) collect(each, path, depth + 1, found);
}
