import { expect, test } from 'vitest';
import { CauseBook } from './record.js';

const call = (id: string) =>
  ({ id, kind: 'REQUEST', method: 'POST', path: '/api/quotes', status: 201, ruleId: null, idempotencyKey: null }) as const;

test.each([
  [3, ['c', 'd', 'e']],
  [5, ['a', 'b', 'c', 'd', 'e']],
  [0, []],
])('of five calls the last %d are remembered', (limit, remembered) => {
  const book = new CauseBook(limit);
  const ids = ['a', 'b', 'c', 'd', 'e'];
  for (const id of ids) book.exchange(null, call(id));
  expect(ids.filter((id) => book.get(id)?.id === id)).toEqual(remembered);
  expect(book.get('f')).toBeUndefined();
});
