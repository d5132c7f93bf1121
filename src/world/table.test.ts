import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageQuery } from '../contract/shared/paging.js';
import { text, type FilterFields } from '../domain/lists/fields.js';
import { listingOf, pageOf } from '../domain/lists/page.js';
import { runSync } from '../domain/interruptible.js';
import { bareWorld } from '../testing/storage.js';
import { runWithPauses } from '../testing/work.js';
import type { JobRecord } from './rows.js';
import { Table } from './table.js';
import { applyChanges, type Change } from './state.js';
import type { Tables } from './tables.js';
import { noServices } from '../testing/services.js';
import { UnitOfWork } from './unit-of-work.js';

const instant = fc.integer({ min: 0, max: 3 }).map((ms) => new Date(ms).toISOString());
const id = fc.integer({ min: 0, max: 12 }).map(String);

test('jobs are sorted by due time, then order, after any puts, changes and deletions', () => {
  const change = fc.record({ id, dueAt: instant, isGone: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const { jobs } = bareWorld('w');
      const plain = new Map<string, JobRecord>();
      for (const each of changes) {
        const job: JobRecord = { id: each.id, dueAt: each.dueAt, order: Number(each.id), verb: 'step', subject: '' };
        for (const rows of [jobs, plain]) {
          if (each.isGone) rows.delete(each.id);
          else rows.set(each.id, job);
        }
      }
      const sorted = [...plain.values()].toSorted((a, b) => (a.dueAt === b.dueAt ? a.order - b.order : a.dueAt < b.dueAt ? -1 : 1));
      expect([...jobs.walk('due')]).toEqual(sorted);
      expect([...jobs.walk('due', '', -1)]).toEqual(sorted.toReversed());
    }),
  );
});

test.each([1, -1] as const)('a walk through an index in direction %i includes a key equal to the prefix', (direction) => {
  const table = new Table<{ id: string; keys: string[] }>({ key: (row) => row.keys });
  for (const key of ['a', 'b', 'bb', 'c']) table.set(key, { id: key, keys: [key] });
  const found = [...table.walk('key', 'b', direction)].map((row) => row.id);
  expect(direction === 1 ? found : found.toReversed()).toEqual(['b', 'bb']);
});

test('a walk through an index continues at its position after puts, changes and deletions of rows', () => {
  const letter = fc.constantFrom('a', 'b', 'c');
  const change = fc.record({ id, letter, isGone: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 80 }),
      fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 40 }),
      fc.constantFrom('', 'b'),
      fc.constantFrom(1 as const, -1 as const),
      (before, meanwhile, prefix, direction) => {
        const table = new Table<{ id: string; key: string }>({ key: ({ key }) => [key] });
        const keys = new Map<string, string>();
        const apply = (changes: typeof before) => {
          for (const each of changes) {
            const key = `${each.letter} ${each.id}`;
            if (each.isGone) keys.delete(each.id);
            else keys.set(each.id, key);
            if (each.isGone) table.delete(each.id);
            else table.set(each.id, { id: each.id, key });
          }
        };
        apply(before);
        let met: string | undefined;
        const nextKey = () => {
          const sorted = [...keys.values()].filter((key) => key.startsWith(prefix)).toSorted();
          if (direction === -1) sorted.reverse();
          return sorted.find((key) => met === undefined || (direction === 1 ? key > met : key < met));
        };
        for (const row of table.walk('key', prefix, direction)) {
          expect(row.key).toBe(nextKey());
          met = row.key;
          apply(meanwhile.shift() ?? []);
        }
        expect(nextKey()).toBe(undefined);
      },
    ),
  );
});

const fields: FilterFields<Tables['quotes']> = { id: text((row) => row.id) };
const quoteOf = (seq: number, createdAt: string) => ({ id: `q${seq}`, seq, createdAt }) as Tables['quotes'];

