import { afterEach, describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { summaryOf, reconcileScene } from '../../testing/reconcile.js';

const harness = useHarness();
afterEach(() => {
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
});

const open = { open: ['REQUESTED', 'PROCESSING', 'ON_HOLD', 'ACTION_REQUIRED'] };
const fault = (world: string, effect: object, more: object = {}) =>
  harness.control('POST', '/faults', { on: 'DELIVERY', when: { eventType: 'OPERATION_COMPLETED' }, effect, ...more }, world);

describe('the suspected cause of a difference', () => {
  it('is ACKNOWLEDGED_NOT_APPLIED if the client accepted the webhook, with the delivery as evidence', async () => {
    harness.receive = () => Promise.resolve({ httpStatus: 204, error: null });
    const { world, payOut, advance, reconcile } = await reconcileScene(harness);
    const { id } = await payOut();
    await advance();
    const { first, verdict } = await reconcile({ operations: [{ ref: 'pay_17', id, status: 'sent' }], statuses: { sent: ['REQUESTED'] } });
    expect(verdict).toBe('DIFFERENT');
    expect(summaryOf(first)).toEqual(['operations', 'WRONG_STATUS', null, id, 'ACKNOWLEDGED_NOT_APPLIED']);
    expect(first).toMatchObject({ expected: 'COMPLETED', found: 'sent', ref: 'pay_17', money: { value: '27.903399', asset: 'USDT' } });
    const { data } = (await harness.control('GET', '/deliveries', undefined, world)).body as { data: { id: string; status: string }[] };
    expect(data.find((each) => each.id === first!.evidence!.id)).toMatchObject({ status: 'SUCCESS', eventType: 'OPERATION_COMPLETED' });
    expect(first!.evidence).toMatchObject({ kind: 'WEBHOOK', status: 204 });
    expect(first!.because).toEqual([
      'rule "operations settle", step 2',
      expect.stringMatching(/^POST \/api\/operations\/withdrawal \(req_.*, key [0-9a-f-]{36}\)$/) as string,
    ]);
  });

  it('is READ_NOT_APPLIED if the client received the status in a complete response, but its records lack it', async () => {
    const { world, payOut, advance, reconcile } = await reconcileScene(harness, {}, false);
    const { id } = await payOut();
    await advance();
    const answer = await harness.api('GET', `/api/operations/${id}`, {}, world);
    const { first } = await reconcile({ operations: [{ id, status: 'REQUESTED' }] });
    expect(summaryOf(first)).toEqual(['operations', 'WRONG_STATUS', null, id, 'READ_NOT_APPLIED']);
    expect(first!.evidence).toMatchObject({ kind: 'READ', id: answer.headers.get('x-request-id'), status: 200 });
  });

  it('is MISSED_AND_NOT_READ if every attempt failed and the client did not read the operation', async () => {
    const { world, payOut, advance, reconcile } = await reconcileScene(harness);
    await fault(world, { drop: true });
    const { id } = await payOut();
    await advance({ untilIdle: true });
    const { first, verdict } = await reconcile({ operations: [{ id, status: 'sent' }], statuses: { sent: open.open } });
    expect(verdict).toBe('DIFFERENT');
    expect(summaryOf(first)).toEqual(['operations', 'WRONG_STATUS', null, id, 'MISSED_AND_NOT_READ']);
    expect(first!.evidence).toMatchObject({ kind: 'WEBHOOK' });
  });

  it('is MISSED_AND_NOT_READ if the client neither subscribed to the operation nor read it', async () => {
    const { payOut, advance, reconcile } = await reconcileScene(harness, {}, false);
    const { id } = await payOut();
    await advance();
    const { first } = await reconcile({ operations: [{ id, status: 'REQUESTED' }] });
    expect(summaryOf(first)).toEqual(['operations', 'WRONG_STATUS', null, id, 'MISSED_AND_NOT_READ']);
    expect(first!.evidence).toBeNull();
  });

  it.each([
    ['an effect delays the webhook', (world: string) => fault(world, { delay: '1h' })],
    ['a retry is scheduled', (world: string) => fault(world, { drop: true }, { times: 1 })],
  ])('is NOT_YET_NOTIFIED, with the verdict PENDING, if %s', async (_name, hold) => {
    const { world, accountId, payOut, advance, reconcile, records } = await reconcileScene(harness);
    const before = records();
    await hold(world);
    const { id } = await payOut();
    await advance({ by: 'PT4S' });
    const balances = before.balances.filter(({ account, asset }) => account === accountId && asset === 'USDT');
    const result = await reconcile({
      operations: [{ id, status: 'REQUESTED' }],
      entries: [],
      balances,
      complete: ['operations', 'entries'],
    });
    expect(result).toMatchObject({ verdict: 'PENDING', first: null, differences: [], matched: 0 });
    expect(result.pending.map(summaryOf)).toEqual([
      ['operations', 'WRONG_STATUS', null, id, 'NOT_YET_NOTIFIED'],
      ['entries', 'NOT_BOOKED', null, id, 'NOT_YET_NOTIFIED'],
    ]);
    expect(result.balances).toMatchObject([{ explained: '27.903399', unexplained: '0.000000' }]);
    await advance({ untilIdle: true });
    expect((await reconcile({ balances })).first).toMatchObject({ kind: 'NOT_BOOKED', suspect: 'ACKNOWLEDGED_NOT_APPLIED', operation: id });
  });

  it('is NOT_YET_NOTIFIED if the status causes no webhook and the client did not read the operation', async () => {
    const { payOut, advance, reconcile } = await reconcileScene(harness);
    const { id } = await payOut();
    await advance({ by: 'PT1.5S' });
    expect(await reconcile({ operations: [{ id, status: 'REQUESTED' }] })).toMatchObject({
      verdict: 'PENDING',
      pending: [{ expected: 'PROCESSING' }],
    });
  });

  it('is DUPLICATE_APPLIED if the client accepted the same message twice', async () => {
    const { world, payOut, advance, reconcile, records } = await reconcileScene(harness);
    await fault(world, { duplicate: 1 });
    const { id } = await payOut();
    await advance({ untilIdle: true });
    const { entries } = records();
    const own = entries.filter(({ operation }) => operation === id);
    const { first } = await reconcile({ entries: [...entries, ...own] });
    expect(summaryOf(first)).toEqual(['entries', 'BOOKED_TWICE', null, id, 'DUPLICATE_APPLIED']);
  });

  it('is PAID_TWICE, with the id of the finding, if the client repeated a payment with a new idempotency key after a lost response', async () => {
    const { world, transfer, advance, reconcile } = await reconcileScene(harness, {}, false);
    const effect = {
      on: 'REQUEST',
      when: { operationId: 'createTransfer' },
      phase: 'after_commit',
      times: 1,
      effect: { connectionReset: true },
    };
    await harness.control('POST', '/faults', effect, world);
    await transfer().catch(() => undefined);
    const { id } = await transfer();
    await advance();
    const { first } = await reconcile({ operations: [{ id, status: 'COMPLETED' }], complete: ['operations'] });
    const { data } = (await harness.control('GET', '/findings', undefined, world)).body as { data: { id: string; rule: string }[] };
    expect(first).toMatchObject({ kind: 'NOT_BOOKED', suspect: 'PAID_TWICE' });
    expect(first!.operation).not.toBe(id);
    expect(data.find((each) => each.id === first!.finding)).toMatchObject({ rule: 'payment.repeated' });
  });

  it('is BOOKED_BEFORE_OUTCOME if the records show a failed operation as completed', async () => {
    const { accountId, quote, payOut, advance, reconcile, records } = await reconcileScene(harness, {}, false);
    await quote('USDT', 'BRL', '1.000000');
    const { id } = await payOut('27.110000');
    await advance();
    const { balances } = records();
    const usdt = balances.find(({ account, asset }) => account === accountId && asset === 'USDT')!;
    const result = await reconcile({
      operations: [{ id, status: 'COMPLETED' }],
      entries: [{ operation: id, account: accountId, asset: 'USDT', value: '-27.110000' }],
      balances: [{ ...usdt, value: String(Number(usdt['value']) - 27.11) }],
    });
    expect(result.differences.map(summaryOf)).toEqual([
      ['operations', 'WRONG_STATUS', null, id, 'BOOKED_BEFORE_OUTCOME'],
      ['entries', 'WRONG_STATUS', null, id, 'BOOKED_BEFORE_OUTCOME'],
    ]);
    expect(result.balances).toMatchObject([{ explained: '-27.110000', explanations: [[{ kind: 'WRONG_STATUS', operation: id }]] }]);
  });

  it('is READ_NOT_APPLIED for a row whose request was rejected', async () => {
    const { accountId, world, reconcile } = await reconcileScene(harness);
    const key = crypto.randomUUID();
    const body = { accountId, quoteId: crypto.randomUUID() };
    await harness.api('POST', '/api/operations/swap', { body, key }, world);
    const { first } = await reconcile({ operations: [{ idempotencyKey: key, status: 'REQUESTED' }] });
    expect(first).toMatchObject({ kind: 'UNKNOWN_OPERATION', suspect: 'READ_NOT_APPLIED', evidence: { kind: 'READ', status: 404 } });
    expect((await reconcile({ operations: [{ idempotencyKey: key, status: 'rejected' }], statuses: { rejected: [] } })).verdict).toBe(
      'AGREED',
    );
  });
});

describe('deleted requests', () => {
  it('do not remove a difference, but its suspected cause is null if only a deleted request proves the cause', async () => {
    const { world, payOut, advance, reconcile } = await reconcileScene(harness, {}, false);
    const { id } = await payOut();
    await advance();
    await harness.api('GET', `/api/operations/${id}`, {}, world);
    await harness.control('DELETE', '/requests', undefined, world);
    expect(await reconcile({ operations: [{ id, status: 'REQUESTED' }] })).toMatchObject({
      verdict: 'DIFFERENT',
      evicted: true,
      first: { kind: 'WRONG_STATUS', suspect: null, evidence: null },
    });
  });

  it('make the verdict INCONCLUSIVE if only they show whether the client could know the new status', async () => {
    const { world, payOut, advance, reconcile } = await reconcileScene(harness);
    await fault(world, { delay: '1h' });
    const { id } = await payOut();
    await advance({ by: 'PT4S' });
    await harness.control('DELETE', '/requests', undefined, world);
    expect(await reconcile({ operations: [{ id, status: 'REQUESTED' }] })).toMatchObject({
      verdict: 'INCONCLUSIVE',
      evicted: true,
      pending: [],
    });
  });

  it('do not remove webhooks as evidence, because the world stores them', async () => {
    const { world, payOut, advance, reconcile } = await reconcileScene(harness);
    const { id } = await payOut();
    await advance();
    await harness.control('DELETE', '/requests', undefined, world);
    const result = await reconcile({ operations: [{ id, status: 'REQUESTED' }] });
    expect(result).toMatchObject({ evicted: false, first: { suspect: 'ACKNOWLEDGED_NOT_APPLIED' } });
  });
});

describe('a reconciliation as of an earlier time', () => {
  it('uses the state of the world at that time', async () => {
    const { payOut, advance, reconcile, records } = await reconcileScene(harness);
    const { id } = await payOut();
    await advance();
    const earlier = records();
    const asOf = '2026-11-21T12:00:15Z';
    await payOut('12.345678');
    await advance({ by: 'PT1H' });
    const complete = ['operations', 'entries'];
    expect(await reconcile({ ...earlier, complete, asOf })).toMatchObject({ verdict: 'DIFFERENT', first: { kind: 'NOT_BOOKED' } });
    expect(await reconcile({ ...earlier, complete, asOf: '2026-11-21T12:00:09Z' })).toMatchObject({ verdict: 'AGREED' });
    expect(await reconcile({ ...records(), asOf: '2026-11-21T12:00:11.500Z' })).toMatchObject({ verdict: 'DIFFERENT' });
    expect(await reconcile({ ...records(), complete, asOf })).toMatchObject({ verdict: 'AGREED' });
    const before = await reconcile({ operations: [{ id, status: 'REQUESTED' }], asOf: '2026-11-21T12:00:00.500Z' });
    expect(before).toMatchObject({ verdict: 'AGREED', matched: 1 });
  });
});

describe('rows without any id', () => {
  it('are matched by asset, amount and day; their differences make the verdict INCONCLUSIVE', async () => {
    const { payOut, advance, reconcile } = await reconcileScene(harness);
    const { id } = await payOut();
    await advance();
    const row = { status: 'COMPLETED', source: { value: '27.903399', asset: 'USDT' }, at: '2026-11-21T18:00:00Z' };
    expect(await reconcile({ operations: [row], complete: ['operations'] })).toMatchObject({ verdict: 'AGREED', matched: 1 });
    const stale = await reconcile({ operations: [{ ...row, status: 'REQUESTED' }] });
    expect(stale).toMatchObject({ verdict: 'INCONCLUSIVE', first: { operation: id, matchedBy: 'LIKENESS', kind: 'WRONG_STATUS' } });
    const late = await reconcile({ operations: [{ ...row, at: '2026-11-23T18:00:00Z' }] });
    expect(late).toMatchObject({ verdict: 'DIFFERENT', first: { kind: 'UNKNOWN_OPERATION', matchedBy: null } });
  });

  it('are not matched if two operations fit', async () => {
    const { transfer, advance, reconcile, accountId } = await reconcileScene(harness);
    await transfer();
    await transfer();
    await advance();
    const source = { value: '25.00', asset: 'BRL' };
    const operations = await reconcile({ operations: [{ source }, { source }], complete: ['operations'] });
    expect(operations.verdict).toBe('INCONCLUSIVE');
    const row = { account: accountId, asset: 'BRL', value: '-25.00' };
    expect((await reconcile({ entries: [row, row] })).verdict).toBe('INCONCLUSIVE');
  });
});
