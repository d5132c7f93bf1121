import { DomainError } from './errors.js';
import { Decimal } from './money.js';

/** How the values of a filterable field compare. */
export type FieldType = 'TEXT' | 'DECIMAL' | 'BOOLEAN' | 'TIMESTAMP';

/** The fields that a list can be filtered by, as paths into its items. */
export type FilterFields = Readonly<Record<string, FieldType>>;

export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'like', 'text', 'last', 'last_ne'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** Whether an item passes. */
export type Predicate = (item: unknown) => boolean;

export const filterLimits = { characters: 2000, conditions: 50, levels: 5 } as const;

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

function compareTexts(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  for (let index = 0; index < left.length && index < right.length; index += 1) {
    const difference = left[index]!.codePointAt(0)! - right[index]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Negative, zero or positive as `a` is below, equal to or above `b`; null when `a` is no value of the type. */
function compare(type: FieldType, a: string, b: string): number | null {
  if (!fits(type, a)) return null;
  if (type === 'DECIMAL') return new Decimal(a).comparedTo(b);
  if (type === 'TIMESTAMP') return Date.parse(a) - Date.parse(b);
  return compareTexts(a, b);
}

/** All values at a path, arrays walked through. What is absent is null. */
export function valuesAt(item: unknown, path: readonly string[]): (string | null)[] {
  let level: unknown[] = [item];
  for (const name of path) {
    level = level.flatMap((each) => {
      const value: unknown =
        typeof each === 'object' && each !== null && Object.hasOwn(each, name) ? (each as Record<string, unknown>)[name] : null;
      return Array.isArray(value) ? (value as unknown[]) : [value];
    });
  }
  return level.map((value) =>
    value === null || value === undefined
      ? null
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value as string | number | boolean),
  );
}

const words = (value: string) =>
  value
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * One condition as a predicate. `operands` holds one value, or several for `in` and `nin`; null is the null value.
 * Through an array, one matching element is enough; `ne` and `nin` want none that matches.
 */
export function condition(path: string, type: FieldType, operator: FilterOperator, operands: readonly (string | null)[]): Predicate {
  const steps = path.split('.');
  const operand = operands[0] ?? null;
  const equals = (value: string | null, other: string | null) =>
    value === null || other === null ? value === other : compare(type, value, other) === 0;
  const ordered = (holds: (order: number) => boolean) => (value: string | null) => {
    if (value === null || operand === null) return false;
    const order = compare(type, value, operand);
    return order !== null && holds(order);
  };
  const any =
    (holds: (value: string | null) => boolean): Predicate =>
    (item) =>
      valuesAt(item, steps).some(holds);
  switch (operator) {
    case 'eq':
      return any((value) => equals(value, operand));
    case 'ne':
      return (item) => !valuesAt(item, steps).some((value) => equals(value, operand));
    case 'in':
      return any((value) => operands.some((each) => equals(value, each)));
    case 'nin':
      return (item) => !valuesAt(item, steps).some((value) => operands.some((each) => equals(value, each)));
    case 'gt':
      return any(ordered((order) => order > 0));
    case 'gte':
      return any(ordered((order) => order >= 0));
    case 'lt':
      return any(ordered((order) => order < 0));
    case 'lte':
      return any(ordered((order) => order <= 0));
    case 'like': {
      const part = (operand ?? '').toLowerCase();
      return any((value) => value !== null && value.toLowerCase().includes(part));
    }
    case 'text': {
      const wanted = words(operand ?? '');
      return any((value) => {
        if (value === null) return false;
        const present = new Set(words(value));
        return wanted.every((word) => present.has(word));
      });
    }
    case 'last':
      return (item) => equals(valuesAt(item, steps).at(-1) ?? null, operand);
    case 'last_ne':
      return (item) => !equals(valuesAt(item, steps).at(-1) ?? null, operand);
  }
}

/**
 * Reads a filter expression, in time linear in its length.
 * @throws DomainError INVALID_FILTER_FORMAT with the position (from 0) and what was expected there, or with the field at fault
 */
export function parseFilter(expression: string, fields: FilterFields): Predicate {
  let at = 0;
  let conditions = 0;

  function fail(position: number, expected: string): never {
    throw new DomainError('INVALID_FILTER_FORMAT', `The filter is wrong at position ${position}: expected ${expected}.`, {
      position,
      expected,
    });
  }
  function failField(field: string, message: string, facts: Record<string, unknown> = {}): never {
    throw new DomainError('INVALID_FILTER_FORMAT', message, { field, ...facts });
  }

  function all(list: readonly Predicate[]): Predicate {
    return list.length === 1 ? list[0]! : (item) => list.every((each) => each(item));
  }

  function parseGroup(level: number): Predicate {
    for (const word of ['and', 'or'] as const) {
      if (!expression.startsWith(`${word}(`, at)) continue;
      if (level > filterLimits.levels) fail(at, `at most ${filterLimits.levels} nested groups`);
      at += word.length + 1;
      const list = [parseGroup(level + 1)];
      while (expression[at] === ',') {
        at += 1;
        list.push(parseGroup(level + 1));
      }
      if (expression[at] !== ')') fail(at, '"," or ")"');
      at += 1;
      return word === 'and' ? all(list) : (item) => list.some((each) => each(item));
    }
    return parseCondition();
  }

  function parseCondition(): Predicate {
    const start = at;
    while (at < expression.length && /[A-Za-z0-9_.]/.test(expression[at]!)) at += 1;
    const field = expression.slice(start, at);
    if (field === '') fail(at, 'a field name, and( or or(');
    if (expression[at] !== '[') fail(at, '"["');
    const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (type === undefined)
      failField(field, `${field} is not a field that this list can be filtered by.`, { allowed: Object.keys(fields) });
    at += 1;
    const operatorStart = at;
    while (at < expression.length && /[a-z_]/.test(expression[at]!)) at += 1;
    const name = expression.slice(operatorStart, at);
    const operator = filterOperators.find((each) => each === name);
    if (operator === undefined) fail(operatorStart, `one of ${filterOperators.join(', ')}`);
    if (expression[at] !== ']') fail(at, '"]"');
    at += 1;
    if (expression[at] !== '=') fail(at, '"="');
    at += 1;
    conditions += 1;
    if (conditions > filterLimits.conditions) fail(start, `at most ${filterLimits.conditions} conditions`);
    if ((operator === 'like' || operator === 'text') && type !== 'TEXT') {
      failField(field, `${operator} compares texts, but ${field} is a ${type.toLowerCase()}.`);
    }
    const operands = [parseValue(field, type)];
    if (operator === 'in' || operator === 'nin') {
      while (expression[at] === '|') {
        at += 1;
        operands.push(parseValue(field, type));
      }
    }
    return condition(field, type, operator, operands);
  }

  function parseValue(field: string, type: FieldType): string | null {
    const start = at;
    let value = '';
    while (at < expression.length && !',;|()'.includes(expression[at]!)) {
      if (expression[at] === '\\') {
        at += 1;
        if (at >= expression.length || !',;|()\\'.includes(expression[at]!)) fail(at, 'one of , ; | ( ) \\ after a backslash');
      }
      value += expression[at]!;
      at += 1;
    }
    if (expression.slice(start, at) === 'null') return null;
    if (!fits(type, value))
      failField(field, `${value === '' ? 'An empty value' : value} does not fit ${field}, a ${type.toLowerCase()}.`, { position: start });
    return value;
  }

  if (expression.length > filterLimits.characters) fail(filterLimits.characters, `at most ${filterLimits.characters} characters`);
  const groups = [parseGroup(1)];
  while (expression[at] === ';') {
    at += 1;
    groups.push(parseGroup(1));
  }
  if (at < expression.length) fail(at, '";" or the end');
  return all(groups);
}