test('the pages of an index together contain the whole list, in both directions', () => {
  fc.assert(
    fc.property(
      fc.array(instant, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('ASCENDING' as const, 'DESCENDING' as const),
      fc.constantFrom(undefined, 'id[ne]=q2'),
      (instants, limit, sortOrder, filters) => {
        const state = bareWorld('w');
        for (const [seq, createdAt] of instants.entries()) state.quotes.set(`q${seq}`, quoteOf(seq, createdAt));
        const uow = new UnitOfWork(state, 0, 'read', noServices);
        let query = { limit, sortOrder, filters } as PageQuery;
        const seen: string[] = [];
        for (const direction of ['NEXT', 'PREVIOUS'] as const) {
          for (let cursor: string | null = query.cursor ?? ''; cursor !== null;) {
            query = { limit, sortOrder, filters, direction, ...(cursor === '' ? {} : { cursor }) };
            const pageFrom = (items: Parameters<typeof pageOf<Tables['quotes'], { id: string }>>[0]) =>
              pageOf(items, query, 'w', fields, (row) => ({ id: row.id }));
            const indexed = runSync(pageFrom(uow.list('quotes')));
            expect(indexed).toEqual(runSync(pageFrom(listingOf(state.quotes.values(), (row) => row))));
            expect(indexed).toEqual(runWithPauses(pageFrom(uow.list('quotes'))));
            seen.push(...indexed.data.map((each) => each.id));
            cursor = direction === 'NEXT' ? indexed.meta.nextCursor : indexed.meta.previousCursor;
          }
        }
        expect(new Set(seen).size).toBe(instants.length - (filters && instants.length > 2 ? 1 : 0));
      },
    ),
  );
});

test('a unit of work finds rows by an index, including rows that it changed', () => {
  const state = bareWorld('w');
  const log = (name: string, subscriptionId: string) =>
    ({ id: name, subscriptionId, eventType: 'ASSET_ACTIVATED', createdAt: '2026-11-21T12:00:00.000Z', seq: 1 }) as Tables['executionLogs'];
  const put = (row: Tables['executionLogs']): Change => ({ table: 'executionLogs', id: row.id, row });
  const { undo } = applyChanges(state, [put(log('a', 's')), put(log('b', 's')), put(log('c', 't'))]);
  const uow = new UnitOfWork(state, 0, 'test', noServices);
  uow.delete('executionLogs', 'a');
  uow.put('executionLogs', log('b', 't'));
  uow.put('executionLogs', log('d', 's'));
  const found = (subscriptionId: string) => [...uow.find('executionLogs', 'subscription', `${subscriptionId} `)].map((row) => row.id);
  expect([found('s'), found('t')]).toEqual([['d'], ['c', 'b']]);
  applyChanges(state, undo);
  expect([...state.executionLogs.walk('subscription')]).toEqual([]);
});

test('a page that is read with pauses contains each unchanged row once, although other rows change', () => {
  for (const sortOrder of ['ASCENDING', 'DESCENDING'] as const) {
    const state = bareWorld('w');
    const rows = Array.from({ length: 60 }, (_, seq) => quoteOf(seq, String(seq % 5)));
    for (const row of rows) state.quotes.set(row.id, row);
    const order = [...state.quotes.walk('list')].map((row) => row.id);
    if (sortOrder === 'DESCENDING') order.reverse();
    let at = 0;
    const meanwhile = () => {
      at += 1;
      state.quotes.delete(order.at(at % 2 === 0 ? at - 1 : -at)!);
      for (const end of ['0', '9']) {
        const row = quoteOf(1000 + state.quotes.size + at, end);
        state.quotes.set(row.id, row);
      }
    };
    const query: PageQuery = { limit: 100, sortOrder };
    const work = pageOf(new UnitOfWork(state, 0, 'read', noServices).list('quotes'), query, 'w', fields, (row) => row.id);
    const seen = runWithPauses(work, () => (at < 20 ? meanwhile() : undefined)).data;
    expect(new Set(seen).size).toBe(seen.length);
    const stayed = order.filter((each) => state.quotes.has(each));
    expect(stayed.length).toBe(40);
    expect(seen.filter((each) => stayed.includes(each))).toEqual(stayed);
  }
});

test('a filtered page contains the matching rows after puts, changes, deletions and undos', () => {
  const owner = fc.constantFrom('a', 'b', 'c');
  const step = fc.record({ kind: fc.constantFrom('put' as const, 'put' as const, 'delete' as const, 'undo' as const), id, owner });
  const owners: FilterFields<Tables['quotes']> = { ...fields, 'account.owner': text(({ account }) => account.owner) };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const state = bareWorld('w');
      const plain = new Map<string, string>();
      let undo: readonly Change[] = [];
      let undone: () => unknown = () => undefined;
      for (const { kind, ...each } of steps) {
        const before = plain.get(each.id);
        const row = { ...quoteOf(Number(each.id), '0'), id: each.id, account: { id: '', owner: each.owner } };
        if (kind === 'undo') {
          applyChanges(state, undo);
          undone();
          undo = [];
        } else ({ undo } = applyChanges(state, [{ table: 'quotes', id: each.id, row: kind === 'put' ? row : null }]));
        if (kind === 'delete') plain.delete(each.id);
        else if (kind !== 'undo') plain.set(each.id, each.owner);
        undone = kind === 'undo' ? () => undefined : () => (before === undefined ? plain.delete(each.id) : plain.set(each.id, before));

        const query: PageQuery = { limit: 100, sortOrder: 'ASCENDING', filters: 'or(account.owner[eq]=a,account.owner[like]=B)' };
        const page = runSync(pageOf(new UnitOfWork(state, 0, 'read', noServices).list('quotes'), query, 'w', owners, (found) => found.id));
        const passing = [...plain.keys()].filter((found) => plain.get(found) !== 'c');
        expect(page.data.toSorted()).toEqual(passing.toSorted());
      }
    }),
  );
});
