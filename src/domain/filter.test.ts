import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from './errors.js';
import { filterLimits, parseFilter, type FilterFields } from './filter.js';
import type { FilterOperator } from './filter-condition.js';

const fields: FilterFields = {
  name: 'TEXT',
  amount: 'DECIMAL',
  at: 'TIMESTAMP',
  flag: 'BOOLEAN',
  'tags.key': 'TEXT',
  'states.status': 'TEXT',
};
const passes = (filter: string, item: unknown) => parseFilter(filter, fields)(item);

describe('a condition', () => {
  const item = {
    name: 'Aurora Comércio (Sul), Ltda; a|b \\ 1',
    amount: '10.50',
    at: '2026-11-21T12:00:00.000Z',
    flag: true,
    tags: [
      { key: 'segment', value: 'x' },
      { key: null, value: 'y' },
    ],
    states: [{ status: 'NEW' }, { status: 'ACTIVE' }, { status: 'CLOSED' }],
    none: null,
  };
  // §D5-operators §D5-types §D5-arrays §D5-escape §D5-null §D13-code-points
  it.each<[string, boolean]>([
    ['amount[eq]=10.5', true],
    ['amount[eq]=010.500', true],
    ['amount[gt]=9', true],
    ['amount[lt]=9', false],
    ['amount[in]=1|10.5|2', true],
    ['amount[nin]=1|10.5|2', false],
    ['at[eq]=2026-11-21T12:00:00Z', true],
    ['at[lte]=2026-11-21T12:00:00Z', true],
    ['at[gt]=2026-11-21T11:59:59.999Z', true],
    ['flag[eq]=true', true],
    ['flag[ne]=true', false],
    ['name[like]=COMÉRCIO', true],
    ['name[like]=\\(sul\\)\\, ltda\\; a\\|b \\\\ 1', true],
    ['name[text]=ltda aurora', true],
    ['name[text]=auror', false],
    ['name[gt]=Aurora', true],
    ['tags.key[eq]=segment', true],
    ['tags.key[eq]=null', true],
    ['tags.key[ne]=segment', false],
    ['tags.key[nin]=other|another', true],
    ['states.status[eq]=NEW', true],
    ['states.status[last]=NEW', false],
    ['states.status[last]=CLOSED', true],
    ['states.status[last_ne]=ACTIVE', true],
    ['and(amount[gt]=1,or(flag[eq]=false,name[like]=aurora))', true],
    ['amount[gt]=1;flag[eq]=false', false],
    ['and(flag[eq]=true)', true],
  ])('%s is %s', (filter, expected) => expect(passes(filter, item)).toBe(expected));

  // §D5-null
  it.each<[string, boolean]>([
    ['name[eq]=null', true],
    ['name[ne]=x', true],
    ['name[in]=x|null', true],
    ['amount[gt]=0', false],
    ['amount[lte]=0', false],
    ['name[like]=x', false],
    ['states.status[last]=null', true],
  ])('%s of what is absent is %s', (filter, expected) => expect(passes(filter, {})).toBe(expected));

  // §D13-code-points
  it('orders texts by code point', () => {
    expect(passes('name[gt]=\uFF5E', { name: '😀' })).toBe(true);
  });
});

