import { DomainError } from './errors.js';
import { Place, conditionAt, filterOperators, fits, type Condition, type FieldType, type Predicate } from './filter-condition.js';

/** The fields that a list can be filtered by, as paths into its items. */
export type FilterFields = Readonly<Record<string, FieldType>>;

export const filterLimits = { characters: 2000, conditions: 50, levels: 5 } as const;

/** Whether one of the conditions comes out so. A loop, since this is where the time of a long filter goes. */
function hasOne(list: readonly Condition[], wanted: boolean): boolean {
  for (const holds of list) if (holds() === wanted) return true;
  return false;
}

/**
 * Reads a filter expression, in time linear in its length.
 * @throws DomainError INVALID_FILTER_FORMAT with the position (from 0) and what was expected there, or with the field at fault
 */
export function parseFilter(expression: string, fields: FilterFields): Predicate {
  let at = 0;
  let conditions = 0;
  const places = new Map<string, Place>();

  function fail(position: number, expected: string): never {
    throw new DomainError('INVALID_FILTER_FORMAT', `The filter is wrong at position ${position}: expected ${expected}.`, {
      position,
      expected,
    });
  }
  function failField(field: string, message: string, facts: Record<string, unknown> = {}): never {
    throw new DomainError('INVALID_FILTER_FORMAT', message, { field, ...facts });
  }

  function all(list: readonly Condition[]): Condition {
    return list.length === 1 ? list[0]! : () => !hasOne(list, false);
  }

  function parseGroup(level: number): Condition {
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
      return word === 'and' ? all(list) : () => hasOne(list, true);
    }
    return parseCondition();
  }

  function parseCondition(): Condition {
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
    let place = places.get(field);
    if (!place) places.set(field, (place = new Place(field, type)));
    return conditionAt(place, operator, operands);
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
  const holds = all(groups);
  return (item) => {
    for (const place of places.values()) place.look(item);
    return holds();
  };
}
