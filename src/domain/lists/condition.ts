import type { FilterField } from './fields.js';
import { compareKeys, keyOf, type FieldType, type Key } from './value.js';

export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'like', 'text', 'last', 'last_ne'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** A value as conditions compare it: null for what is absent; undefined for what is no value of the field's type, which equals nothing. */
export type ComparedKey = Key | null | undefined;

/** What an item has in a field. */
export function keysIn<R>({ type, read }: FilterField<R>, item: R): ComparedKey[] {
  const found = read(item);
  const values = typeof found === 'object' && found !== null ? found : [found];
  return values.map((value) => (value === null || value === undefined ? null : keyOf(type, String(value))));
}

/** Whether a condition holds for what an item has in a field. */
export type Condition = (keys: readonly ComparedKey[]) => boolean;

/**
 * A condition on a field. Of several values one that matches is enough; `ne` and `nin` want none that matches.
 * @param operands one value, or several for `in` and `nin`; null is the null value
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
  (matches: (key: ComparedKey) => boolean): Condition =>
  (keys) =>
    keys.some(matches);

const not =
  (condition: Condition): Condition =>
  (keys) =>
    !condition(keys);

/** Whether a key is that of an operand. What is no value of the type equals nothing. */
function equalTo(type: FieldType, operands: readonly (string | null)[]): (key: ComparedKey) => boolean {
  const keys = new Set<ComparedKey>(operands.map((operand) => (operand === null ? null : keyOf(type, operand))));
  keys.delete(undefined);
  return (key) => keys.has(key);
}

const someEquals = (type: FieldType, operands: readonly (string | null)[]): Condition => some(equalTo(type, operands));

/** Looks at the newest entry of a history alone; without any, that is null. */
function lastEquals(type: FieldType, operands: readonly (string | null)[]): Condition {
  const isEqual = equalTo(type, operands);
  return (keys) => isEqual(keys.length === 0 ? null : keys.at(-1));
}

/** Order against null is false. */
function someCompares(type: FieldType, [operand = null]: readonly (string | null)[], holds: (order: number) => boolean): Condition {
  const limit = operand === null ? undefined : keyOf(type, operand);
  if (limit === undefined) return () => false;
  const compare = compareKeys(type);
  return some((key) => key !== null && key !== undefined && holds(compare(key, limit)));
}

/** Takes null as a text: nothing contains the null value. */
function someContains([operand]: readonly (string | null)[]): Condition {
  const part = String(operand).toLowerCase();
  return some((key) => key !== null && String(key).toLowerCase().includes(part));
}

/** The words of a text in lower case. */
const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** Takes null as a text, like {@link someContains}. */
function someHasWords([operand]: readonly (string | null)[]): Condition {
  const wanted = wordsOf(String(operand)).filter((word) => word !== '');
  return some((key) => {
    if (key === null) return false;
    const words = new Set(wordsOf(String(key)));
    return wanted.every((word) => words.has(word));
  });
}
