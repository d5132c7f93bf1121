import { quoted } from '../../contract/shared/messages/quoted.js';
import { didYouMean, nearestName } from '../../contract/shared/messages/nearest.js';
import { DomainError } from '../errors.js';
import { conditionOf, filterOperators, keysReader, type FieldKey } from './condition.js';
import type { FilterFields } from './fields.js';
import { isOfType, type FieldType } from './value.js';
import { excerptOf } from '../../contract/shared/messages/cut.js';

export const filterLimits = { characters: 2000, conditions: 50, levels: 5 } as const;

/** Whether an item matches. */
export type Predicate<R> = (item: R) => boolean;

/**
 * Parses a filter expression in linear time. Items must be immutable.
 * @throws DomainError INVALID_FILTER_FORMAT with the position (from 0) and the expected input, or with the invalid field
 */
export function parseFilter<R>(expression: string, fields: FilterFields<R>): Predicate<R> {
  let at = 0;
  let count = 0;
  /** One reader for each field, so that all conditions on a field share the keys of an item. */
  const readers = new Map<string, (item: R) => readonly FieldKey[]>();

  function fail(position: number, expected: string): never {
    throw new DomainError(
      'INVALID_FILTER_FORMAT',
      `Invalid filter at position ${position}${position < expression.length ? ` ("${excerptOf(expression, position, 20)}")` : ' (its end)'}: expected ${expected}.`,
      {
        position,
        expected,
      },
    );
  }
  function failField(field: string, message: string, facts: Record<string, unknown> = {}): never {
    throw new DomainError('INVALID_FILTER_FORMAT', message, { field, ...facts });
  }

  /** Parses groups separated by `mark`. */
  function parseList(mark: string, level: number): Predicate<R>[] {
    const parts = [parseGroup(level)];
    while (expression[at] === mark) {
      at += 1;
      parts.push(parseGroup(level));
    }
    return parts;
  }

  function parseGroup(level: number): Predicate<R> {
    for (const kind of ['and', 'or'] as const) {
      if (!expression.startsWith(`${kind}(`, at)) continue;
      if (level > filterLimits.levels) fail(at, `at most ${filterLimits.levels} nested groups`);
      at += kind.length + 1;
      const parts = parseList(',', level + 1);
      if (expression[at] !== ')') fail(at, '"," or ")"');
      at += 1;
      if (parts.length === 1) return parts[0]!;
      return kind === 'and' ? allOf(parts) : anyOf(parts);
    }
    return parseCondition();
  }

  function parseCondition(): Predicate<R> {
    const start = at;
    while (at < expression.length && /[A-Za-z0-9_.]/.test(expression[at]!)) at += 1;
    const name = expression.slice(start, at);
    if (name === '') fail(at, 'a field name, and( or or(');
    if (expression[at] !== '[') fail(at, '"[" and an operator, for example [eq]');
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) failField(name, notFiltered(name, Object.keys(fields)), { allowed: Object.keys(fields) });
    const { type } = field;
    at += 1;
    const operatorStart = at;
    while (at < expression.length && /[a-z_]/.test(expression[at]!)) at += 1;
    const operatorName = expression.slice(operatorStart, at);
    const operator = filterOperators.find((each) => each === operatorName);
    if (operator === undefined) fail(operatorStart, `one of ${filterOperators.join(', ')}`);
    if (expression[at] !== ']') fail(at, '"]"');
    at += 1;
    if (expression[at] !== '=') fail(at, '"="');
    at += 1;
    if (count >= filterLimits.conditions) fail(start, `at most ${filterLimits.conditions} conditions`);
    count += 1;
    if ((operator === 'like' || operator === 'text') && type !== 'TEXT') {
      failField(name, `${name}: ${operator} compares text only; this field is a ${type.toLowerCase()}.`);
    }
    const operands = [parseValue(name, type)];
    if (operator === 'in' || operator === 'nin') {
      while (expression[at] === '|') {
        at += 1;
        operands.push(parseValue(name, type));
      }
    }
    const holds = conditionOf(type, operator, operands);
    const keysOf = readers.get(name) ?? keysReader(field);
    readers.set(name, keysOf);
    return (item) => holds(keysOf(item));
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
    if (!isOfType(type, value))
      failField(
        field,
        `${field}: got ${value === '' ? 'an empty value' : `"${quoted(value, 60)}"`}; expected a ${type.toLowerCase()}, for example ${exampleOf[type]}.`,
        { position: start },
      );
    return value;
  }

  if (expression.length > filterLimits.characters) fail(filterLimits.characters, `at most ${filterLimits.characters} characters`);
  const parts = parseList(';', 1);
  if (at < expression.length) fail(at, '";" or the end');
  return allOf(parts);
}

/** Returns the message for an unknown filter field, with a suggestion or with all fields. */
function notFiltered(name: string, known: readonly string[]): string {
  const last = (field: string) => field.slice(field.lastIndexOf('.') + 1);
  const word = name.includes('.') ? undefined : nearestName(name, known.map(last));
  const ending = known.filter((each) => last(each) === word);
  const meant =
    ending.length > 1
      ? `; did you mean one of ${ending.join(', ')}?`
      : ending.length === 1
        ? `; did you mean "${ending[0]!}"?`
        : didYouMean(name, known);
  return `This list cannot be filtered by ${quoted(name, 60)}${meant === '' ? `; possible fields: ${known.join(', ')}.` : meant}`;
}

const exampleOf: Readonly<Record<FieldType, string>> = {
  TEXT: 'ACTIVE',
  DECIMAL: '1500.00',
  TIMESTAMP: '2026-11-21T14:00:00Z',
  BOOLEAN: 'true',
};

export function allOf<R>(parts: readonly Predicate<R>[]): Predicate<R> {
  return (item) => {
    for (const holds of parts) if (!holds(item)) return false;
    return true;
  };
}

function anyOf<R>(parts: readonly Predicate<R>[]): Predicate<R> {
  return (item) => {
    for (const holds of parts) if (holds(item)) return true;
    return false;
  };
}
