import { expect, it } from 'vitest';
import { timelineFilters } from '../analysis/views/timeline-filters.js';
import { parseFilter } from '../domain/lists/filter.js';
import type { DomainError } from '../domain/errors.js';
import { invalidPart, filterOf, isFilter } from '../console/timeline/query.js';

it.each(['acme', '1,234.50 BRL', '2f1c', 'GET /api/accounts (INVALID_DATA)', 'a;b|c\\d', 'null'])(
  'a search for the words %s becomes a valid filter',
  (text) => {
    const filter = filterOf(text, { kind: 'STATE', show: 'calls/req_1', 'attempt.url': 'https://x.example/(1)' });
    expect(isFilter(text)).toBe(false);
    expect(() => parseFilter(filter, timelineFilters)).not.toThrow();
    expect(filter).toContain('kind[eq]=STATE');
  },
);

it('a search for a filter stays unchanged, and a search without words is empty', () => {
  expect(filterOf(' kind[eq]=STATE ', {})).toBe('kind[eq]=STATE');
  expect(filterOf(' ', { q: 'x' })).toBe('');
});

it.each([
  ['kind[eq]=STATE;status[is]=400', ['kind[eq]=STATE;status[', 'is]=400', '']],
  ['knd[eq]=STATE', ['', 'knd', '[eq]=STATE']],
  ['kind[eq]=STATE;ms[gt]=soon;id[like]=2f', ['kind[eq]=STATE;ms[gt]=', 'soon', ';id[like]=2f']],
  ['or(kind[eq]=STATE', ['or(kind[eq]=STATE', ' ', '']],
])('faultyPart returns the malformed part of %s', (text, parts) => {
  let details: Record<string, unknown> = {};
  try {
    parseFilter(text, timelineFilters);
  } catch (error) {
    ({ details = {} } = error as DomainError);
  }
  expect(invalidPart(text, details)).toEqual(parts);
});
