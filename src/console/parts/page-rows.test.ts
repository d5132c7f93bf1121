import { expect, it } from 'vitest';
import { joinedRows, type Page } from './page-rows.js';

/** A page with the numbers from `newest` down to `oldest`. */
const page = (newest: number, oldest: number, nextCursor: string | null): Page<number> => ({
  data: Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index),
  meta: { nextCursor },
});
const keyOf = (row: number) => row;
const before = page(10, 8, 'after 8');
const loaded = { first: before, rows: [10, 9, 8, 7, 6, 5], next: 'after 5' };

it.each([
  ['adds the other pages to the first one', before, undefined, [10, 9, 8, 7, 6, 5], 'after 5'],
  ['drops the other pages if the first one was loaded again', page(12, 10, 'after 10'), undefined, [12, 11, 10], 'after 10'],
  ['keeps the rows that new ones pushed out of the first page', page(12, 10, 'after 10'), keyOf, [12, 11, 10, 9, 8, 7, 6, 5], 'after 5'],
  ['drops the other pages if a page or more of new rows is in between', page(14, 12, 'after 12'), keyOf, [14, 13, 12], 'after 12'],
  ['keeps no row if the list is empty', { data: [], meta: { nextCursor: null } }, keyOf, [], null],
])('joinedRows %s', (_what, first, key, rows, next) => {
  expect(joinedRows(first, loaded, key)).toMatchObject({ rows, next });
});
