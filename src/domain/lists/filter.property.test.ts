import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inLength } from '../../testing/long-run.js';
import { filterLimits, parseFilter } from './filter.js';
import type { FilterOperator } from './condition.js';
import { decimal, fieldAt, text, timestamp, type FilterFields } from './fields.js';

/** A filter for a second, deliberately simple implementation, which the tests compare with the real one. */
type Expression =
  | { readonly group: 'and' | 'or' | ';'; readonly parts: readonly Expression[] }
  | { readonly field: string; readonly operator: FilterOperator; readonly values: readonly (string | null)[] };
interface Sample {
  readonly name: string | null;
  readonly amount: string | null;
  readonly at: string | null;
  readonly tags: readonly { readonly key: string | null }[];
  readonly states: readonly { readonly status: string }[];
}
/** The fields of a list. `byPath` reads the same fields by their paths. */
const declared: FilterFields<Sample> = {
  name: text(({ name }) => name),
  amount: decimal(({ amount }) => amount),
  at: timestamp(({ at }) => at),
  'tags.key': text(({ tags }) => tags.map(({ key }) => key)),
  'states.status': text(({ states }) => states.map(({ status }) => status)),
};

const byPath: FilterFields<unknown> = Object.fromEntries(Object.entries(declared).map(([path, { type }]) => [path, fieldAt(path, type)]));

const escaped = (value: string | null) => (value === null ? 'null' : value.replaceAll(/[,;|()\\]/g, '\\$&'));
const spell = (expression: Expression): string => {
  if ('field' in expression) return `${expression.field}[${expression.operator}]=${expression.values.map(escaped).join('|')}`;
  const parts = expression.parts.map(spell);
  return expression.group === ';' ? parts.join(';') : `${expression.group}(${parts.join(',')})`;
};

const sign = (difference: bigint) => (difference < 0n ? -1 : difference > 0n ? 1 : 0);
/** Converts a decimal to units of 1e-30. */
const scaled = (value: string) => {
  const [whole = '', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.padEnd(30, '0'));
};
function compareCodePoints(a: string, b: string): number {
  const [left, right] = [Array.from(a, (each) => each.codePointAt(0)!), Array.from(b, (each) => each.codePointAt(0)!)];
  const index = left.findIndex((each, place) => each !== right[place]);
  return index < 0 ? Math.sign(left.length - right.length) : left[index]! < (right[index] ?? -1) ? -1 : 1;
}

/** Splits a string into words, character by character. */
function wordsIn(value: string): Set<string> {
  let spaced = '';
  for (const point of value.toLowerCase()) spaced += /^[\p{L}\p{N}]$/u.test(point) ? point : ' ';
  return new Set(spaced.split(' ').filter((word) => word !== ''));
}

function valuesIn(item: Sample, field: string): (string | null)[] {
  if (field === 'states.status') return item.states.map(({ status }) => status);
  return field === 'tags.key' ? item.tags.map(({ key }) => key) : [item[field as 'name' | 'amount' | 'at']];
}

function holds(expression: Expression, item: Sample): boolean {
  if ('group' in expression) {
    const holdsHere = (part: Expression) => holds(part, item);
    return expression.group === 'or' ? expression.parts.some(holdsHere) : expression.parts.every(holdsHere);
  }
  const { field, operator } = expression;
  const composed = (each: string | null) => each?.normalize('NFC') ?? null;
  const values = expression.values.map(composed);
  const own = valuesIn(item, field).map(composed);
  const order = (a: string, b: string) => {
    if (field === 'amount') return sign(scaled(a) - scaled(b));
    return field === 'at' ? sign(BigInt(Date.parse(a) - Date.parse(b))) : compareCodePoints(a, b);
  };
  const same = (a: string | null, b: string | null) => (a === null || b === null ? a === b : order(a, b) === 0);
  const given = values[0] ?? null;
  const some = (allowed: readonly number[]) => own.some((each) => each !== null && given !== null && allowed.includes(order(each, given)));
  const newest = own.at(-1) ?? null;
  switch (operator) {
    case 'eq':
      return own.some((each) => same(each, given));
    case 'ne':
      return own.every((each) => !same(each, given));
    case 'in':
      return own.some((each) => values.some((value) => same(each, value)));
    case 'nin':
      return own.every((each) => values.every((value) => !same(each, value)));
    case 'gt':
      return some([1]);
    case 'gte':
      return some([0, 1]);
    case 'lt':
      return some([-1]);
    case 'lte':
      return some([-1, 0]);
    case 'like':
      return own.some((each) => each !== null && each.toLowerCase().includes((given ?? 'null').toLowerCase()));
    case 'text':
      return own.some((each) => each !== null && [...wordsIn(given ?? 'null')].every((word) => wordsIn(each).has(word)));
    case 'last':
      return same(newest, given);
    case 'last_ne':
      return !same(newest, given);
  }
}

