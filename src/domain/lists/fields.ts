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
  let value = from;
  for (let at = depth; at < path.length; at += 1) {
    const name = path[at]!;
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    if (!Array.isArray(value)) continue;
    for (const each of value) collect(each, path, at + 1, found);
    return;
  }
  found.push(typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Value));
}
