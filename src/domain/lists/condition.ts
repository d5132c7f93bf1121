import type { FilterField } from './fields.js';
import { compareKeys, normalizedText, keyOf, type FieldType, type Key } from './value.js';

export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'like', 'text', 'last', 'last_ne'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** A value for comparison: null if absent; undefined if invalid for the type of the field. Undefined equals nothing. */
export type FieldKey = Key | null | undefined;

/** Returns the values of a field in an item. */
export function keysIn<R>({ type, read }: FilterField<R>, item: R): FieldKey[] {
  const found = read(item);
  const values = typeof found === 'object' && found !== null ? found : [found];
  return values.map((value) => (value === null || value === undefined ? null : keyOf(type, String(value))));
}

/** Returns a function that reads the keys of a field in an item. Consecutive calls with one item read it once, so items must not change. */
export function keysReader<R>(field: FilterField<R>): (item: R) => readonly FieldKey[] {
  let last: { readonly item: R; readonly keys: readonly FieldKey[] } | undefined;
  return (item) => {
    if (last?.item !== item) last = { item, keys: keysIn(field, item) };
    return last.keys;
  };
}

/** Tests the values of a field. */
export type Condition = (keys: readonly FieldKey[]) => boolean;

/**
 * Creates a condition on a field. If an item has several values, one match is enough; `ne` and `nin` require that none matches.
 * @param operands one value, or several for `in` and `nin`; null stands for the value null
 */
export function conditionOf(type: FieldType, operator: FilterOperator, operands: readonly (string | null)[]): Condition {
  switch (operator) {
    case 'eq':
    case 'in':
      return someEquals(type, operands);
    case 'ne':
    case 'nin':
      return not(someEquals(type, operands));
    case 'last':
      return lastEquals(type, operands);
    case 'last_ne':
      return not(lastEquals(type, operands));
    case 'gt':
      return someCompares(type, operands, (order) => order > 0);
    case 'gte':
      return someCompares(type, operands, (order) => order >= 0);
    case 'lt':
      return someCompares(type, operands, (order) => order < 0);
    case 'lte':
      return someCompares(type, operands, (order) => order <= 0);
    case 'like':
      return someContains(operands);
    case 'text':
      return someHasWords(operands);
  }
}

const some =
  (matches: (key: FieldKey) => boolean): Condition =>
  (keys) =>
    keys.some(matches);

const not =
  (condition: Condition): Condition =>
  (keys) =>
    !condition(keys);

/** Returns a function that tests whether a key equals one of the operands. An invalid value equals none. */
function equalTo(type: FieldType, operands: readonly (string | null)[]): (key: FieldKey) => boolean {
  const keys = new Set<FieldKey>(operands.map((operand) => (operand === null ? null : keyOf(type, operand))));
  keys.delete(undefined);
  return (key) => keys.has(key);
}

const someEquals = (type: FieldType, operands: readonly (string | null)[]): Condition => some(equalTo(type, operands));

/** Compares only the newest entry of a history. An empty history compares as null. */
function lastEquals(type: FieldType, operands: readonly (string | null)[]): Condition {
  const isEqual = equalTo(type, operands);
  return (keys) => isEqual(keys.length === 0 ? null : keys.at(-1));
}

/** Comparisons with null are false. */
function someCompares(type: FieldType, [operand = null]: readonly (string | null)[], holds: (order: number) => boolean): Condition {
  const limit = operand === null ? undefined : keyOf(type, operand);
  if (limit === undefined) return () => false;
  const compare = compareKeys(type);
  return some((key) => key !== null && key !== undefined && holds(compare(key, limit)));
}

/** A null operand means the string "null". A null value contains nothing. */
function someContains([operand]: readonly (string | null)[]): Condition {
  const part = normalizedText(String(operand)).toLowerCase();
  return some((key) => key !== null && String(key).toLowerCase().includes(part));
}

/** Splits text into lower-case words. */
const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** Handles null like {@link someContains}. */
function someHasWords([operand]: readonly (string | null)[]): Condition {
  const wanted = wordsOf(normalizedText(String(operand))).filter((word) => word !== '');
  return some((key) => {
    if (key === null) return false;
    const words = new Set(wordsOf(String(key)));
    return wanted.every((word) => words.has(word));
  });
}
