import { describe, expect, it } from 'vitest';
import { completeUnder, linesOf, readLedger, readOlder, totalsOf, type LedgerEntries, type LedgerEntry } from './ledger-entries.js';

const entry = (id: string, ...postings: [string, string, LedgerEntry['postings'][number]['asset']][]): LedgerEntry => ({
  id,
  at: '2026-01-01T00:00:00.000Z',
  operationId: null,
  causeId: 'control',
  postings: postings.map(([account, amount, asset]) => ({ account, amount, asset })),
});

const credit = entry('1', ['control', '-100.00', 'BRL'], ['customer:a', '100.00', 'BRL']);
const swap = entry('2', ['customer:a', '-54.00', 'BRL'], ['fx', '54.00', 'BRL'], ['fx', '-10.00', 'USD'], ['customer:a', '10.00', 'USD']);
const book = (older: string | null): LedgerEntries => ({ entries: [swap, credit], older });
const whole = book(null);
const none: LedgerEntries = { entries: [], older: null };

describe('the ledger', () => {
  it('shows the balance of the account after each posting, and the sum of each entry, newest entry first', () => {
    expect(linesOf(whole, completeUnder('')).map(({ account, asset, amount, balance }) => [account, amount, asset, balance])).toEqual([
      ['customer:a', '-54.00', 'BRL', '46.00'],
      ['fx', '54.00', 'BRL', '54.00'],
      ['fx', '-10.00', 'USD', '-10.00'],
      ['customer:a', '10.00', 'USD', '10.00'],
      [null, '0.00', 'BRL', null],
      [null, '0.00', 'USD', null],
      ['control', '-100.00', 'BRL', '-100.00'],
      ['customer:a', '100.00', 'BRL', '100.00'],
      [null, '0.00', 'BRL', null],
    ]);
  });

  it('shows no balances if older entries are not loaded', () => {
    expect(linesOf(book('b'), completeUnder('')).map(({ balance }) => balance)).toEqual(Array.from({ length: 9 }, () => null));
  });

  it.each([
    ['postings.account[eq]=fx', ['fx']],
    ['postings.asset[eq]=BRL', []],
    ['postings.account[eq]=fx;postings.asset[eq]=BRL', []],
  ])('shows, with the filter %s, only balances of accounts whose postings all match', (filter, accounts) => {
    const told = linesOf(whole, completeUnder(filter)).filter(({ balance }) => balance !== null);
    expect([...new Set(told.map(({ account }) => account))]).toEqual(accounts);
  });

  it('is read back to its beginning, and later only back to the newest known entry', async () => {
    const asked: string[] = [];
    const pages = (pagesByCursor: Record<string, [LedgerEntry[], string | null]>) => (cursor: string) => {
      asked.push(cursor);
      const [data, nextCursor] = pagesByCursor[cursor]!;
      return Promise.resolve({ data, meta: { nextCursor, previousCursor: null, total: data.length } });
    };
    const first = await readLedger(pages({ '': [[swap], 'a'], a: [[credit], null] }), none);
    expect(first).toEqual(whole);
    const later = entry('3');
    expect(await readLedger(pages({ '': [[later, swap], 'b'] }), first)).toEqual({ entries: [later, swap, credit], older: null });
    expect(await readLedger(pages({ '': [[entry('9')], null] }), first), 'after a reset').toEqual({ entries: [entry('9')], older: null });
    expect(asked).toEqual(['', 'a', '', '']);
  });

  it('is read further back in batches until the balances are known', async () => {
    const all = Array.from({ length: 12_000 }, (_, index) => entry(String(index), ['fx', '1.00', 'BRL']));
    const pageAt = (cursor: string) => {
      const from = Number(cursor);
      const nextCursor = from + 1000 < all.length ? String(from + 1000) : null;
      return Promise.resolve({ data: all.slice(from, from + 1000), meta: { nextCursor, previousCursor: null, total: 1000 } });
    };
    let read = await readLedger(pageAt, none);
    const lengths = [read.entries.length];
    while (read.older !== null) {
      read = await readOlder(pageAt, read);
      lengths.push(read.entries.length);
    }
    expect(lengths).toEqual([5000, 10_000, 12_000]);
    expect(linesOf(read, completeUnder(''))[0]!.balance).toBe('12000.00');
  });

  it('sums to zero in every asset', () => {
    expect(totalsOf(whole)).toEqual([
      ['BRL', '0.00'],
      ['USD', '0.00'],
    ]);
  });
});
