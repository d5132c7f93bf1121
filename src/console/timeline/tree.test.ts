import { describe, expect, it } from 'vitest';
import type { Item } from '../item.js';
import { summaryOfGroup, spanOfAll } from './groups.js';
import { foundBy, rowKey, rowsOf, type TreeSettings } from './tree.js';

let clock = 0;
const item = (kind: Item['kind'], id: string, more: Partial<Item> = {}): Item => {
  const at = new Date((clock += 1000)).toISOString();
  const nothing = { status: null, ms: null, resource: null, resourceId: null, causeId: null, generation: 1, test: null };
  return { kind, id, order: clock, at, realAt: at, summary: id, ...nothing, ...more };
};
/** Returns the request fields of an item with a delivered response. */
const facts = (method: string, path: string) => ({
  request: { method, path, operationId: null, code: null, outcome: 'DELIVERED' as const, replay: false, ruleId: null },
  summary: `${method} ${path}`,
});

const everything: TreeSettings = { kinds: 'all', failuresOnly: false, found: null, fold: true, isComplete: true };
const shown = (items: Item[], filter: Partial<TreeSettings> = {}, open: string[] = []) => {
  const closed = rowsOf(items, new Set(), { ...everything, ...filter });
  const unfolded = new Set(closed.filter((row) => open.includes(row.item.id)).map(rowKey));
  return rowsOf(items, unfolded, { ...everything, ...filter }).map(
    (row) => `${'  '.repeat(row.depth)}${row.item.summary}${row.times > 1 ? ` × ${row.times}` : ''}`,
  );
};

const call = item('REQUEST', 'req_1', { ...facts('POST', '/api/quotes'), status: '201' });
const state = item('STATE', 'op', { causeId: 'req_1', summary: 'OPERATION REQUESTED', status: 'REQUESTED' });
const due = item('DELIVERY', 'm1', { causeId: 'req_1', summary: 'event', status: 'DUE' });
const sent = item('ATTEMPT', 'a1', { causeId: 'delivery:m1', summary: 'attempt', status: '500' });
const failed = item('DELIVERY', 'm1', { causeId: 'delivery:m1', summary: 'event', status: 'FAILED' });
const read = (id: string) => item('REQUEST', id, { ...facts('GET', '/api/accounts'), status: '200' });

