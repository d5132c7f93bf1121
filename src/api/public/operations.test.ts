import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';
import { operationIn, quoteIn, request } from '../../testing/money.js';
import { getAccount } from '../../testing/onboarding.js';
import { amount, firstOwnerName, id, instant, state } from '../../testing/shapes.js';

/** Tests through the API that resources and webhooks have the fields of the specification. */

const harness = useHarness();

describe('an operation', () => {
  const operationFields =
    'id customerId account sourceAmount targetAmount intent quote fees transactions currentState states tags createdAt updatedAt'.split(
      ' ',
    );

  async function all(world: string) {
    const { accountIds, approved } = fixtureIds(harness, world);
    const [accountId = '', targetAccountId = ''] = accountIds;
    const quoted = { accountId, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '100.00' };
    const own = { ...quoted, targetAsset: 'BRL' };
    const funding = { rail: 'PIX_KEY' };
    return {
      accountId,
      targetAccountId,
      approved,
      withdrawal: await withdraw(harness, world),
      transfer: (
        await request(harness, world, 'transfer', { sourceAccountId: accountId, targetAccountId, amount: { value: '12.5', asset: 'BRL' } })
      ).body,
      swap: (await request(harness, world, 'swap', { accountId, quoteId: (await quoteIn(harness, world, quoted)).id })).body,
      deposit: (
        await request(harness, world, 'deposit', {
          accountId,
          quoteId: (await quoteIn(harness, world, own)).id,
          fundingInstruction: funding,
        })
      ).body,
    };
  }

  // §2.2-fields §2.2-account §2.2-quote §2.2-lists §2.2-states §2.1-tags §2.1-tags-propagate §3-requested §4.7-response §4.9-response
  // §4.10-response §4.11-get-operation §2.2-intent-withdrawal §2.2-intent-transfer §2.2-intent-swap §2.2-intent-deposit §D10-flat-instruction
  it('has the fields of the specification and the intent of its type', async () => {
    const world = await harness.world('operations', { scenario: 'manual' });
    const { accountId, targetAccountId, approved, ...operations } = await all(world);
    const { tags } = await getAccount(harness, world, accountId);
    for (const operation of Object.values(operations)) {
      expect(Object.keys(operation)).toEqual(operationFields);
      expect(operation).toMatchObject({
        account: { id: accountId, owner: firstOwnerName },
        transactions: [],
        currentState: state('REQUESTED'),
        states: [state('REQUESTED')],
        tags,
        createdAt: instant,
        updatedAt: instant,
      });
      expect(operation.quote).toEqual({ id, effectiveRate: expect.any(Object), expiresAt: instant, consumedAt: operation.createdAt });
      expect(await operationIn(harness, world, operation.id)).toEqual(operation);
    }
    const [instruction] = approved.paymentInstructions;
    expect(operations.withdrawal.intent).toEqual({
      type: 'WITHDRAWAL',
      beneficiary: {
        id: approved.id,
        holder: {
          type: 'INDIVIDUAL',
          firstName: 'Caio',
          lastName: 'Menezes',
          taxId: { value: '31415926590', type: 'CPF' },
          dateOfBirth: '1991-11-02',
          address: {
            addressLine1: 'Rua Augusta 2203',
            addressLine2: null,
            city: 'São Paulo',
            state: 'SP',
            country: 'BR',
            postalCode: '01413-000',
          },
        },
        paymentInstruction: { id: instruction!.id, rail: 'PIX_KEY', keyType: 'EMAIL', key: 'caio.menezes@example.com' },
      },
    });
    expect(operations.transfer.intent).toEqual({
      type: 'TRANSFER',
      targetAccount: { id: targetAccountId, owner: 'Folha Certa Pagamentos SA' },
    });
    expect(operations.swap.intent).toEqual({ type: 'SWAP' });
    expect(operations.deposit.intent).toEqual({
      type: 'DEPOSIT',
      fundingInstruction: expect.objectContaining({ asset: 'BRL', rail: 'PIX_KEY', keyType: expect.any(String), key: expect.any(String) }),
    });
  });

  // §2.2-transfer-amounts §2.2-transfer-quote §2.2-percentage-fee §D8-spread-fee §4.8-quote-id
  it('contains its amounts, fees and quote', async () => {
    const world = await harness.world('amounts', { scenario: 'manual' });
    const { transfer, swap, deposit } = await all(world);
    const moved = amount('12.50', 'BRL', 2);
    expect(transfer).toMatchObject({ sourceAmount: moved, targetAmount: moved, fees: [], quote: { effectiveRate: { value: '1.00' } } });
    expect(deposit.fees).toEqual([]);
    expect(swap.fees).toEqual([{ type: 'PERCENTAGE', amount: amount('0.50', 'BRL', 2), source: 'FX_SPREAD', percentage: '0.0050' }]);
  });

  // §3-completed §2.2-states §D9-transactions §6-operation-payload §6-operation-intent §6-quote-null §2.2-event-transaction §2.1-transaction-reason
  // §6-post §D11-headers §3-requested §D11-payload-ids
  it('sends webhooks with the fields of the specification', async () => {
    const world = await harness.world('events');
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const { swap, transfer, deposit, withdrawal } = await all(world);
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    const webhooks = harness.attempts.map(({ headers, body }) => ({ headers, payload: JSON.parse(body) }));
    expect(webhooks).toHaveLength(8);
    for (const { headers, payload } of webhooks) {
      expect(Object.keys(payload)).toEqual(
        'id customerId account sourceAmount destinationAmount intent fees transactions currentState atTime quote tags'.split(' '),
      );
      expect(payload.currentState).toEqual(state(headers['x-event-type']!.replace('OPERATION_', '')));
      expect(payload.atTime).toBe(payload.currentState.createdAt);
      expect(headers).toMatchObject({
        'x-message-id': id,
        'x-event-type': expect.stringMatching(/^OPERATION_(REQUESTED|COMPLETED)$/),
        'x-resource-name': 'OPERATION',
        'x-company-id': expect.any(String),
        'x-message-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
        'content-type': 'application/json',
      });
    }
    const last = (of: { id: string }) => webhooks.findLast(({ payload }) => payload.id === of.id)!.payload;
    expect(last(swap).intent).toEqual({ type: 'SWAP' });
    expect(last(transfer).intent).toEqual({ type: 'TRANSFER' });
    expect(last(deposit).intent).toEqual({ type: 'DEPOSIT' });
    expect(last(withdrawal).intent).toEqual({
      type: 'WITHDRAWAL',
      beneficiary: {
        id: withdrawal.intent.beneficiary.id,
        holder: { name: 'Caio Menezes', taxId: '31415926590', address: expect.objectContaining({ city: 'São Paulo' }) },
        instruction: {
          id: withdrawal.intent.beneficiary.paymentInstruction.id,
          address: { type: 'PixKey', rail: 'PIX_KEY', keyType: 'EMAIL', key: 'caio.menezes@example.com' },
        },
      },
    });
    expect([last(withdrawal).quote, last(transfer).quote, last(deposit).quote]).toEqual([null, null, null]);
    expect(last(swap).quote).toEqual(swap.quote);
    const { transactions } = await operationIn(harness, world, withdrawal.id);
    expect(last(withdrawal).transactions).toEqual([
      {
        id: transactions[0].id,
        type: 'PIX',
        direction: 'DEBIT',
        amount: amount('150.00', 'BRL', 2),
        currentState: { status: 'CONFIRMED', createdAt: instant, reason: null },
        endToEnd: expect.stringMatching(/^E[0-9]{20}[0-9A-Za-z]{11}$/),
      },
    ]);
  });

  // §3-failed §2.1-transaction-reason §D9-reasons
  it('shows the reason of a failure, also as plain text in its transaction', async () => {
    const world = await harness.world('failed');
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', resources: [{ name: 'OPERATION' }] } }, world);
    const { id: operationId } = await withdraw(harness, world, '50.13');
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    const reason = { code: 'BENEFICIARY_BANK_REJECTED', message: expect.any(String), details: {} };
    expect((await operationIn(harness, world, operationId)).currentState).toEqual(state('FAILED', reason));
    const payload = JSON.parse(harness.attempts.at(-1)!.body);
    expect(payload.currentState).toEqual(state('FAILED', reason));
    expect(payload.transactions[0].currentState).toEqual({ status: 'FAILED', createdAt: instant, reason: reason.code });
  });

  // §3-silent-statuses §3-operation-statuses
  it('sends no events for intermediate statuses, which GET shows', async () => {
    const world = await harness.world('silent', { scenario: 'manual' });
    const { id: operationId } = await withdraw(harness, world);
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    for (const [verb, status] of [
      ['process', 'PROCESSING'],
      ['hold', 'ON_HOLD'],
      ['resume', 'PROCESSING'],
      ['require-action', 'ACTION_REQUIRED'],
      ['resume', 'PROCESSING'],
    ] as const) {
      await harness.control('POST', `/operations/${operationId}/${verb}`, undefined, world);
      expect((await operationIn(harness, world, operationId)).currentState.status).toBe(status);
    }
    await harness.quiet(world);
    expect(harness.attempts).toEqual([]);
    await harness.control('POST', `/operations/${operationId}/complete`, undefined, world);
    await harness.quiet(world);
    expect(harness.attempts.map(({ headers }) => headers['x-event-type'])).toEqual(['OPERATION_COMPLETED']);
    const { states, currentState } = await operationIn(harness, world, operationId);
    expect(states).toHaveLength(7);
    expect(states.at(-1)).toEqual(currentState);
  });
});

describe('a report', () => {
  // §2.9-period §2.9-totals §2.9-absent-direction
  it('has the fields of the specification', async () => {
    const world = await harness.world('report');
    const reportOf = async (end: string) =>
      (await harness.api('GET', `/api/reports?periodStart=2026-11-21T12:00:00Z&periodEnd=${end}`, {}, world)).body;
    await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { by: 'PT3S' }, world);
    const start = '2026-11-21T12:00:00.000Z';
    expect(await reportOf('2026-11-21T12:00:03Z')).toEqual({ period: { start, end: '2026-11-21T12:00:03.000Z' }, totals: [] });
    expect(await reportOf('2026-11-21T12:00:03.001Z')).toEqual({
      period: { start, end: '2026-11-21T12:00:03.001Z' },
      totals: [{ asset: 'BRL', outflows: { sum: amount('150.00', 'BRL', 2), count: 1 } }],
    });
  });
});
