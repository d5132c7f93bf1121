import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdrawalBody } from '../../testing/withdrawals.js';
import { balance, lastPostings, operationIn, quoteIn, request } from '../../testing/money.js';

const harness = useHarness();
const fees = [
  { type: 'PERCENTAGE', percentage: '0.01', source: 'PLATFORM' },
  { type: 'ABSOLUTE', amount: { value: '2', asset: 'USD' }, source: 'RAIL' },
];

/** A world with 4 BRL per USD, and fees of 1 % and 2 USD. */
async function feeWorld(name: string) {
  const world = await harness.world(name);
  await harness.control('PUT', '/settings', { rates: { 'BRL/USD': '0.25' }, spread: '0', fees }, world);
  return { world, ...fixtureIds(harness, world) };
}

const settled = async (world: string, id: string) => {
  await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
  const operation = await operationIn(harness, world, id);
  expect(operation.currentState.status).toBe('COMPLETED');
  return operation;
};

// §D8-fees §D8-ledger
it('fees reduce the target amount of a quote, are shown in the operation, and are booked in their own asset', async () => {
  const { world, accountId, approved } = await feeWorld('fees-same-asset');
  const quote = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '100.00' });
  expect(quote).toMatchObject({ targetAmount: { value: '91.00' }, effectiveRate: { value: '0.91', base: 'BRL', quote: 'BRL' } });
  const created = await harness.api('POST', '/api/operations/withdrawal', { body: withdrawalBody(accountId, quote.id, approved) }, world);
  const operation = await settled(world, created.body.id);
  expect(operation.fees).toEqual([
    { type: 'PERCENTAGE', amount: { value: '1.00', asset: 'BRL', decimals: 2 }, source: 'PLATFORM', percentage: '0.0100' },
    { type: 'ABSOLUTE', amount: { value: '2.00', asset: 'USD', decimals: 2 }, source: 'RAIL' },
  ]);
  expect(operation.transactions).toMatchObject([{ amount: { value: '91.00' } }]);
  expect(lastPostings(harness, world)).toEqual([
    `customer:${accountId} BRL -100.00`,
    'fees:PLATFORM BRL 1.00',
    'fees:RAIL USD 2.00',
    'fx BRL 8.00',
    'fx USD -2.00',
    'rail:PIX_KEY BRL 91.00',
  ]);
  const back = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', targetAmount: '91.00' });
  expect([back.sourceAmount.value, back.effectiveRate.value]).toEqual(['100.00', '0.91']);
});

// §D8-fees
it('fees apply to swaps and deposits', async () => {
  const { world, accountId } = await feeWorld('fees-conversion');
  const swapped = await quoteIn(harness, world, { accountId, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '10.00' });
  expect(swapped).toMatchObject({ targetAmount: { value: '31.60' }, effectiveRate: { value: '3.16' } });
  const swap = await request(harness, world, 'swap', { accountId, quoteId: swapped.id });
  expect((await settled(world, swap.body.id)).fees.map(({ source }: { source: string }) => source)).toEqual([
    'FX_SPREAD',
    'PLATFORM',
    'RAIL',
  ]);

  const before = Number(balance(harness, world, `customer:${accountId}`, 'BRL'));
  const quoted = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', targetAmount: '91.00' });
  const deposit = await request(harness, world, 'deposit', { accountId, quoteId: quoted.id, fundingInstruction: { rail: 'TED' } });
  expect(await settled(world, deposit.body.id)).toMatchObject({ sourceAmount: { value: '100.00' }, targetAmount: { value: '91.00' } });
  expect(lastPostings(harness, world)).toContain('rail:TED BRL -100.00');
  expect(Number(balance(harness, world, `customer:${accountId}`, 'BRL')) - before).toBeCloseTo(91, 2);
});

// §2.2-transfer-amounts
it('a transfer has no fees', async () => {
  const { world, accountIds } = await feeWorld('fees-transfer');
  const [sourceAccountId, targetAccountId] = accountIds;
  const amount = { value: '10.00', asset: 'BRL' };
  const { body } = await request(harness, world, 'transfer', { sourceAccountId, targetAccountId, amount });
  expect(body).toMatchObject({ sourceAmount: amount, targetAmount: amount, fees: [], quote: { effectiveRate: { value: '1.00' } } });
});

// §D8-failed §D8-fees
it('a quote fails if its fees leave no amount', async () => {
  const { world, accountId } = await feeWorld('fees-beyond');
  for (const sourceAmount of ['8.00', '0.01']) {
    const body = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount };
    const answer = await harness.api('POST', '/api/quotes', { body }, world);
    expect(answer).toMatchObject({ status: 422, body: { code: 'QUOTE_CREATION_FAILED', details: { reason: 'FEES_EXCEED_AMOUNT' } } });
  }
});
