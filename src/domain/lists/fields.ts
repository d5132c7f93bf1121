import type { FieldType } from './value.js';

/** One value of a field; null or undefined if absent. */
export type Value = string | number | boolean | null | undefined;

/** A field by which a list can be filtered. */
export interface FilterField<R> {
  /** The type by which values compare. */
  readonly type: FieldType;
  /** Returns one or more values of the field. */
  readonly read: (item: R) => Value | readonly Value[];
}

/** The filter fields of a list, by their names in the response. */
export type FilterFields<R, F extends string = string> = Readonly<Record<F, FilterField<R>>>;

const fieldOf =
  (type: FieldType) =>
  <R>(read: FilterField<R>['read']): FilterField<R> => ({ type, read });

export const text = fieldOf('TEXT');
export const decimal = fieldOf('DECIMAL');
export const flag = fieldOf('BOOLEAN');
export const timestamp = fieldOf('TIMESTAMP');

/** Creates a filter field for a path in items of unknown shape. */
export function fieldAt(path: string, type: FieldType): FilterField<unknown> {
  const steps = path.split('.');
  return { type, read: (item) => valuesAt(item, steps) };
}

/** Returns all values at a path, including those inside arrays. */
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
