import type { FilterField, Value } from './fields.js';
import { compareKeys, keyOf, type FieldType, type Key } from './value.js';

export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'like', 'text', 'last', 'last_ne'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** A value as conditions compare it. Each form of it is made once, however many conditions ask for it. */
export class ComparableValue {
  /** Null for what is absent; undefined for what is no value of the field's type, which equals nothing. */
  key: Key | null | undefined;
  private ownLowerCase: string | undefined;
  private ownWords: string | undefined;

  constructor(key: Key | null | undefined) {
    this.key = key;
  }

  /** Makes it another value: of a long list, a new object for each would take longer than the comparison. */
  become(key: Key | null | undefined): void {
    this.key = key;
    this.ownLowerCase = undefined;
    this.ownWords = undefined;
  }

  /** A text in lower case. */
  get lowerCase(): string {
    return (this.ownLowerCase ??= String(this.key).toLowerCase());
  }

  /** The words of a text in lower case, with a space before and after each. */
  get words(): string {
    return (this.ownWords ??= ` ${this.lowerCase.replace(/[^\p{L}\p{N}]+/gu, ' ')} `);
  }
}

/** Reads the values that one item after the other has in a field. */
export class FieldReader<R> {
  readonly #field: FilterField<R>;
  /** Used for all items: to make new ones for each would take longer than to compare them. */
  readonly #values: ComparableValue[] = [];
  #last: R | undefined;
  #found: readonly ComparableValue[] = [];

  constructor(field: FilterField<R>) {
    this.#field = field;
  }

  /** The values of an item, which are read once however often they are asked for. They are good until another item is read. */
  valuesOf(item: R): readonly ComparableValue[] {
    if (item === this.#last) return this.#found;
    this.#last = item;
    const { type, read } = this.#field;
    const found = read(item);
    const several = typeof found === 'object' && found !== null ? found : [found];
    const values = this.#values;
    for (let at = 0; at < several.length; at += 1) (values[at] ??= new ComparableValue(null)).become(keyIn(type, several[at]));
    return (this.#found = several.length === values.length ? values : values.slice(0, several.length));
  }
}

function keyIn(type: FieldType, value: Value): Key | null | undefined {
  return value === null || value === undefined ? null : keyOf(type, String(value));
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
  const between = words.map((word) => ` ${word} `);
  return some((value) => {
    if (value.key === null) return false;
    const { lowerCase } = value;
    for (const word of words) if (!lowerCase.includes(word)) return false;
    const own = value.words;
    for (const word of between) if (!own.includes(word)) return false;
    return true;
  });
}
