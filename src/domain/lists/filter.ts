import { DomainError } from '../errors.js';
import { fieldAt, type FilterFields } from './fields.js';
import { addGroup, isTrue, newGroup, type Group } from '../filter-formula.js';
import { filterOperators, type FilterOperator, type FieldCondition } from '../filter-operators.js';
import { FieldJudge } from '../filter-judge.js';
import { fits, type FieldType } from './value.js';
import { KnownValues } from '../known-values.js';

export const filterLimits = { characters: 2000, conditions: 50, levels: 5 } as const;

/** Whether an item passes. */
export type Predicate<R> = (item: R) => boolean;

/** A filter that was read: given what is known of items, it tells which of some slots have one that passes. */
export type Filter<R> = (known: KnownValues<R>) => (slots: readonly number[]) => readonly number[];

/** A filter as a predicate; see {@link readFilter}. */
export function parseFilter<R>(expression: string, fields: FilterFields<R>): Predicate<R> {
  return predicateOf(readFilter(expression, fields));
}

function predicateOf<R>(filter: Filter<R>): Predicate<R> {
  let current: R;
  const slots = [0];
  const known = new KnownValues(() => current);
  const passing = filter(known);
  return (item) => {
    current = item;
    known.forget(0);
    return passing(slots).length > 0;
  };
}

/**
 * Reads a filter expression, in time linear in its length.
 * @throws DomainError INVALID_FILTER_FORMAT with the position (from 0) and what was expected there, or with the field at fault
 */
export function readFilter<R>(expression: string, fields: FilterFields<R>): Filter<R> {
  let at = 0;
  let count = 0;
  const conditions = new Map<string, FieldCondition[]>();

  function fail(position: number, expected: string): never {
    throw new DomainError('INVALID_FILTER_FORMAT', `The filter is wrong at position ${position}: expected ${expected}.`, {
      position,
      expected,
    });
  }
  function failField(field: string, message: string, facts: Record<string, unknown> = {}): never {
    throw new DomainError('INVALID_FILTER_FORMAT', message, { field, ...facts });
  }

  /** Reads groups with a mark between them. */
  function parseList(group: Group, mark: string, level: number): Group {
    parseInto(group, level);
    while (expression[at] === mark) {
      at += 1;
      parseInto(group, level);
    }
    return group;
  }

  function parseInto(outer: Group, level: number): void {
    for (const kind of ['and', 'or'] as const) {
      if (!expression.startsWith(`${kind}(`, at)) continue;
      if (level > filterLimits.levels) fail(at, `at most ${filterLimits.levels} nested groups`);
      at += kind.length + 1;
      addGroup(outer, parseList(newGroup(kind), ',', level + 1));
      if (expression[at] !== ')') fail(at, '"," or ")"');
      at += 1;
      return;
    }
    outer.conditions.add(parseCondition());
  }

  /** Reads a condition. @returns its number */
  function parseCondition(): number {
    const start = at;
    while (at < expression.length && /[A-Za-z0-9_.]/.test(expression[at]!)) at += 1;
    const field = expression.slice(start, at);
    if (field === '') fail(at, 'a field name, and( or or(');
    if (expression[at] !== '[') fail(at, '"["');
    const type = Object.hasOwn(fields, field) ? fields[field]?.type : undefined;
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
    if (count >= filterLimits.conditions) fail(start, `at most ${filterLimits.conditions} conditions`);
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
    const number = count;
    count += 1;
    conditions.set(field, [...(conditions.get(field) ?? []), { number, operator, operands }]);
    return number;
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
  const formula = parseList(newGroup('and'), ';', 1);
  if (at < expression.length) fail(at, '";" or the end');
  return filterBy(formula, (known) => Array.from(conditions, ([field, own]) => new FieldJudge(known.column(fields[field]!), own)));
}

function filterBy<R>(formula: Group, judgesOf: (known: KnownValues<R>) => readonly FieldJudge<R>[]): Filter<R> {
  return (known) => {
    const judges = judgesOf(known);
    return (slots) => {
      const held = new Int32Array(slots.length * 2);
      for (const each of judges) each.judge(slots, held);
      return slots.filter((_, index) => isTrue(formula, held[index * 2]!, held[index * 2 + 1]!));
    };
  };
}

/**
 * One condition as a predicate on items of which nothing is known; see {@link FieldJudge}.
 * @param operands one value, or several for `in` and `nin`; null is the null value
 */
export function condition(
  path: string,
  type: FieldType,
  operator: FilterOperator,
  operands: readonly (string | null)[],
): Predicate<unknown> {
  const formula = newGroup('and');
  formula.conditions.add(0);
  const only = { number: 0, operator, operands };
  return predicateOf(filterBy(formula, (known) => [new FieldJudge(known.column(fieldAt(path, type)), [only])]));
}
