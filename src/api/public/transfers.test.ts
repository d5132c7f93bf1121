import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OperationEventSchema } from '../../contract/public/events.js';
import type { AccountRecord } from '../../domain/accounts/account.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds } from '../../testing/withdrawals.js';
import { alterAccount, balance, lastPostings, operationIn, quoteIn, request, statuses } from '../../testing/money.js';

const harness = useHarness();
const amount = { value: '1200.50', asset: 'BRL' };

/** Returns the changed field of an account that is closed directly, without the usual transitions. */
const inactive = ({ states }: AccountRecord) => ({ states: [...states, { ...states[0]!, status: 'CLOSED' as const }] });
const frozen = (asset: string) => (account: AccountRecord) => ({
  assets: account.assets.map((each) => (each.asset === asset ? { ...each, status: 'FROZEN' as const } : each)),
});

async function accountsOf(name: string) {
  const world = await harness.world(name);
  const [first = '', second = '', third = '', onboarding = ''] = fixtureIds(harness, world).accountIds;
  return { world, first, second, third, onboarding };
}

describe('a transfer', () => {
  // §2.2-transfer-amounts §2.2-transfer-quote §2.2-intent-transfer §D8-ledger
  it('moves the full amount from one account to another', async () => {
    const { world, first, second } = await accountsOf('transfer');
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const { status, body } = await request(harness, world, 'transfer', { sourceAccountId: first, targetAccountId: second, amount });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      account: { id: first, owner: 'Aurora Comércio Exterior Ltda' },
      sourceAmount: { value: '1200.50', asset: 'BRL', decimals: 2 },
      targetAmount: { value: '1200.50', asset: 'BRL', decimals: 2 },
      intent: { type: 'TRANSFER', targetAccount: { id: second, owner: 'Folha Certa Pagamentos SA' } },
      quote: { effectiveRate: { value: '1.00', base: 'BRL', quote: 'BRL' }, consumedAt: '2026-11-21T12:00:00.000Z' },
      fees: [],
      transactions: [],
      currentState: { status: 'REQUESTED' },
    });
    await harness.control('POST', '/clock/advance', { by: 'PT5S' }, world);
    const settled = await operationIn(harness, world, body.id);
    expect(statuses(settled)).toEqual(['REQUESTED', 'PROCESSING', 'COMPLETED']);
    expect(settled.transactions).toMatchObject([{ type: 'BOOK', direction: 'DEBIT', amount: { value: '1200.50' }, status: 'CONFIRMED' }]);
    expect(lastPostings(harness, world)).toEqual([`customer:${first} BRL -1200.50`, `customer:${second} BRL 1200.50`]);
    expect(balance(harness, world, `customer:${first}`, 'BRL')).toBe('1248799.50');
    expect(balance(harness, world, `customer:${second}`, 'BRL')).toBe('431200.50');

    const payloads = harness.attempts.map((each) => JSON.parse(each.body) as unknown);
    expect(harness.attempts.map((each) => each.headers['x-event-type'])).toEqual(['OPERATION_REQUESTED', 'OPERATION_COMPLETED']);
    for (const payload of payloads) expect(OperationEventSchema.parse(payload)).toEqual(payload);
    expect(payloads[1]).toMatchObject({ intent: { type: 'TRANSFER' }, quote: null, transactions: [{ type: 'BOOK' }] });
  });

  // §4.8-quote-id
  it('ignores a quoteId, because it creates its own quote', async () => {
    const { world, first, second } = await accountsOf('transfer-quote');
    const { id: quoteId } = await quoteIn(harness, world, { accountId: second, sourceAsset: 'EUR', targetAsset: 'BRL', sourceAmount: '1' });
    for (const each of [quoteId, randomUUID()]) {
      const { status, body } = await request(harness, world, 'transfer', {
        sourceAccountId: first,
        targetAccountId: second,
        amount,
        quoteId: each,
      });
      expect(status).toBe(201);
      expect(body.quote.id).not.toBe(each);
    }
    expect(harness.sandbox.world(world).state.quotes.get(quoteId)?.consumedAt).toBeNull();
  });

  // §4.8-differ §D6-positive
  it.each([
    ['one account as source and target', { targetAccountId: 'first' }, [['ACCOUNTS_MUST_DIFFER', 'body:targetAccountId']]],
    [
      'one account as source and, in upper case, as target',
      { targetAccountId: 'FIRST' },
      [['ACCOUNTS_MUST_DIFFER', 'body:targetAccountId']],
    ],
    ['an amount of zero', { amount: { value: '0.00', asset: 'BRL' } }, [['AMOUNT_MUST_BE_POSITIVE', 'body:amount.value']]],
    [
      'an amount of zero with too many decimal places',
      { amount: { value: '0.000', asset: 'BRL' } },
      [
        ['AMOUNT_MUST_BE_POSITIVE', 'body:amount.value'],
        ['INVALID_AMOUNT_PRECISION', 'body:amount.value'],
      ],
    ],
    ['an unknown asset', { amount: { value: '1', asset: 'XYZ' } }, [['INVALID_ENUM', 'body:amount.asset']]],
    ['a missing amount', { amount: undefined }, [['REQUIRED', 'body:amount']]],
    [
      'several errors together',
      { sourceAccountId: 'x', targetAccountId: undefined, amount: { value: '1.234', asset: 'BRL' }, quoteId: 'y' },
      [
        ['INVALID_UUID', 'body:sourceAccountId'],
        ['REQUIRED', 'body:targetAccountId'],
        ['INVALID_AMOUNT_PRECISION', 'body:amount.value'],
        ['INVALID_UUID', 'body:quoteId'],
      ],
    ],
  ])('rejects %s', async (_what, changes, items) => {
    const { accountIds } = fixtureIds(harness);
    const [first = '', second = ''] = accountIds;
    const target = 'targetAccountId' in changes ? changes.targetAccountId : second;
    const targetAccountId = target === 'first' ? first : target === 'FIRST' ? first.toUpperCase() : target;
    const { status, body } = await request(harness, 'default', 'transfer', {
      sourceAccountId: first,
      amount,
      ...changes,
      targetAccountId,
    });
    expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
    expect(body.details.errors.map((each: { code: string; field: string }) => [each.code, each.field])).toEqual(items);
  });

  it('rejects an amount with too many decimal places with its own error code', async () => {
    const { world, first, second } = await accountsOf('transfer-precision');
    const body = { sourceAccountId: first, targetAccountId: second, amount: { value: '1.005', asset: 'BRL' } };
    const answer = await request(harness, world, 'transfer', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_AMOUNT_PRECISION']);
    expect(answer.body.details).toEqual({ field: 'body:amount.value', asset: 'BRL', allowed: 2, received: 3 });
  });

  // §4.8-active §4.8-enabled
  it.each([
    ['an unknown source account', 404, 'RESOURCE_NOT_FOUND', { sourceAccountId: randomUUID() }],
    ['an unknown target account', 404, 'RESOURCE_NOT_FOUND', { targetAccountId: randomUUID() }],
    ['a source account that is not active', 422, 'ACCOUNT_NOT_ACTIVE', { sourceAccountId: 'onboarding' }],
    ['a target account that is not active', 422, 'ACCOUNT_NOT_ACTIVE', { targetAccountId: 'onboarding' }],
    ['an asset that the source account lacks', 422, 'ASSET_NOT_ENABLED', { amount: { value: '1', asset: 'EUR' } }],
    ['an asset that the target account lacks', 422, 'ASSET_NOT_ENABLED', { amount: { value: '1', asset: 'USD' } }],
  ])('rejects %s', async (_what, status, code, changes) => {
    const { world, first, second, onboarding } = await accountsOf(`transfer-${_what.replaceAll(' ', '-')}`);
    const named = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value === 'onboarding' ? onboarding : value]));
    const before = [...harness.sandbox.world(world).state.operations.values()];
    const answer = await request(harness, world, 'transfer', { sourceAccountId: first, targetAccountId: second, amount, ...named });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect([...harness.sandbox.world(world).state.operations.values()]).toEqual(before);
  });

  // §D8-checked-at-settlement
  it.each([
    ['the target is closed', 'ACCOUNT_NOT_ACTIVE', 'second', inactive],
    ['the source is closed', 'ACCOUNT_NOT_ACTIVE', 'first', inactive],
    ['the asset is frozen on the target', 'ASSET_NOT_ENABLED', 'second', frozen('BRL')],
  ])('fails automatically if %s before settlement', async (what, code, which, change) => {
    const accounts = await accountsOf(`transfer-${what.replaceAll(' ', '-')}`);
    const { world, first, second } = accounts;
    const { body } = await request(harness, world, 'transfer', { sourceAccountId: first, targetAccountId: second, amount });
    alterAccount(harness, world, which === 'first' ? first : second, change);
    await harness.control('POST', '/clock/advance', { by: 'PT5S' }, world);
    expect((await operationIn(harness, world, body.id)).currentState).toMatchObject({ status: 'FAILED', reason: { code } });
    expect(balance(harness, world, `customer:${second}`, 'BRL')).toBe('430000.00');
  });
});

