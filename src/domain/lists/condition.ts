import type { FilterField, Value } from './fields.js';
import { compareKeys, keyOf, type FieldType, type Key } from './value.js';

export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'like', 'text', 'last', 'last_ne'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** A value as conditions compare it. Each form of it is made once, however many conditions ask for it. */
export class ComparableValue {
  /** Null for what is absent; undefined for what is no value of the field's type, which equals nothing. */
  readonly key: Key | null | undefined;
  #lowerCase: string | undefined;
  #words: string | undefined;

  constructor(key: Key | null | undefined) {
    this.key = key;
  }

  /** A text in lower case. */
  get lowerCase(): string {
    return (this.#lowerCase ??= String(this.key).toLowerCase());
  }

  /** The words of a text in lower case, with a space before and after each. */
  get words(): string {
    return (this.#words ??= ` ${this.lowerCase.replace(/[^\p{L}\p{N}]+/gu, ' ')} `);
  }
}

/** The values that an item has in a field. */
export function valuesIn<R>({ type, read }: FilterField<R>, item: R): readonly ComparableValue[] {
  const found = read(item);
  return typeof found === 'object' && found !== null ? found.map((value) => comparable(type, value)) : [comparable(type, found)];
}

function comparable(type: FieldType, value: Value): ComparableValue {
  return new ComparableValue(value === null || value === undefined ? null : keyOf(type, String(value)));
}

/** Whether a condition holds for the values that an item has in a field. */
export type Condition = (values: readonly ComparableValue[]) => boolean;

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

function some(matches: (value: ComparableValue) => boolean): Condition {
  return (values) => {
    for (const value of values) if (matches(value)) return true;
    return false;
  };
}

const not =
  (condition: Condition): Condition =>
  (values) =>
    !condition(values);

/** Whether a key is that of an operand. What is no value of the type equals nothing. */
function equalTo(type: FieldType, operands: readonly (string | null)[]): (key: Key | null | undefined) => boolean {
  const keys = new Set(operands.map((operand) => (operand === null ? null : keyOf(type, operand))));
  keys.delete(undefined);
  const [first] = keys;
  return keys.size === 1 ? (key) => key === first : (key) => keys.has(key);
}

function someEquals(type: FieldType, operands: readonly (string | null)[]): Condition {
  const isEqual = equalTo(type, operands);
  return some(({ key }) => isEqual(key));
}

/** Looks at the newest entry of a history alone; without any, that is null. */
function lastEquals(type: FieldType, operands: readonly (string | null)[]): Condition {
  const isEqual = equalTo(type, operands);
  return (values) => isEqual(values.length === 0 ? null : values.at(-1)!.key);
}

/** Order against null is false. */
function someCompares(type: FieldType, [operand = null]: readonly (string | null)[], holds: (order: number) => boolean): Condition {
  const limit = operand === null ? undefined : keyOf(type, operand);
  if (limit === undefined) return () => false;
  const compare = compareKeys(type);
  return some(({ key }) => key !== null && key !== undefined && holds(compare(key, limit)));
}

/** Takes null as a text: nothing contains the null value. */
function someContains([operand]: readonly (string | null)[]): Condition {
  const part = String(operand).toLowerCase();
  return some((value) => value.key !== null && value.lowerCase.includes(part));
}

/** Takes null as a text, like {@link someContains}. Most texts lack a word even as a part, which is sooner seen than their words. */
function someHasWords([operand]: readonly (string | null)[]): Condition {
  const words = [...new Set(new ComparableValue(String(operand)).words.split(' '))].filter((word) => word !== '');
  return some((value) => {
    if (value.key === null) return false;
    for (const word of words) if (!value.lowerCase.includes(word)) return false;
    for (const word of words) if (!value.words.includes(` ${word} `)) return false;
    return true;
  });
}
