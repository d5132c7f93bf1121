import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AccountWithBalancesSchema, LedgerEntrySchema, SandboxQuoteSchema } from '../../contract/control/books.js';
import { BeneficiarySchema } from '../../contract/public/beneficiaries.js';
import { OperationSchema } from '../../contract/public/operations.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw } from '../../testing/withdrawals.js';
import { lastPostings, quoteIn, request } from '../../testing/money.js';

const harness = useHarness();

const asBalances = (body: { balances: { value: string; asset: string }[] }) => body.balances.map(({ value, asset }) => `${value} ${asset}`);

describe('accounts in the control API', () => {
  it('show their balances', async () => {
    const world = await harness.world('balances');
    const { accountId } = fixtureIds(harness, world);
    const { body } = await harness.control('GET', `/accounts/${accountId}`, undefined, world);
    expect(AccountWithBalancesSchema.parse(body)).toEqual(body);
    expect(asBalances(body)).toEqual(['1250000.00 BRL', '180000.00 USD', '95000.000000 USDT']);
    const { balances: _balances, ...account } = body;
    const { data } = (await harness.api('GET', `/api/accounts?filters=id[eq]=${accountId}`, {}, world)).body;
    expect(data).toEqual([account]);
  });

  it('accept credits and debits through the ledger, even below zero', async () => {
    const world = await harness.world('credit');
    const { accountId } = fixtureIds(harness, world);
    const amount = { value: '180000.5', asset: 'USD' };
    const credited = await harness.control('POST', `/accounts/${accountId}/credit`, { amount }, world);
    expect(credited.status).toBe(200);
    expect(asBalances(credited.body)).toContain('360000.50 USD');
    for (let times = 0; times < 3; times += 1) await harness.control('POST', `/accounts/${accountId}/debit`, { amount }, world);
    const { body } = await harness.control('GET', `/accounts/${accountId}`, undefined, world);
    expect(asBalances(body)).toContain('-180001.00 USD');
    expect(lastPostings(harness, world)).toEqual(['control USD 180000.50', `customer:${accountId} USD -180000.50`]);
    const report = await harness.api('GET', '/api/reports?periodStart=2026-11-21T12:00:00Z&periodEnd=2026-11-22T00:00:00Z', {}, world);
    expect(report.body.totals).toEqual([]);
  });

  it.each([
    [400, 'INVALID_AMOUNT_PRECISION', { value: '1.001', asset: 'BRL' }, 'first'],
    [400, 'INVALID_DATA', { value: '-1', asset: 'BRL' }, 'first'],
    [404, 'RESOURCE_NOT_FOUND', { value: '1', asset: 'BRL' }, randomUUID()],
    [422, 'ASSET_NOT_ENABLED', { value: '1', asset: 'GBP' }, 'first'],
  ])('reject an invalid credit with %i %s', async (status, code, amount, id) => {
    const { accountId } = fixtureIds(harness);
    const answer = await harness.control('POST', `/accounts/${id === 'first' ? accountId : id}/credit`, { amount });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('can receive money in an asset that is still being opened', async () => {
    const world = await harness.world('credit-onboarding');
    const onboarding = fixtureIds(harness, world).accountIds[3];
    const { status, body } = await harness.control(
      'POST',
      `/accounts/${onboarding}/credit`,
      { amount: { value: '5', asset: 'USDC' } },
      world,
    );
    expect([status, asBalances(body)]).toEqual([200, ['0.00 BRL', '5.000000 USDC']]);
  });
});

describe('the ledger', () => {
  it('lists balanced entries with their causes, by filter and by page', async () => {
    const world = await harness.world('ledger');
    const { id } = await withdraw(harness, world, '12.50');
    await harness.control('POST', '/clock/advance', { by: 'PT5S' }, world);
    const { body } = await harness.control('GET', `/ledger?filters=operationId[eq]=${id}`, undefined, world);
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        at: '2026-11-21T12:00:03.000Z',
        operationId: id,
        causeId: 'rule:default/operations settle#2',
        postings: [
          { account: `customer:${fixtureIds(harness, world).accountId}`, asset: 'BRL', amount: '-12.50' },
          { account: 'rail:PIX_KEY', asset: 'BRL', amount: '12.50' },
        ],
      },
    ]);
    expect(LedgerEntrySchema.parse(body.data[0])).toEqual(body.data[0]);
    const first = await harness.control('GET', '/ledger?limit=1', undefined, world);
    expect(first.body.data).toEqual(body.data);
    const next = await harness.control('GET', `/ledger?limit=1&cursor=${first.body.meta.nextCursor}`, undefined, world);
    expect(next.body.data[0].operationId).not.toBe(id);
    const unknown = await harness.control('GET', '/ledger?filters=nope[eq]=1', undefined, world);
    expect([unknown.status, unknown.body.code]).toEqual([400, 'INVALID_FILTER_FORMAT']);
  });
});