describe('a wrong filter', () => {
  // §D5-position §D13-filter-position §D5-limits §D5-grammar
  it.each<[string, number, string]>([
    ['', 0, 'a field name, and( or or('],
    ['name', 4, '"["'],
    ['name[eq=a', 7, '"]"'],
    ['name[is]=a', 5, 'one of eq, ne, gt, gte, lt, lte, in, nin, like, text, last, last_ne'],
    ['name[eq]a', 8, '"="'],
    ['name[eq]=a;', 11, 'a field name, and( or or('],
    ['name[eq]=a,name[eq]=b', 10, '";" or the end'],
    ['and(name[eq]=a', 14, '"," or ")"'],
    ['and()', 4, 'a field name, and( or or('],
    ['and(name[eq]=a;name[eq]=b)', 14, '"," or ")"'],
    ['name[eq]=a)', 10, '";" or the end'],
    ['name[eq]=a|b', 10, '";" or the end'],
    ['name[eq]=a\\', 11, 'one of , ; | ( ) \\ after a backslash'],
    ['name[eq]=a\\x', 11, 'one of , ; | ( ) \\ after a backslash'],
    [' name[eq]=a', 0, 'a field name, and( or or('],
    ['or('.repeat(6) + 'name[eq]=a' + ')'.repeat(6), 15, 'at most 5 nested groups'],
    [Array.from({ length: 51 }, () => 'name[eq]=a').join(';'), 550, 'at most 50 conditions'],
    [`name[eq]=${'a'.repeat(1992)}`, 2000, 'at most 2000 characters'],
  ])('%j fails at %i', (filter, position, expected) => {
    expect(() => parseFilter(filter, fields)).toThrow(
      expect.objectContaining({ code: 'INVALID_FILTER_FORMAT', details: { position, expected } }) as Error,
    );
  });

  // §D5-fields
  it.each([
    ['unknown[eq]=1', 'unknown'],
    ['__proto__[eq]=1', '__proto__'],
    ['constructor[eq]=1', 'constructor'],
    ['amount[eq]=ten', 'amount'],
    ['amount[eq]=1e3', 'amount'],
    ['amount[eq]=', 'amount'],
    ['at[gt]=yesterday', 'at'],
    ['at[gt]=2026-11-21T12:00:00+01:00', 'at'],
    ['at[gt]=2026-13-41T12:00:00Z', 'at'],
    ['flag[eq]=yes', 'flag'],
    ['amount[like]=1', 'amount'],
  ])('%s names the field %s', (filter, field) => {
    expect(() => parseFilter(filter, fields)).toThrow(
      expect.objectContaining({ code: 'INVALID_FILTER_FORMAT', details: expect.objectContaining({ field }) }) as Error,
    );
  });

  it('of any kind is a refusal and never a fault', () => {
    const piece = fc.constantFrom(
      'and(',
      'or(',
      'name',
      'amount',
      '[',
      'eq',
      'in',
      ']',
      '=',
      'a',
      '1',
      ',',
      ';',
      '|',
      ')',
      '\\',
      'null',
      ' ',
      '.',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
          fc.string({ maxLength: 200 }),
        ),
        (filter) => {
          try {
            parseFilter(filter, fields)({});
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** The meaning of filters, written down a second time and as plainly as can be. */
type Expression =
  | { readonly group: 'and' | 'or' | ';'; readonly parts: readonly Expression[] }
  | { readonly field: string; readonly operator: FilterOperator; readonly values: readonly (string | null)[] };
interface Sample {
  readonly name: string | null;
  readonly amount: string | null;
  readonly at: string | null;
  readonly states: readonly { readonly status: string }[];
}

const escaped = (value: string | null) => (value === null ? 'null' : value.replaceAll(/[,;|()\\]/g, '\\$&'));
const textOf = (expression: Expression): string => {
  if ('field' in expression) return `${expression.field}[${expression.operator}]=${expression.values.map(escaped).join('|')}`;
  const parts = expression.parts.map(textOf);
  return expression.group === ';' ? parts.join(';') : `${expression.group}(${parts.join(',')})`;
};

const sign = (difference: bigint) => (difference < 0n ? -1 : difference > 0n ? 1 : 0);
/** A decimal in units of its thirtieth digit. */
const scaled = (value: string) => {
  const [whole = '', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.padEnd(30, '0'));
};
function compareCodePoints(a: string, b: string): number {
  const [left, right] = [Array.from(a, (each) => each.codePointAt(0)!), Array.from(b, (each) => each.codePointAt(0)!)];
  const index = left.findIndex((each, place) => each !== right[place]);
  return index < 0 ? Math.sign(left.length - right.length) : left[index]! < (right[index] ?? -1) ? -1 : 1;
}

function holds(expression: Expression, item: Sample): boolean {
  if ('group' in expression) {
    const answers = new Set(expression.parts.map((part) => holds(part, item)));
    return expression.group === 'or' ? answers.has(true) : !answers.has(false);
  }
  const { field, operator, values } = expression;
  const own = field === 'states.status' ? item.states.map(({ status }) => status) : [item[field as 'name' | 'amount' | 'at']];
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
      return own.some((each) => each !== null && each.toLowerCase().includes((given ?? '').toLowerCase()));
    case 'text':
      return own.some(
        (each) => each !== null && (given ?? '').split(' ').every((word) => word === '' || each.split(/[ ,;()|\\]/).includes(word)),
      );
    case 'last':
      return same(newest, given);
    case 'last_ne':
      return !same(newest, given);
  }
}

describe('any filter', () => {
  const texts = fc.constantFrom('a', 'b', 'ab', 'a b', 'b c', 'a,b', 'x;y', '(z)', 'p|q', '\\', '\u{1F600}', '\uFFFD', 'e\u0301');
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
  );
  const statuses = fc.constantFrom('NEW', 'OPEN', 'DONE');
  const plain = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'last', 'last_ne'] as const;
  const conditionOf = (field: string, value: fc.Arbitrary<string>, operators: readonly FilterOperator[]): fc.Arbitrary<Expression> =>
    fc
      .tuple(fc.constantFrom(...operators), fc.array(fc.option(value, { freq: 8 }), { minLength: 1, maxLength: 3 }))
      .map(([operator, values]) => ({ field, operator, values: operator === 'in' || operator === 'nin' ? values : values.slice(0, 1) }));
  const condition = fc.oneof(
    conditionOf('name', texts, plain),
    conditionOf('name', fc.constantFrom('a', 'b', 'a b'), ['like', 'text']).map((each) => ({
      ...each,
      values: ['values' in each ? (each.values[0] ?? 'a') : 'a'],
    })),
    conditionOf('amount', amounts, plain),
    conditionOf('at', instants, plain),
    conditionOf('states.status', statuses, plain),
  );
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
  const sample: fc.Arbitrary<Sample> = fc.record({
    name: fc.option(texts),
    amount: fc.option(amounts),
    at: fc.option(instants),
    states: fc.array(
      statuses.map((status) => ({ status })),
      { minLength: 1, maxLength: 4 },
    ),
  });

  // §D5-grammar §D5-operators §D5-arrays
  it('means what it plainly means', () => {
    fc.assert(
      fc.property(expression, fc.array(sample, { minLength: 1, maxLength: 5 }), (wanted, items) => {
        const text = textOf(wanted);
        fc.pre(text.length <= filterLimits.characters);
        const judge = parseFilter(text, fields);
        for (const item of items) expect(judge(item), text).toBe(holds(wanted, item));
      }),
      { numRuns: 2500 },
    );
  });
});

describe('the cost of a filter', () => {
  /** Reads of an item's fields, which is what judging it comes down to. */
  const reads = (filter: string, items: number): number => {
    let count = 0;
    const item = new Proxy(
      { name: 'a', amount: '1' },
      { getOwnPropertyDescriptor: (target, key) => ((count += 1), Reflect.getOwnPropertyDescriptor(target, key)) },
    );
    const judge = parseFilter(filter, fields);
    for (let index = 0; index < items; index += 1) judge(item);
    return count;
  };

  // §D5-linear
  it.each([
    [
      'all conditions false in an or',
      Array.from({ length: 50 }, () => 'name[eq]=b')
        .join(',')
        .replace(/^.*$/s, 'or($&)'),
    ],
    ['all conditions true', Array.from({ length: 50 }, () => 'amount[gte]=1').join(';')],
    ['one long value', `name[in]=${Array.from({ length: 990 }, () => 'b').join('|')}`],
  ])('grows with the items and no faster: %s', (_name, filter) => {
    expect(filter.length).toBeLessThanOrEqual(filterLimits.characters);
    const small = reads(filter, 100);
    // Each field of an item is read once, however many conditions there are on it.
    expect(small).toBe(100);
    expect(reads(filter, 10_000)).toBe(small * 100);
  });

  // §D5-linear
  it('of reading it grows with its length and no faster', () => {
    const worst = [
      (length: number) => '\\('.repeat(length / 2),
      (length: number) => 'a'.repeat(length),
      (length: number) => '|'.repeat(length),
    ];
    const steps = (text: string) => {
      let looked = 0;
      const counted = new Proxy(Object(text) as object, {
        get: (target, key) => {
          looked += 1;
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(text) : value;
        },
      }) as unknown as string;
      try {
        parseFilter(counted, fields);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
      }
      return looked;
    };
    for (const make of worst) {
      const prefix = 'name[in]=';
      expect(steps(prefix + make(1900)), prefix + make(8)).toBeLessThan(25 * (steps(prefix + make(190)) + 50));
      expect(steps(prefix + make(1900))).toBeLessThan(20 * 2000);
    }
  });
});