describe('a swap', () => {
  // §4.9-response §D8-ledger
  it('converts one asset of an account into another through the ledger account fx', async () => {
    const { world, first } = await accountsOf('swap');
    const quote = await quoteIn(harness, world, { accountId: first, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '1000.00' });
    const { status, body } = await request(harness, world, 'swap', { accountId: first, quoteId: quote.id });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      sourceAmount: quote.sourceAmount,
      targetAmount: quote.targetAmount,
      intent: { type: 'SWAP' },
      quote: { id: quote.id, effectiveRate: quote.effectiveRate, consumedAt: '2026-11-21T12:00:00.000Z' },
      fees: [{ type: 'PERCENTAGE', source: 'FX_SPREAD', amount: { value: '5.00', asset: 'USD' } }],
    });
    await harness.control('POST', '/clock/advance', { by: 'PT5S' }, world);
    const settled = await operationIn(harness, world, body.id);
    expect(settled.transactions).toMatchObject([
      { type: 'BOOK', direction: 'DEBIT', amount: { value: '1000.00', asset: 'USD' }, status: 'CONFIRMED' },
      { type: 'BOOK', direction: 'CREDIT', amount: { value: quote.targetAmount.value, asset: 'BRL' }, status: 'CONFIRMED' },
    ]);
    expect(lastPostings(harness, world)).toEqual([
      `customer:${first} USD -1000.00`,
      'fees:FX_SPREAD USD 5.00',
      'fx USD 995.00',
      `fx BRL -${quote.targetAmount.value}`,
      `customer:${first} BRL ${quote.targetAmount.value}`,
    ]);
  });

  it.each([
    ['an unknown account', 404, 'RESOURCE_NOT_FOUND', { accountId: randomUUID() }],
    ['an unknown quote', 404, 'RESOURCE_NOT_FOUND', { quoteId: randomUUID() }],
    ['a quote of another account', 422, 'QUOTE_ACCOUNT_MISMATCH', { accountId: 'second' }],
  ])('rejects %s', async (what, status, code, changes) => {
    const { world, first, second } = await accountsOf(`swap-${what.replaceAll(' ', '-')}`);
    const quote = await quoteIn(harness, world, { accountId: first, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '10' });
    const body = { accountId: first, quoteId: quote.id, ...changes };
    if (body.accountId === 'second') body.accountId = second;
    const answer = await request(harness, world, 'swap', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  // §3-quote-expired §D8-ttl
  it('rejects a used quote with QUOTE_EXPIRED once it has expired', async () => {
    const { world, first } = await accountsOf('swap-expired');
    const quote = await quoteIn(harness, world, { accountId: first, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '10' });
    await harness.control('POST', '/clock/advance', { by: 'PT30S' }, world);
    expect((await request(harness, world, 'swap', { accountId: first, quoteId: quote.id })).status).toBe(201);
    const again = await request(harness, world, 'swap', { accountId: first, quoteId: quote.id });
    expect([again.status, again.body.code]).toEqual([422, 'QUOTE_ALREADY_CONSUMED']);
    await harness.control('POST', '/clock/advance', { by: '1ms' }, world);
    const late = await request(harness, world, 'swap', { accountId: first, quoteId: quote.id });
    expect([late.status, late.body.code]).toEqual([422, 'QUOTE_EXPIRED']);
  });

  // §D9-swap-assets
  it('rejects a quote with one asset on both sides before it checks the account', async () => {
    const { world, first } = await accountsOf('swap-same');
    const quote = await quoteIn(harness, world, { accountId: first, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10' });
    alterAccount(harness, world, first, inactive);
    const { status, body } = await request(harness, world, 'swap', { accountId: first, quoteId: quote.id });
    expect([status, body.code]).toEqual([422, 'SWAP_SAME_ASSET']);
  });

  it.each([
    ['a source asset that the account lacks', 'first', 'EUR', 'BRL', 'ASSET_NOT_ENABLED'],
    ['a target asset that the account lacks', 'first', 'BRL', 'EUR', 'ASSET_NOT_ENABLED'],
    ['an account that is not active', 'onboarding', 'BRL', 'USDC', 'ACCOUNT_NOT_ACTIVE'],
  ])('rejects %s', async (what, which, sourceAsset, targetAsset, code) => {
    const { world, first, onboarding } = await accountsOf(`swap-${what.replaceAll(' ', '-')}`);
    const accountId = which === 'first' ? first : onboarding;
    const quote = await quoteIn(harness, world, { accountId, sourceAsset, targetAsset, sourceAmount: '10' });
    const answer = await request(harness, world, 'swap', { accountId, quoteId: quote.id });
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect(harness.sandbox.world(world).state.quotes.get(quote.id)?.consumedAt).toBeNull();
  });

  it('reports missing and malformed fields together', async () => {
    const { status, body } = await request(harness, 'default', 'swap', { quoteId: 7 });
    expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
    expect(body.details.errors.map((each: { code: string; field: string }) => [each.code, each.field])).toEqual([
      ['REQUIRED', 'body:accountId'],
      ['INVALID_TYPE', 'body:quoteId'],
    ]);
  });

  // §D8-insufficient
  it('fails automatically if the account has insufficient funds', async () => {
    const { world, first } = await accountsOf('swap-poor');
    const quote = await quoteIn(harness, world, { accountId: first, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '180000.01' });
    const { body } = await request(harness, world, 'swap', { accountId: first, quoteId: quote.id });
    await harness.control('POST', '/clock/advance', { by: 'PT5S' }, world);
    const { currentState } = await operationIn(harness, world, body.id);
    expect(currentState.reason).toEqual({
      code: 'INSUFFICIENT_BALANCE',
      message: 'The balance of the account does not cover the amount.',
      details: { accountId: first, asset: 'USD', required: '180000.01' },
    });
  });
});
