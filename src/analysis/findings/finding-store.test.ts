import { beforeEach, describe, expect, it } from 'vitest';
import { FindingStore, maxFindings } from './finding-store.js';
import { keyReused } from './rules/idempotency/key-reused.js';

describe('the findings of a world', () => {
  let book: FindingStore;
  beforeEach(() => {
    book = new FindingStore({ test: () => 'now', redacted: (text) => text, onFound: () => undefined });
  });
  const report = (test = 'now') =>
    book.report(keyReused, { about: { operationId: 'createTransfer' }, test, at: '2026-11-21T12:00:00.000Z', evidence: [] });

  it('are stored up to a limit, and counted beyond it', () => {
    const last = Array.from({ length: maxFindings + 3 }, (_, index) => report(`test ${index}`)).at(-1)!;
    expect([book.list().length, book.omitted]).toEqual([maxFindings, 3]);
    last.retract();
    expect([book.list().length, book.omitted]).toEqual([maxFindings, 2]);
  });

  it('are deleted when all their evidence is retracted', () => {
    const [first, second] = [report(), report()];
    first.retract();
    expect(book.list().map(({ count }) => count)).toEqual([1]);
    second.retract();
    expect(book.list()).toEqual([]);
  });

  it('count as expected again when an expected one is retracted', () => {
    const expectation = book.expect(keyReused, 1);
    report().retract();
    expect(expectation.matched).toBe(0);
    report();
    expect(book.list().map(({ isExpected }) => isExpected)).toEqual([true]);
  });

  it('keep only the latest expectations up to a limit', () => {
    for (let count = 1; count <= 101; count += 1) book.expect(keyReused, count);
    expect(book.expectations().map(({ count }) => count)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2));
  });
});
