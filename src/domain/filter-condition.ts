import { Decimal } from './money.js';

/** How the values of a filterable field compare. */
export type FieldType = 'TEXT' | 'DECIMAL' | 'BOOLEAN' | 'TIMESTAMP';

export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'like', 'text', 'last', 'last_ne'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** Whether an item passes. */
export type Predicate = (item: unknown) => boolean;

const numberPattern = /^-?[0-9]+(\.[0-9]+)?$/;
const timestampPattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,3})?Z$/;

function isTimestamp(value: string): boolean {
  return timestampPattern.test(value) && !Number.isNaN(Date.parse(value));
}

/** Whether a text can be compared with a field of this type. */
export function fits(type: FieldType, value: string): boolean {
  if (type === 'DECIMAL') return numberPattern.test(value) && value.length <= 64;
  if (type === 'BOOLEAN') return value === 'true' || value === 'false';
  return type === 'TEXT' || isTimestamp(value);
}

/** The type by which two values compare when nothing declares it. */
export function typeOfValue(value: string): FieldType {
  return fits('DECIMAL', value) ? 'DECIMAL' : isTimestamp(value) ? 'TIMESTAMP' : 'TEXT';
}

/** A value in a form in which equal ones are identical. Undefined is what is no value of the type, and equal to nothing. */
type Key = string | number | null | undefined;

function keyOf(type: FieldType, value: string | null): Key {
  if (value === null) return null;
  if (!fits(type, value)) return undefined;
  if (type === 'DECIMAL') return decimalKey(value);
  return type === 'TIMESTAMP' ? Date.parse(value) : value;
}

/** A decimal without idle zeros; as a number where a double tells it from every other one, which it does up to 15 digits. */
function decimalKey(value: string): string | number {
  if (value.length <= 15) return Number(value) + 0; // Not minus zero.
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*([0-9]+?)(?:\.([0-9]*?)0*)?$/.exec(value) ?? [];
  const plain = sign + whole + (fraction === '' ? '' : `.${fraction}`);
  return plain.length <= 15 ? Number(plain) + 0 : plain;
}

/** Negative, zero or positive as one value is below, equal to or above another of its type. */
function order(type: FieldType, a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return type === 'DECIMAL' ? new Decimal(a).comparedTo(b) : compareTexts(String(a), String(b));
}

/** The first unit of a code point beyond those of 16 bits; all of them come after U+FFFF, though their units do not. */
const firstSurrogate = 0xd800;
const lastSurrogate = 0xdfff;

function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rankOfUnit(left) - rankOfUnit(right);
  }
  return a.length - b.length;
}

function rankOfUnit(unit: number): number {
  if (unit < firstSurrogate) return unit;
  return unit <= lastSurrogate ? unit + 0x10000 : unit;
}

/** All values at a path, arrays walked through. What is absent is null. */
export function valuesAt(item: unknown, path: readonly string[]): (string | null)[] {
  const found: (string | null)[] = [];
  collect(item, path, 0, found);
  return found;
}

function collect(from: unknown, path: readonly string[], depth: number, found: (string | null)[]): void {
  const name = path[depth];
  if (name === undefined) {
    found.push(textOf(from));
    return;
  }
  const value: unknown =
    typeof from === 'object' && from !== null && Object.hasOwn(from, name) ? (from as Record<string, unknown>)[name] : null;
  if (!Array.isArray(value)) return collect(value, path, depth + 1, found);
  for (const each of value) collect(each, path, depth + 1, found);
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function wordsOf(value: string): string[] {
  return value
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** What stands at a path in one item. All conditions on the path share it, and each form of the values is made once. */
export class Place {
  readonly #path: readonly string[];
  #item: unknown;
  #values: (string | null)[] | undefined;
  #keys: Key[] | undefined;
  #lowered: string[] | undefined;

  constructor(
    path: string,
    readonly type: FieldType,
  ) {
    this.#path = path.split('.');
  }

  look(item: unknown): void {
    this.#item = item;
    this.#values = this.#keys = this.#lowered = undefined;
  }

  get keys(): readonly Key[] {
    return (this.#keys ??= this.#found.map((value) => keyOf(this.type, value)));
  }

  /** The texts in lower case, without the nulls. */
  get lowered(): readonly string[] {
    return (this.#lowered ??= this.#found.flatMap((value) => (value === null ? [] : [value.toLowerCase()])));
  }

  get #found(): (string | null)[] {
    return (this.#values ??= valuesAt(this.#item, this.#path));
  }
}

/** A condition on the item that its place looks at. */
export type Condition = () => boolean;

/**
 * One condition. `operands` holds one value, or several for `in` and `nin`; null is the null value.
 * Through an array, one matching element is enough; `ne` and `nin` want none that matches.
 */
export function conditionAt(place: Place, operator: FilterOperator, operands: readonly (string | null)[]): Condition {
  const { type } = place;
  const operand = keyOf(type, operands[0] ?? null);
  const wanted = new Set(operands.map((each) => keyOf(type, each)));
  wanted.delete(undefined);
  const isAny =
    wanted.size === 1 && operand !== undefined ? () => place.keys.includes(operand) : () => place.keys.some((key) => wanted.has(key));
  const isLast = () => (place.keys.length === 0 ? null : place.keys.at(-1)) === operand;
  const ordered = (holds: (order: number) => boolean): Condition => {
    if (operand === null || operand === undefined) return () => false;
    return () => place.keys.some((key) => key !== null && key !== undefined && holds(order(type, key, operand)));
  };
  switch (operator) {
    case 'eq':
    case 'in':
      return isAny;
    case 'ne':
    case 'nin':
      return () => !isAny();
    case 'gt':
      return ordered((each) => each > 0);
    case 'gte':
      return ordered((each) => each >= 0);
    case 'lt':
      return ordered((each) => each < 0);
    case 'lte':
      return ordered((each) => each <= 0);
    case 'like': {
      const part = (operands[0] ?? '').toLowerCase();
      return () => place.lowered.some((value) => value.includes(part));
    }
    case 'text': {
      const words = wordsOf(operands[0] ?? '');
      return () =>
        place.lowered.some((value) => {
          if (!words.every((word) => value.includes(word))) return false;
          const present = new Set(wordsOf(value));
          return words.every((word) => present.has(word));
        });
    }
    case 'last':
      return isLast;
    case 'last_ne':
      return () => !isLast();
  }
}

/** One condition as a predicate of its own; see {@link conditionAt}. */
export function condition(path: string, type: FieldType, operator: FilterOperator, operands: readonly (string | null)[]): Predicate {
  const place = new Place(path, type);
  const holds = conditionAt(place, operator, operands);
  return (item) => {
    place.look(item);
    return holds();
  };
}
