import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../errors.js';
import { parseFilter } from './filter.js';
import { fieldAt, type FilterFields } from './fields.js';
import type { FieldType } from './value.js';

const types: Record<string, FieldType> = {
  name: 'TEXT',
  amount: 'DECIMAL',
  at: 'TIMESTAMP',
  flag: 'BOOLEAN',
  'tags.key': 'TEXT',
  'states.status': 'TEXT',
};
const fields: FilterFields<unknown> = Object.fromEntries(Object.entries(types).map(([path, type]) => [path, fieldAt(path, type)]));
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
    ['name[like]=null', false],
    ['name[text]=null', false],
    ['name[like]=', true],
    ['name[text]=- \\,', true],
    ['or(name[like]=,name[like]=zz)', true],
    ['or(name[text]=,name[text]=zz)', true],
    ['or(name[text]=ltda x,name[text]=auror)', false],
    ['or(name[like]=urora c,name[like]=rora,name[like]=zz)', true],
    ['tags.key[last]=null', true],
    ['tags.key[last_ne]=segment', true],
    ['tags.key[in]=x|null', true],
    ['at[eq]=2026-11-21T12:00:00.0Z', true],
    ['at[eq]=2026-11-21T12:00:00.000999999Z', true],
    ['at[lt]=2026-12-31T23:59:59Z', true],
  ])('%s is %s for the sample item', (filter, expected) => expect(passes(filter, item)).toBe(expected));

  // §D5-null
  it.each<[string, boolean]>([
    ['name[eq]=null', true],
    ['name[ne]=x', true],
    ['name[in]=x|null', true],
    ['amount[gt]=0', false],
    ['amount[lte]=0', false],
    ['name[like]=x', false],
    ['states.status[last]=null', true],
    ['name[like]=', false],
    ['name[text]=', false],
    ['or(name[like]=,name[text]=)', false],
    ['name[like]=null', false],
    ['name[text]=null', false],
  ])('%s for an absent value is %s', (filter, expected) => expect(passes(filter, {})).toBe(expected));

  // §D5-null
  it.each<[string, boolean]>([
    ['name[like]=null', true],
    ['name[like]=nul', true],
    ['name[text]=null', true],
    ['name[text]=nul', false],
    ['name[eq]=null', false],
  ])('%s for a text with the word "null" is %s', (filter, expected) => expect(passes(filter, { name: 'Null Ltda' })).toBe(expected));

  // §D13-code-points
  it('compares strings by code point', () => {
    expect(passes('name[gt]=\uFF5E', { name: '😀' })).toBe(true);
    expect(passes('name[lt]=😀', { name: '\uFF5E' })).toBe(true);
    expect(passes('name[gt]=a', { name: '😀' })).toBe(true);
    expect(passes('name[gt]=\ud83d\uFFFD', { name: '\ud83d\ude00' })).toBe(true);
  });

  // §D13-code-points
  it.each([
    ['İstanbul', 'text', 'i\u0307stanbul', true],
    ['ΟΔΟΣ', 'text', 'οδος', true],
    ['ΟΔΟΣ', 'like', 'ΟΔΟΣ', true],
    ['ΟΔΟΣ', 'like', 'οδοσ', false],
    ['\u{10400}x', 'text', '\u{10428}x', true],
    ['a😀b', 'text', 'a', true],
    ['a\u{1D7D8}b', 'text', 'a', false],
    ['a\ud83db', 'text', 'b', true],
    ['São Paulo', 'text', 'PAULO SÃO', true],
    ['São Paulo', 'text', 'o', false],
    ['\u212Aelvin', 'like', 'KEL', true],
  ])('%j [%s] %j is %s, alone and next to other conditions', (name, operator, operand, expected) => {
    const one = `name[${operator}]=${operand}`;
    expect(passes(one, { name })).toBe(expected);
    expect(passes(`or(${one},name[${operator}]=no)`, { name })).toBe(expected);
  });
});

describe('an invalid filter', () => {
  // §D5-position §D13-filter-position §D5-limits §D5-grammar
  it.each<[string, number, string]>([
    ['', 0, 'a field name, and( or or('],
    ['name', 4, '"[" and an operator, for example [eq]'],
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
  ])('%j fails at position %i', (filter, position, expected) => {
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
    ['at[gt]=2026-02-30T12:00:00Z', 'at'],
    ['at[gt]=2026-11-20T24:00:00Z', 'at'],
    ['at[gt]=2026-11-21T23:59:60Z', 'at'],
    ['flag[eq]=yes', 'flag'],
    ['amount[like]=1', 'amount'],
  ])('%s causes an error that names the field %s', (filter, field) => {
    expect(() => parseFilter(filter, fields)).toThrow(
      expect.objectContaining({ code: 'INVALID_FILTER_FORMAT', details: expect.objectContaining({ field }) }) as Error,
    );
  });

  it('made of random parts never causes an internal error', () => {
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

describe('the cost of a filter', () => {
  it('includes only one read of a field for each item, even with many conditions on the field', () => {
    let reads = 0;
    const counted: FilterFields<object> = { at: { type: 'TIMESTAMP', read: () => ((reads += 1), '2026-11-21T12:00:00.000Z') } };
    const holds = parseFilter(Array(50).fill('at[gt]=2026-11-20T12:00:00Z').join(';'), counted);
    for (let item = 0; item < 3; item += 1) expect(holds({ item })).toBe(true);
    expect(reads).toBe(3);
  });

  // §D5-linear
  it('grows linearly with the length of the filter', () => {
    const worst = [
      (length: number) => '\\('.repeat(length / 2),
      (length: number) => 'a'.repeat(length),
      (length: number) => '|'.repeat(length),
    ];
    const steps = (spelled: string) => {
      let looked = 0;
      const counted = new Proxy(Object(spelled) as object, {
        get: (target, key) => {
          looked += 1;
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(spelled) : value;
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
