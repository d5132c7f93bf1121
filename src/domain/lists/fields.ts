import type { FieldType } from './value.js';

/** One value of a field. What is absent is null. */
export type Value = string | number | boolean | null | undefined;

/** A field that items can be filtered by. */
export interface FilterField<R> {
  /** How its values compare. */
  readonly type: FieldType;
  /** The value that an item has there, or several. */
  readonly read: (item: R) => Value | readonly Value[];
}

/** The fields that a list can be filtered by, under the names that the response has for them. */
export type FilterFields<R, F extends string = string> = Readonly<Record<F, FilterField<R>>>;

const fieldOf =
  (type: FieldType) =>
  <R>(read: FilterField<R>['read']): FilterField<R> => ({ type, read });

export const text = fieldOf('TEXT');
export const decimal = fieldOf('DECIMAL');
export const flag = fieldOf('BOOLEAN');
export const timestamp = fieldOf('TIMESTAMP');

/** A field by its path, in items of which nothing is known. */
export function fieldAt(path: string, type: FieldType): FilterField<unknown> {
  const steps = path.split('.');
  return { type, read: (item) => valuesAt(item, steps) };
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
