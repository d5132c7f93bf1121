import { beforeEach, describe, expect, it } from 'vitest';
import { FindingStore, maxFindings, mostSevere, summed, type StoredFindings } from './finding-store.js';
import { hostOf } from '../../../testing/finding-store-host.js';
import { minorUnits } from '../../../domain/money.js';
import type { Rule } from './rule.js';
import { lostResponseNewKey } from './rules/idempotency/lost-response-new-key.js';
import { keyReused } from './rules/idempotency/key-reused.js';

describe('the findings of a world', () => {
  let book: FindingStore;
  let retracted: string[] = [];
  beforeEach(() => {
    book = new FindingStore(
      hostOf(() => 'now', { isNegative: (test) => test === 'negative', onRetracted: ({ id }) => retracted.push(id) }),
    );
    retracted = [];
  });
  const report = (test = 'now') =>
    book.report(keyReused, { about: { operationId: 'createTransfer' }, test, at: '2026-11-21T12:00:00.000Z', evidence: [] });

  it('are stored up to a maximum, and only counted above it', () => {
    const last = Array.from({ length: maxFindings + 3 }, (_, index) => report(`test ${index}`)).at(-1)!;
    expect([book.list().length, book.omitted]).toEqual([maxFindings, 3]);
    last.retract();
    expect([book.list().length, book.omitted]).toEqual([maxFindings, 2]);
  });

  it('are deleted when all their detections are retracted', () => {
    const [first, second] = [report(), report()];
    first.retract();
    expect(book.list().map(({ count }) => count)).toEqual([1]);
    second.retract();
    expect(book.list()).toEqual([]);
  });

  it('can match an announcement again after the finding that matched it is retracted', () => {
    const expectation = book.expect(keyReused.id, 1);
    report().retract();
    expect(expectation.matched).toBe(0);
    report();
    expect(book.list().map(({ isExpected }) => isExpected)).toEqual([true]);
  });

  it('that match a pattern announced by a test are expected only in this run of the test', () => {
    book.expect('idempotency.*', 2);
    report('other');
    report('now');
    book.testBegan('now');
    report('now');
    expect(book.list().map(({ test, isExpected }) => [test, isExpected])).toEqual([
      ['other', false],
      ['now', true],
      ['now', false],
    ]);
  });

  it('of a negative test are marked and not logged', () => {
    report('negative');
    expect(book.list()).toMatchObject([{ isNegative: true, isLogged: false }]);
  });

  it('are reported as retracted once, when their last detection is retracted', () => {
    const [first, second] = [report(), report()];
    first.retract();
    expect(retracted).toEqual([]);
    second.retract();
    expect(retracted).toEqual(['F1']);
  });

  it('count the money of an operation once, for the most harmful rule, also after a reset', () => {
    const amounts = new Map([
      ['a', '5.00'],
      ['b', '7.00'],
    ]);
    const moneyOf = (id: string) => (amounts.has(id) ? [{ asset: 'BRL' as const, minor: minorUnits(amounts.get(id)!) }] : []);
    const store = new FindingStore(hostOf(() => null, { moneyOf }));
    const move = (rule: Rule, ...moved: string[]) =>
      store.report(rule, { about: { operationId: 'createTransfer' }, test: null, at: '2026-11-21T12:00:00.000Z', evidence: [], moved });
    move(keyReused, 'a');
    move(keyReused, 'a', 'b');
    move(lostResponseNewKey, 'b', 'c');
    const money = () => Array.from(store.money(), ([{ rule }, moved]) => [rule.id, moved.map(({ minor }) => minor)]);
    const expected = [
      ['idempotency.lost-response-new-key', [minorUnits('7.00')]],
      ['idempotency.key-reused', [minorUnits('5.00')]],
    ];
    expect(money()).toEqual(expected);
    amounts.clear(); // A reset empties the ledger.
    store.nextGeneration();
    expect(money()).toEqual(expected);
    amounts.set('c', '1.00');
    store.booked(['c']); // Another operation with this id, after the reset.
    expect(money()).toEqual(expected);
  });

  it('keep the money that moved, and that was meant to move, for the next node, which stores JSON', () => {
    const minor = minorUnits('5.00');
    const store = () => new FindingStore(hostOf(() => null, { moneyOf: () => [{ asset: 'BRL', minor }] }));
    const former = store();
    const detection = { about: { operationId: 'createTransfer' }, test: null, at: '2026-11-21T12:00:00.000Z', evidence: [] };
    former.report(keyReused, { ...detection, moved: ['a'], due: [{ asset: 'USD', minor }] });
    const next = store();
    next.restore(JSON.parse(JSON.stringify(former.stored())) as StoredFindings, () => keyReused);
    expect([...next.money().values()]).toEqual([...former.money().values()]);
    expect([...next.money().values()]).toEqual([
      [
        { asset: 'USD', minor },
        { asset: 'BRL', minor },
      ],
    ]);
  });

  it('keep their money in a short form for the next node, with the operations that can still fail', () => {
    const minor = minorUnits('5.00');
    const failed = new Set<string>();
    const store = () =>
      new FindingStore(hostOf(() => null, { moneyOf: (id) => (failed.has(id) ? [] : [{ asset: 'BRL' as const, minor }]) }));
    const former = store();
    const move = (rule: Rule, ...moved: string[]) =>
      former.report(rule, { about: { operationId: 'createTransfer' }, test: null, at: '2026-11-21T12:00:00.000Z', evidence: [], moved });
    move(keyReused, 'a', 'b', 'open');
    move(lostResponseNewKey, 'b', 'c', 'd');
    const reduced = summed(JSON.parse(JSON.stringify(former.stored())) as StoredFindings, (id) => id === 'open');
    expect(reduced.found.map(([, { moved, due }]) => [moved, due])).toEqual([
      [['open'], [['BRL', String(minor)]]],
      [[], [['BRL', String(3n * minor)]]],
    ]);
    expect(reduced.money.map(([key]) => key)).toEqual(['1 open']);
    const next = store();
    next.restore(reduced, (id) => [keyReused, lostResponseNewKey].find((rule) => rule.id === id));
    const sums = (each: FindingStore) => Array.from(each.money(), ([{ rule }, moved]) => [rule.id, ...moved]);
    expect(sums(next)).toEqual(sums(former));
    failed.add('open');
    for (const each of [former, next]) each.booked(['a', 'open']);
    expect(sums(next)).toEqual(sums(former));
    expect(sums(next).at(-1)).toEqual(['idempotency.key-reused', { asset: 'BRL', minor }]);
  });

  it('keep the most severe for the next node, oldest first, with their money; the others are omitted', () => {
    const store = new FindingStore(hostOf(() => null, { moneyOf: () => [{ asset: 'BRL' as const, minor: minorUnits('5.00') }] }));
    for (const [test, severity] of [
      ['a', 'WARNING'],
      ['b', 'ERROR'],
      ['c', 'WARNING'],
      ['d', 'ERROR'],
    ] as const)
      store.report(keyReused, {
        about: { operationId: null },
        test,
        at: '2026-11-21T12:00:00.000Z',
        evidence: [],
        severity,
        confidence: test === 'd' ? 'CERTAIN' : 'LIKELY',
        moved: [test],
      });
    const reduced = mostSevere(store.stored(), 3);
    expect([reduced.found.map(([, { test }]) => test), reduced.money.map(([key]) => key), reduced.omitted]).toEqual([
      ['a', 'b', 'd'],
      ['1 a', '1 b', '1 d'],
      1,
    ]);
  });

  it('have at most 100 announcements, the latest ones', () => {
    for (let count = 1; count <= 101; count += 1) book.expect(keyReused.id, count);
    expect(book.expectations().map(({ count }) => count)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2));
  });
});
