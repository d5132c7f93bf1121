import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { OperationEventSchema } from '../../contract/public/events.js';
import { Decimal } from '../../domain/money.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds } from '../../testing/withdrawals.js';
import { balance, lastPostings, operationIn, quoteIn, request } from '../../testing/money.js';
import { inLength } from '../../testing/long-run.js';

const harness = useHarness();

const period = { periodStart: '2026-11-21T12:00:00Z', periodEnd: '2026-11-22T12:00:00Z' };

async function inflows(world: string, asset: string) {
  const { body } = await harness.api('GET', `/api/reports?${new URLSearchParams(period).toString()}`, {}, world);
  return (body.totals as { asset: string; inflows?: { sum: { value: string } } }[]).find((each) => each.asset === asset)?.inflows?.sum
    .value;
}

async function deposit(world: string, sourceAsset: string, targetAsset: string, sourceAmount: string, rail: string): Promise<string> {
  const { accountId } = fixtureIds(harness, world);
  const { id: quoteId } = await quoteIn(harness, world, { accountId, sourceAsset, targetAsset, sourceAmount });
  const answer = await request(harness, world, 'deposit', { accountId, quoteId, fundingInstruction: { rail } });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

async function payAndComplete(world: string, id: string, amount: string) {
  const paid = await harness.control('POST', `/operations/${id}/pay`, { amount }, world);
  expect(paid.body.currentState).toMatchObject({ status: 'ON_HOLD', reason: { code: 'AMOUNT_MISMATCH' } });
  await harness.control('POST', `/operations/${id}/complete`, undefined, world);
  return operationIn(harness, world, id);
}

const fees = [
  { type: 'PERCENTAGE', percentage: '0.01', source: 'PLATFORM' },
  { type: 'ABSOLUTE', amount: { value: '1.50', asset: 'BRL' }, source: 'RAIL' },
];

it.each([
  ['60.00', '57.90', '0.60'],
  ['140.00', '137.10', '1.40'],
])(
  'a payment of %s instead of 100.00 credits %s in ledger, report and webhook, with fees for the paid amount',
  async (amount, credited, share) => {
    const world = await harness.world(`paid-${amount.slice(0, 2)}`, { scenario: 'manual' });
    await harness.control('PUT', '/settings', { fees }, world);
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const { accountId } = fixtureIds(harness, world);
    const before = new Decimal(balance(harness, world, `customer:${accountId}`, 'BRL')!);
    const id = await deposit(world, 'BRL', 'BRL', '100.00', 'PIX_KEY');
    harness.attempts.length = 0;
    const operation = await payAndComplete(world, id, amount);
    expect(operation).toMatchObject({
      currentState: { status: 'COMPLETED' },
      sourceAmount: { value: amount },
      targetAmount: { value: credited },
      fees: [{ amount: { value: share } }, { amount: { value: '1.50' } }],
    });
    expect(new Decimal(balance(harness, world, `customer:${accountId}`, 'BRL')!).minus(before).toFixed(2)).toBe(credited);
    expect(lastPostings(harness, world)).toEqual([
      `rail:PIX_KEY BRL -${amount}`,
      `fees:PLATFORM BRL ${share}`,
      'fees:RAIL BRL 1.50',
      `customer:${accountId} BRL ${credited}`,
    ]);
    expect(await inflows(world, 'BRL')).toBe(credited);
    await harness.quiet(world);
    const payload = OperationEventSchema.parse(JSON.parse(harness.attempts.at(-1)!.body));
    expect(payload).toMatchObject({ sourceAmount: { value: amount }, destinationAmount: { value: credited }, fees: operation.fees });
  },
);

it('a payment that does not cover the fixed fees credits nothing, and these fees are not charged', async () => {
  const world = await harness.world('paid-crumb', { scenario: 'manual' });
  await harness.control('PUT', '/settings', { fees }, world);
  const operation = await payAndComplete(world, await deposit(world, 'BRL', 'BRL', '100.00', 'PIX_KEY'), '1.00');
  expect(operation).toMatchObject({ targetAmount: { value: '0.00' }, fees: [{ source: 'PLATFORM', amount: { value: '0.01' } }] });
});

it('a payment in another asset converts at the quoted rate, also after the rates have changed', async () => {
  const world = await harness.world('paid-converted', { scenario: 'manual' });
  await harness.control('PUT', '/settings', { rates: { 'USD/BRL': '5' }, spread: '0.01' }, world);
  const id = await deposit(world, 'USD', 'BRL', '100.00', 'WIRE');
  await harness.control('PUT', '/settings', { rates: { 'USD/BRL': '9' } }, world);
  const operation = await payAndComplete(world, id, '60.00');
  expect(operation).toMatchObject({
    targetAmount: { value: '297.00' },
    fees: [{ source: 'FX_SPREAD', amount: { value: '0.60', asset: 'USD' } }],
  });
  expect(await inflows(world, 'BRL')).toBe('297.00');
});

it('ledger and report agree for payments of any amount', async () => {
  const cents = fc.integer({ min: 1, max: 500_000 }).map((minor) => (minor / 100).toFixed(2));
  let count = 0;
  await fc.assert(
    fc.asyncProperty(cents, cents, fc.constantFrom('BRL', 'USD'), async (quoted, paid, asset) => {
      fc.pre(quoted !== paid && new Decimal(quoted).greaterThan(10));
      const world = await harness.world(`paid-any-${(count += 1)}`, { scenario: 'manual' });
      await harness.control('PUT', '/settings', { fees }, world);
      const { accountId } = fixtureIds(harness, world);
      const before = new Decimal(balance(harness, world, `customer:${accountId}`, 'BRL')!);
      const id = await deposit(world, asset, 'BRL', quoted, asset === 'BRL' ? 'TED' : 'WIRE');
      const operation = await payAndComplete(world, id, paid);
      const booked = new Decimal(balance(harness, world, `customer:${accountId}`, 'BRL')!).minus(before);
      expect(booked.toFixed(2)).toBe(operation.targetAmount.value);
      expect(await inflows(world, 'BRL')).toBe(operation.targetAmount.value);
      expect(balance(harness, world, `rail:${asset === 'BRL' ? 'TED' : 'WIRE'}`, asset)).toBeDefined();
      expect(operation.sourceAmount.value).toBe(paid);
      await harness.control('DELETE', `/worlds/${world}`);
    }),
    { numRuns: inLength(15, 300) },
  );
});

it('a payment that is worth nothing in the other asset has both sides of its conversion in the ledger', async () => {
  const world = await harness.world('paid-nothing', { scenario: 'manual' });
  const { accountId } = fixtureIds(harness, world);
  await payAndComplete(world, await deposit(world, 'PHP', 'BRL', '5000.00', 'SWIFT'), '0.01');
  expect(lastPostings(harness, world)).toEqual([
    'rail:SWIFT PHP -0.01',
    'fees:FX_SPREAD PHP 0.00',
    'fx PHP 0.01',
    'fx BRL 0.00',
    `customer:${accountId} BRL 0.00`,
  ]);
});