describe('any filter', () => {
  /** Characters whose lower case is longer or depends on their neighbours, halves of surrogate pairs, and word separators. */
  const letters = [
    'a',
    'b',
    'A',
    'B',
    '1',
    'é',
    'É',
    'İ',
    'Σ',
    'σ',
    'ς',
    '\u{10400}',
    '\u{10428}',
    '\u{1F600}',
    '\uFFFD',
    '\u212A',
    'k',
    'e\u0301',
  ];
  const separators = [' ', ' ', '_', ',', ';', '(', ')', '|', '\\', '\u00A0', '\ud83d', '\ude00'];
  const from = (units: readonly string[], most: number) =>
    fc.array(fc.constantFrom(...units), { maxLength: most }).map((each) => each.join(''));
  // A small alphabet makes parts and words that overlap and share beginnings and endings.
  const words = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', 'é', 'É', 'NULL'), { maxLength: 4 }).map((each) => each.join(' '));
  const names = fc.oneof(
    words,
    from(['a', 'b'], 5),
    from(['a', 'b', 'B', ' '], 8),
    from(['É', 'é', 'Σ', 'σ', 'ς', ' '], 4),
    from([...letters, ...separators], 6),
  );
  const small = ['0', '1', '1.0', '1.50', '2', '-3', '10', '-0.00', '001', '0.1', '0.10', '1000000000000000.1', '1000000000000000.10'];
  const large = [
    '9007199254740992',
    '9007199254740993',
    '12345678901234567890',
    '12345678901234567890.1',
    '12345678901234567890.2',
    '012345678901234567890.10',
  ];
  const amounts = fc.constantFrom(...small, ...large, '-12345678901234567890.1');
  const instants = fc.constantFrom(
    '2026-11-21T12:00:00Z',
    '2026-11-21T12:00:00.000Z',
    '2026-11-21T12:00:00.001Z',
    '2025-11-21T12:00:00.5Z',
    '2026-03-02T12:00:00Z',
    '2026-11-21T00:00:00.000Z',
  );
  const statuses = fc.constantFrom('NEW', 'OPEN', 'DONE');
  const plain = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'last', 'last_ne'] as const;
  const conditionOf = (field: string, value: fc.Arbitrary<string>, operators: readonly FilterOperator[]): fc.Arbitrary<Expression> =>
    fc
      .tuple(fc.constantFrom(...operators), fc.array(fc.option(value, { freq: 8 }), { minLength: 1, maxLength: 3 }))
      .map(([operator, values]) => ({ field, operator, values: operator === 'in' || operator === 'nin' ? values : values.slice(0, 1) }));
  const onTexts = (field: string) => fc.oneof(conditionOf(field, names, plain), conditionOf(field, names, ['like', 'text']));
  const conditions = [
    onTexts('name'),
    onTexts('tags.key'),
    conditionOf('amount', amounts, plain),
    conditionOf('at', instants, plain),
    conditionOf('states.status', statuses, plain),
  ];
  const condition = fc.oneof(...conditions);
  const nested = (depth: number): fc.Arbitrary<Expression> =>
    depth === 0
      ? condition
      : fc.oneof(
          condition,
          fc.record({
            group: fc.constantFrom('and' as const, 'or' as const),
            parts: fc.array(nested(depth - 1), { minLength: 1, maxLength: 3 }),
          }),
        );
  const expression = fc.oneof(
    nested(3),
    fc.record({ group: fc.constant(';' as const), parts: fc.array(nested(2), { minLength: 1, maxLength: 3 }) }),
  );
  /** Many conditions on one field. */
  const crowded = fc.oneof(
    ...[...conditions, conditionOf('name', words, ['like', 'text'])].map((each) =>
      fc.record({
        group: fc.constantFrom('and' as const, 'or' as const),
        parts: fc.array(each, { minLength: 2, maxLength: filterLimits.conditions - 2, size: 'max' }),
      }),
    ),
  );
  const sample: fc.Arbitrary<Sample> = fc.record({
    name: fc.option(names),
    amount: fc.option(amounts),
    at: fc.option(instants),
    tags: fc.array(
      fc.option(names).map((key) => ({ key })),
      { maxLength: 3 },
    ),
    states: fc.array(
      statuses.map((status) => ({ status })),
      { minLength: 1, maxLength: 4 },
    ),
  });

  /** Returns each item for which the filter differs from the simple implementation. */
  const differences = (wanted: Expression, items: readonly Sample[]): string[] => {
    const filter = spell(wanted);
    fc.pre(filter.length <= filterLimits.characters);
    const wrong = [parseFilter(filter, declared), parseFilter(filter, byPath)].flatMap((passes) =>
      items.filter((item) => passes(item) !== holds(wanted, item)),
    );
    return wrong.map((item) => `${filter} of ${JSON.stringify(item)}`);
  };

  // §D5-grammar §D5-operators §D5-arrays
  it('matches the same items as a second, simple implementation', () => {
    const items = fc.array(sample, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(expression, items, (wanted, found) => {
        expect(differences(wanted, found)).toEqual([]);
      }),
      { numRuns: inLength(600, 2500) },
    );
  });

  // §D5-operators
  it('evaluates each of many conditions on one field correctly', () => {
    const items = fc.array(sample, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(crowded, items, (wanted, found) => {
        expect(differences(wanted, found)).toEqual([]);
        // This expression has the result of `part` alone, although it contains all other conditions.
        for (const part of wanted.parts) {
          const alone: Expression = { group: 'and', parts: [{ group: 'or', parts: [...wanted.parts, part] }, part] };
          expect(differences(alone, found)).toEqual([]);
        }
      }),
      { numRuns: inLength(50, 150) },
    );
  });
});
