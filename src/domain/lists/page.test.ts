import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageQuery } from '../../contract/shared/paging.js';
import { DomainError } from '../errors.js';
import { runWithPauses } from '../../testing/work.js';
import { text, type FilterFields } from './fields.js';
import { listingOf, pageOf, type SortKey, type Listing } from './page.js';
import { runSync } from '../interruptible.js';

interface Item extends SortKey {
  readonly kind: string;
}

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString();
const fields: FilterFields<Item> = { kind: text(({ kind }) => kind) };
const ask = (items: readonly Item[], query: Partial<PageQuery>) => {
  const work = () => pageOf(listOf(items), { limit: 10, sortOrder: 'DESCENDING', ...query }, 'test', fields, (item) => item);
  const page = runSync(work());
  expect(runWithPauses(work())).toEqual(page);
  return page;
};
const listOf = (items: readonly Item[]) => listingOf(items, (item) => item);
const seqs = (items: readonly Item[]) => items.map((item) => item.seq);

describe('a list', () => {
  const arbitrary = {
    // Few timestamps, so that many items share one.
    items: fc.array(fc.record({ second: fc.integer({ min: 0, max: 3 }), kind: fc.constantFrom('a', 'b') }), { maxLength: 25 }),
    limits: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
    sortOrder: fc.constantFrom('ASCENDING' as const, 'DESCENDING' as const),
    filters: fc.constantFrom(undefined, 'kind[eq]=a'),
    added: fc.array(fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }), { maxLength: 12 }),
  };

  // §D5-exactly-once §D5-limit-changes
  it('shows each existing item once per direction, with any limits, while items are added', () => {
    fc.assert(
      fc.property(fc.record(arbitrary), ({ items: raw, limits, sortOrder, filters, added }) => {
        const sorted = raw.toSorted((a, b) => a.second - b.second);
        const items: Item[] = sorted.map(({ second, kind }, index) => ({ createdAt: at(second), seq: index + 1, kind }));
        const older = items
          .filter((item) => filters === undefined || item.kind === 'a')
          .toSorted((a, b) => (sortOrder === 'ASCENDING' ? a.seq - b.seq : b.seq - a.seq));
        const query = { sortOrder, ...(filters === undefined ? {} : { filters }) };
        const known = new Set(seqs(older));
        let turn = 0;
        const step = (more: Partial<PageQuery>) => {
          const answer = ask(items, { ...query, limit: limits[turn % limits.length]!, ...more });
          for (const kind of added[turn] ?? []) items.push({ createdAt: at(4 + turn), seq: items.length + 1, kind });
          turn += 1;
          if (turn > 400) throw new Error('The list has no end.');
          expect(answer.meta.total).toBe(answer.data.length);
          return answer;
        };
        const forward: number[] = [];
        let last = step({});
        expect(last.meta.previousCursor).toBeNull();
        forward.push(...seqs(last.data));
        while (last.meta.nextCursor !== null) {
          last = step({ cursor: last.meta.nextCursor, ...(turn % 2 ? { direction: 'NEXT' as const } : {}) });
          forward.push(...seqs(last.data));
        }
        expect(forward.filter((seq) => known.has(seq))).toEqual(seqs(older));
        expect(new Set(forward).size).toBe(forward.length);

        const back = [...seqs(last.data)];
        while (last.meta.previousCursor !== null) {
          last = step({ cursor: last.meta.previousCursor, direction: 'PREVIOUS' });
          back.unshift(...seqs(last.data));
        }
        expect(back.filter((seq) => known.has(seq))).toEqual(seqs(older));
        expect(new Set(back).size).toBe(back.length);
      }),
      { numRuns: 300 },
    );
  });

  const items = Array.from({ length: 5 }, (_, index): Item => ({ createdAt: at(index), seq: index + 1, kind: 'a' }));

  // §D5-null-cursor
  it('has a next or previous cursor only if more items follow in that direction', () => {
    const all = ask(items, { limit: 5 });
    expect(all.meta).toEqual({ previousCursor: null, nextCursor: null, total: 5 });
    const first = ask(items, { limit: 2 });
    const second = ask(items, { limit: 3, cursor: first.meta.nextCursor! });
    expect([first.meta.previousCursor, second.meta.nextCursor]).toEqual([null, null]);
    expect(seqs(ask(items, { limit: 2, cursor: second.meta.previousCursor!, direction: 'PREVIOUS' }).data)).toEqual([5, 4]);
    expect(ask([], {}).meta).toEqual({ previousCursor: null, nextCursor: null, total: 0 });
  });

  // §D5-no-direction §D13-empty-cursor
  it('ignores an empty cursor, and a direction without a cursor', () => {
    expect(ask(items, { cursor: '', direction: 'PREVIOUS' })).toEqual(ask(items, {}));
  });

  // §D5-bound
  it.each<[string, (cursor: string) => Partial<PageQuery>]>([
    ['a different sort order', (cursor) => ({ cursor, sortOrder: 'ASCENDING' })],
    ['a different filter', (cursor) => ({ cursor, filters: 'kind[eq]=a' })],
    ['a changed character', (cursor) => ({ cursor: cursor.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')) })],
    ['an extra character', (cursor) => ({ cursor: `${cursor}A` })],
    ['nonsense', () => ({ cursor: 'nonsense' })],
    ['invalid base64', () => ({ cursor: '~~~' })],
  ])('rejects a cursor with %s', (_name, change) => {
    const cursor = ask(items, { limit: 2 }).meta.nextCursor!;
    expect(() => ask(items, change(cursor))).toThrow(DomainError);
    expect(() => ask(items, change(cursor))).toThrow(
      /^cursor: expected `nextCursor` or `previousCursor` of a page of this list with the same sort order and filters; got "/,
    );
  });

  it('rejects the cursor of a different list', () => {
    const cursor = ask(items, { limit: 2 }).meta.nextCursor!;
    const query: PageQuery = { limit: 2, sortOrder: 'DESCENDING', cursor };
    expect(() => runSync(pageOf(listOf(items), query, 'other', fields, (item) => item))).toThrow(
      /^cursor: expected `nextCursor` or `previousCursor` of a page of this list with the same sort order and filters; got "/,
    );
  });

  it('renders only the items of the page, no matter how many the filter scans', () => {
    const many: Item[] = Array.from({ length: 500 }, (_, seq) => ({ createdAt: at(0), seq, kind: seq % 100 === 0 ? 'a' : 'b' }));
    let shown = 0;
    const query: PageQuery = { limit: 3, sortOrder: 'ASCENDING', filters: 'kind[eq]=a' };
    const { data } = runSync(pageOf(listOf(many), query, 'test', fields, (item) => ((shown += 1), item)));
    expect([seqs(data), shown]).toEqual([[0, 100, 200], 3]);
  });

  it('stops reading after the first item beyond the page', () => {
    const many: Item[] = Array.from({ length: 500 }, (_, seq) => ({ createdAt: at(0), seq, kind: seq % 10 === 0 ? 'a' : 'b' }));
    let read = 0;
    const listing: Listing<Item> = {
      *walk(direction, from) {
        for (const item of listOf(many).walk(direction, from)) {
          read += 1;
          yield item;
        }
      },
      placeOf: (item) => item,
    };
    const query: PageQuery = { limit: 3, sortOrder: 'ASCENDING', filters: 'kind[eq]=a' };
    expect(seqs(runSync(pageOf(listing, query, 'test', fields, (item) => item)).data)).toEqual([0, 10, 20]);
    // One item beyond the page shows whether there is a next page.
    expect(read).toBe(31);
  });
});