describe('the timeline', () => {
  it('shows the effects of a request below the request, even if they arrived first', () => {
    expect(shown([state, due, call, sent, failed], {}, ['req_1'])).toEqual([
      'POST /api/quotes',
      '  OPERATION REQUESTED',
      '  event',
      '    attempt',
    ]);
  });

  it('shows a delivery once, with its newest status', () => {
    const open = new Set(rowsOf([call, due, failed], new Set(), everything).map(rowKey));
    const rows = rowsOf([call, due, failed], open, everything);
    expect(rows.map(({ item: { kind, status } }) => [kind, status])).toEqual([
      ['REQUEST', '201'],
      ['DELIVERY', 'FAILED'],
    ]);
  });

  it('shows all effects of a step of a rule in one row for the step', () => {
    const rule = { scenario: 'default', name: 'settle', step: 2 };
    const of = { causeId: 'rule:default/settle#2', rule, resource: 'ACCOUNT', resourceId: 'acc', at: '2026-01-01T00:00:00.000Z' };
    const items = [item('STATE', 'acc', { ...of, summary: 'COMPLETED' }), item('LEDGER', 'l1', { ...of, summary: 'booked' })];
    expect(shown(items)).toEqual(['account acc, step 2 of "settle"']);
  });

  it('keeps items before and after a reset separate, although the same ids occur again', () => {
    const reset = item('WORLD', 'default', { status: 'RESET', summary: 'world default was reset' });
    const again = { ...call, order: (clock += 1000) };
    const items = [call, state, reset, again, item('STATE', 'op', { causeId: 'req_1', summary: 'OPERATION again' })];
    const open = new Set(rowsOf(items, new Set(), everything).map(rowKey));
    expect(rowsOf(items, open, everything).map((row) => row.item.summary)).toEqual([
      'POST /api/quotes',
      'OPERATION again',
      'world default was reset',
      'POST /api/quotes',
      'OPERATION REQUESTED',
    ]);
  });

  it('shows a state of the clock once until the state changes', () => {
    const told = ['runs', 'runs', 'stands', 'runs'].map((way, index) => item('CLOCK', `clock ${index}`, { summary: `the clock ${way}` }));
    expect(shown(told)).toEqual(['the clock runs', 'the clock stands', 'the clock runs']);
  });

  it('shows recorded attempts below their delivery, even if they arrived first', () => {
    const recorded = item('ATTEMPT', 'a1', { causeId: 'delivery:m1', summary: 'attempt', status: '500' });
    const rows = ['POST /api/quotes', '  event', '    attempt'];
    expect(shown([call, due, recorded], {}, ['req_1'])).toEqual(rows);
    expect(shown([call, recorded, due, failed], {}, ['req_1'])).toEqual(rows);
  });

  it('shows one group for each operation, from its request to its last webhook', () => {
    const about = { resource: 'OPERATION', resourceId: 'op-1' };
    const operation = {
      type: 'WITHDRAWAL' as const,
      source: { value: '1500.00', asset: 'BRL' },
      target: { value: '1500.00', asset: 'BRL' },
      payee: 'Acme',
    };
    const rule = { scenario: 'default', name: 'settle', step: 1 };
    const items = [
      item('REQUEST', 'req_9', { ...facts('POST', '/api/operations/withdrawal'), ...about, status: '201' }),
      item('STATE', 'op-1', { ...about, causeId: 'req_9', status: 'REQUESTED', operation }),
      call,
      item('STATE', 'op-1', { ...about, causeId: 'rule:default/settle#1', rule, status: 'COMPLETED', operation }),
      item('DELIVERY', 'm9', { ...about, causeId: 'rule:default/settle#1', rule, status: 'FAILED', summary: 'event' }),
      item('ATTEMPT', 'a9', { ...about, causeId: 'delivery:m9', status: '500', summary: 'attempt' }),
      item('REQUEST', 'req_10', { ...facts('GET', '/api/operations/op-1'), ...about, status: '200' }),
    ];
    const folded = rowsOf(items, new Set(), everything);
    expect(folded.map((row) => row.item.summary)).toEqual(['GET /api/operations/op-1', 'POST /api/quotes', 'operation op-1']);
    const head = folded[2]!;
    expect(summaryOfGroup(head.operationId!, head.within!())).toEqual({
      operationId: 'op-1',
      facts: operation,
      status: 'COMPLETED',
      problems: ['1 failed webhook'],
    });
    const open = rowsOf(items, new Set([rowKey(head)]), everything).slice(2);
    expect(open.map(({ item: { kind }, depth }) => [kind, depth])).toEqual([
      ['STATE', 0],
      ['REQUEST', 1],
      ['STATE', 2],
      ['RULE', 1],
      ['STATE', 2],
      ['DELIVERY', 2],
      ['ATTEMPT', 3],
    ]);
    expect(spanOfAll(head.within!(), 'world')).toEqual({ from: Date.parse(items[0]!.at), to: Date.parse(items[5]!.at) });
    // While older items are missing, the group has the same key and the known items; other items wait for their cause.
    const late = items.slice(3);
    const partial = rowsOf(late, new Set(), { ...everything, isComplete: false });
    expect(partial.map(rowKey)).toEqual([rowKey(folded[0]!), rowKey(head)]);
    expect(rowsOf([sent], new Set(), { ...everything, isComplete: false })).toEqual([]);
    expect(rowsOf(items, new Set(), { ...everything, found: new Set([foundBy(items[5]!)]) }).map(rowKey)).toEqual([rowKey(head)]);
  });

  it('folds consecutive reads of the same path, except with `fold: false`', () => {
    const items = [read('1'), read('2'), call, read('3')];
    expect(shown(items)).toEqual(['GET /api/accounts', 'POST /api/quotes', 'GET /api/accounts × 2']);
    expect(shown(items, { fold: false })).toHaveLength(4);
  });

  it('folds consecutive reads with the same error among failures, so that they do not hide other failures', () => {
    const missing = (id: string, code: string): Item => ({
      ...read(id),
      summary: `GET /api/quotes/${id} (${code})`,
      status: '404',
      request: { ...read(id).request!, code },
    });
    const found = item('FINDING', 'F1', { causeId: '5', summary: 'a finding' });
    expect(shown([missing('5', 'A'), found, missing('6', 'A')], { failuresOnly: true })).toHaveLength(2);
    expect(shown([missing('7', 'A'), missing('8', 'A')])).toHaveLength(2);
    const items = [failed, missing('1', 'A'), read('2'), missing('3', 'A'), missing('4', 'B')];
    expect(shown(items, { failuresOnly: true }).slice(0, 2)).toEqual(['GET /api/quotes/4 (B)', 'GET /api/quotes/3 (A) × 2']);
    expect(shown(items, { failuresOnly: true, fold: false })).toHaveLength(4);
  });

  const list = read('1');
  it.each<[Partial<TreeSettings>, string[]]>([
    [{ found: new Set([foundBy(failed)]) }, ['POST /api/quotes']],
    [{ failuresOnly: true }, ['POST /api/quotes']],
    [{ kinds: 'webhooks' }, ['POST /api/quotes']],
    [{ kinds: 'jobs' }, []],
    [{ found: new Set([foundBy(list)]) }, ['GET /api/accounts']],
    [{ found: new Set([foundBy(sent)]) }, ['POST /api/quotes']],
    [{ found: new Set() }, []],
  ])('shows a top-level row if the filter matches the row or one of its effects: %j', (filter, expected) => {
    expect(shown([call, state, due, sent, failed, list], filter)).toEqual(expected);
  });
});