describe('quotes in the control API', () => {
  it('are listed with the operation that consumed them', async () => {
    const world = await harness.world('quotes');
    const { accountId } = fixtureIds(harness, world);
    const open = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'USD', targetAmount: '5' });
    const operation = await withdraw(harness, world, '12.50');
    const { body } = await harness.control('GET', '/quotes?filters=createdAt[gte]=2026-11-21T12:00:00Z', undefined, world);
    expect(body.data).toEqual([
      expect.objectContaining({ id: operation.quote.id, consumedBy: operation.id, consumedAt: '2026-11-21T12:00:00.000Z' }),
      {
        ...open,
        requestedAmount: { value: '5.00', asset: 'USD', decimals: 2 },
        createdAt: '2026-11-21T12:00:00.000Z',
        consumedAt: null,
        consumedBy: null,
      },
    ]);
    for (const each of body.data) expect(SandboxQuoteSchema.parse(each)).toEqual(each);
  });

  it('can be expired permanently', async () => {
    const world = await harness.world('expire');
    const { accountId } = fixtureIds(harness, world);
    const quote = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '5' });
    const expired = await harness.control('POST', `/quotes/${quote.id}/expire`, undefined, world);
    expect([expired.status, expired.body.expiresAt]).toEqual([200, '2026-11-21T11:59:59.999Z']);
    expect((await harness.control('POST', `/quotes/${quote.id}/expire`, undefined, world)).body).toEqual(expired.body);
    const swap = await request(harness, world, 'swap', { accountId, quoteId: quote.id });
    expect([swap.status, swap.body.code]).toEqual([422, 'QUOTE_EXPIRED']);
  });

  it('cannot be expired after an operation has consumed them', async () => {
    const world = await harness.world('expire-used');
    const { quote } = await withdraw(harness, world);
    const used = await harness.control('POST', `/quotes/${quote.id}/expire`, undefined, world);
    expect([used.status, used.body.code]).toEqual([422, 'INVALID_STATUS_CHANGE']);
    expect((await harness.control('POST', `/quotes/${randomUUID()}/expire`, undefined, world)).status).toBe(404);
  });
});

describe('operations in the control API', () => {
  it('can be listed and filtered like a list of the payments API', async () => {
    const world = await harness.world('operations');
    const { accountIds } = fixtureIds(harness, world);
    const withdrawal = await withdraw(harness, world);
    const transfer = await request(harness, world, 'transfer', {
      sourceAccountId: accountIds[1],
      targetAccountId: accountIds[0],
      amount: { value: '3', asset: 'BRL' },
    });
    const now = 'createdAt[gte]=2026-11-21T12:00:00Z';
    const all = await harness.control('GET', `/operations?filters=${now}`, undefined, world);
    expect(all.body.data).toEqual([transfer.body, withdrawal]);
    for (const each of all.body.data) expect(OperationSchema.parse(each)).toEqual(each);
    const some = await harness.control('GET', `/operations?filters=${now};intent.type[eq]=WITHDRAWAL`, undefined, world);
    expect(some.body.data).toEqual([withdrawal]);
  });
});

describe('beneficiaries in the control API', () => {
  it('can be listed and filtered', async () => {
    const world = await harness.world('beneficiaries');
    const { body } = await harness.control('GET', '/beneficiaries?filters=status[ne]=APPROVED&sortOrder=ASCENDING', undefined, world);
    expect(body.data.map((each: { status: string }) => each.status)).toEqual(['REJECTED', 'PENDING_REVIEW']);
    for (const each of body.data) expect(BeneficiarySchema.parse(each)).toEqual(each);
  });

  it.each([
    ['approve', 'APPROVED', null],
    ['reject', 'REJECTED', 'HOLDER_MISMATCH'],
  ])('change their pending payment instruction when `%s` is forced, and cancel its review timer', async (verb, status, code) => {
    const world = await harness.world(`force-${verb}`);
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const { body } = await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    const forced = await harness.control('POST', `/beneficiaries/${body.id}/${verb}`, undefined, world);
    expect(BeneficiarySchema.parse(forced.body)).toEqual(forced.body);
    expect(forced.body.status).toBe(status);
    expect(forced.body.paymentInstructions[0].currentState).toMatchObject({ status, reason: code === null ? null : { code } });
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    expect(harness.attempts.map((each) => each.headers['x-event-type'])).toEqual([
      'BENEFICIARY_PAYMENT_INSTRUCTION_CREATED',
      `BENEFICIARY_PAYMENT_INSTRUCTION_${status}`,
    ]);
  });

  // §D13-forced-beneficiary §D10-not-approved §D10-review
  it('keep reviewed payment instructions unchanged when the status of the beneficiary is forced', async () => {
    const world = await harness.world('force-later');
    const { approved, rejected } = fixtureIds(harness, world);
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const reason = { code: 'SANCTIONS_MATCH', message: 'Found on a list.' };
    const away = await harness.control('POST', `/beneficiaries/${approved.id}/reject`, { reason }, world);
    expect([away.body.status, away.body.paymentInstructions[0].status]).toEqual(['REJECTED', 'APPROVED']);
    const back = await harness.control('POST', `/beneficiaries/${rejected.id}/approve`, undefined, world);
    expect([back.body.status, back.body.paymentInstructions[0].status]).toEqual(['APPROVED', 'REJECTED']);
    await harness.quiet(world);
    expect(harness.attempts).toEqual([]);

    const { accountId } = fixtureIds(harness, world);
    for (const [beneficiary, code] of [
      [approved, 'BENEFICIARY_NOT_APPROVED'],
      [rejected, 'PAYMENT_INSTRUCTION_NOT_APPROVED'],
    ] as const) {
      const { id: quoteId } = await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '5' });
      const paymentInstruction = { type: 'REFERENCE', id: beneficiary.paymentInstructions[0]!.id };
      const payee = { type: 'REFERENCE', id: beneficiary.id, paymentInstruction };
      const answer = await harness.api('POST', '/api/operations/withdrawal', { body: { accountId, quoteId, beneficiary: payee } }, world);
      expect([answer.status, answer.body.code]).toEqual([422, code]);
    }
  });

  it('cannot be forced into their current status', async () => {
    const { approved } = fixtureIds(harness);
    const { status, body } = await harness.control('POST', `/beneficiaries/${approved.id}/approve`);
    expect([status, body.code, body.details.possible]).toEqual([422, 'INVALID_STATUS_CHANGE', ['REJECTED']]);
    expect((await harness.control('POST', `/beneficiaries/${randomUUID()}/approve`)).status).toBe(404);
  });
});
