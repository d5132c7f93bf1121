import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OperationEventSchema } from '../../contract/public/events.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';
import { balance, lastPostings, operationIn, quoteIn, request, statuses } from '../../testing/money.js';

const harness = useHarness();

async function depositIn(
  world: string,
  quote: { sourceAsset: string; targetAsset: string; sourceAmount?: string; targetAmount?: string },
  rail: string,
) {
  const { accountId } = fixtureIds(harness, world);
  const { id: quoteId } = await quoteIn(harness, world, { accountId, ...quote });
  const answer = await request(harness, world, 'deposit', { accountId, quoteId, fundingInstruction: { rail } });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

const brl = (sourceAmount: string) => ({ sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount });
const pay = (world: string, id: string, body?: unknown) => harness.control('POST', `/operations/${id}/pay`, body, world);

describe('a deposit', () => {
  // §4.10-response §2.2-intent-deposit §D9-deposit-waits
  it('returns payment details, waits for the payment, and credits the account when the deposit completes', async () => {
    const world = await harness.world('deposit', { scenario: 'manual' });
    const { accountId } = fixtureIds(harness, world);
    harness.attempts.length = 0;
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
    const requested = await depositIn(world, brl('500.00'), 'PIX_KEY');
    expect(requested).toMatchObject({
      currentState: { status: 'REQUESTED' },
      transactions: [],
      fees: [],
      sourceAmount: { value: '500.00' },
    });
    const { body: listed } = await harness.api('GET', `/api/accounts/${accountId}/fundingInstructions?filters=rail[eq]=PIX_KEY`, {}, world);
    expect(requested.intent).toMatchObject({ type: 'DEPOSIT', fundingInstruction: listed.data[0] });
    await harness.control('POST', '/clock/advance', { by: 'PT50M' }, world);
    expect(await operationIn(harness, world, requested.id)).toEqual(requested);

    const paid = await pay(world, requested.id);
    expect([paid.status, statuses(paid.body)]).toEqual([200, ['REQUESTED', 'PROCESSING']]);
    expect(paid.body.transactions).toMatchObject([{ type: 'PIX', direction: 'CREDIT', amount: { value: '500.00' }, status: 'PROCESSING' }]);
    expect(balance(harness, world, `customer:${accountId}`, 'BRL')).toBe('1250000.00');
    const { body: settled } = await harness.control('POST', `/operations/${requested.id}/complete`, undefined, world);
    expect(settled.transactions[0].status).toBe('CONFIRMED');
    expect(balance(harness, world, `customer:${accountId}`, 'BRL')).toBe('1250500.00');
    expect(lastPostings(harness, world)).toEqual(['rail:PIX_KEY BRL -500.00', `customer:${accountId} BRL 500.00`]);

    await harness.quiet(world);
    expect(harness.attempts.map((each) => each.headers['x-event-type'])).toEqual(['OPERATION_REQUESTED', 'OPERATION_COMPLETED']);
    const payloads = harness.attempts.map((each) => JSON.parse(each.body) as unknown);
    for (const payload of payloads) expect(OperationEventSchema.parse(payload)).toEqual(payload);
    expect(payloads[1]).toMatchObject({ intent: { type: 'DEPOSIT' }, quote: null, transactions: [{ direction: 'CREDIT' }] });
  });

  it('converts the payment, and is paid automatically in the default scenario', async () => {
    const world = await harness.world('deposit-fx');
    const { accountId } = fixtureIds(harness, world);
    const { id, targetAmount } = await depositIn(world, { sourceAsset: 'EUR', targetAsset: 'BRL', sourceAmount: '1000.00' }, 'SEPA');
    await harness.control('POST', '/clock/advance', { by: 'PT3S' }, world);
    const settled = await operationIn(harness, world, id);
    expect(statuses(settled)).toEqual(['REQUESTED', 'PROCESSING', 'COMPLETED']);
    expect(settled.transactions).toMatchObject([{ type: 'SEPA', direction: 'CREDIT', amount: { value: '1000.00', asset: 'EUR' } }]);
    expect(lastPostings(harness, world)).toEqual([
      'rail:SEPA EUR -1000.00',
      'fees:FX_SPREAD EUR 5.00',
      'fx EUR 995.00',
      `fx BRL -${targetAmount.value}`,
      `customer:${accountId} BRL ${targetAmount.value}`,
    ]);
  });

  it('uses the requested network of a stablecoin, by default the first', async () => {
    const world = await harness.world('deposit-crypto');
    const { accountId } = fixtureIds(harness, world);
    for (const [network, expected] of [
      [undefined, 'ETHEREUM'],
      ['TRON', 'TRON'],
    ]) {
      const quote = { accountId, sourceAsset: 'USDT', targetAsset: 'USDT', sourceAmount: '10.5' };
      const { id: quoteId } = await quoteIn(harness, world, quote);
      const answer = await request(harness, world, 'deposit', { accountId, quoteId, fundingInstruction: { rail: 'CRYPTO', network } });
      expect(answer.body.intent.fundingInstruction).toMatchObject({ rail: 'CRYPTO', network: expected, asset: 'USDT' });
      const paid = await pay(world, answer.body.id);
      expect(paid.body.transactions).toMatchObject([{ type: 'CRYPTO', network: expected, amount: { value: '10.500000' } }]);
    }
  });

  // §D9-deposit-mismatch
  it.each([
    ['too little', '499.99'],
    ['too much', '510'],
  ])('is held if %s is paid, and credits the paid amount when it is forced to complete', async (what, amount) => {
    const world = await harness.world(`deposit-${what.replace(' ', '-')}`);
    const { accountId } = fixtureIds(harness, world);
    const { id } = await depositIn(world, brl('500.00'), 'TED');
    const held = await pay(world, id, { amount });
    expect(statuses(held.body)).toEqual(['REQUESTED', 'PROCESSING', 'ON_HOLD']);
    const received = amount === '510' ? '510.00' : amount;
    expect(held.body.currentState.reason).toMatchObject({
      code: 'AMOUNT_MISMATCH',
      details: { asset: 'BRL', expected: '500.00', received },
    });
    await harness.control('POST', '/clock/advance', { by: 'PT50M' }, world);
    expect((await operationIn(harness, world, id)).currentState.status).toBe('ON_HOLD');
    await harness.control('POST', `/operations/${id}/complete`, undefined, world);
    expect(lastPostings(harness, world)).toEqual([`rail:TED BRL -${received}`, `customer:${accountId} BRL ${received}`]);
  });

  it('rejects a payment with too many decimal places', async () => {
    const world = await harness.world('deposit-too-fine', { scenario: 'manual' });
    const { id } = await depositIn(world, brl('500.00'), 'TED');
    const { status, body } = await pay(world, id, { amount: '500.001' });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 'INVALID_AMOUNT_PRECISION',
        message: 'amount: expected at most 2 decimal places, as BRL has; got "500.001".',
        details: { field: 'body:amount', asset: 'BRL', allowed: 2, received: 3, help: '/docs/guides/errors#INVALID_AMOUNT_PRECISION' },
      },
    });
  });

  // §D9-second-payment
  it.each([
    ['while it is PROCESSING', 'process'],
    ['while it is ON_HOLD', 'hold'],
    ['after it failed', 'fail'],
    ['after it completed', 'complete'],
  ])('rejects a second payment %s', async (_what, verb) => {
    const world = await harness.world(`deposit-twice-${verb}`, { scenario: 'manual' });
    const { id } = await depositIn(world, brl('500.00'), 'PIX_KEY');
    expect((await pay(world, id, { amount: '500.000'.slice(0, 6) })).status).toBe(200);
    if (verb !== 'process') await harness.control('POST', `/operations/${id}/${verb}`, undefined, world);
    const before = await operationIn(harness, world, id);
    const again = await pay(world, id);
    expect([again.status, again.body.code]).toEqual([422, 'INVALID_STATUS_CHANGE']);
    expect(again.body.message).toContain(`Deposit ${id} is already paid.`);
    expect(await operationIn(harness, world, id)).toEqual(before);
  });

  it('rejects a payment after it failed; operations of other types reject any payment', async () => {
    const world = await harness.world('deposit-never', { scenario: 'manual' });
    const { id } = await depositIn(world, brl('500.00'), 'BOLETO');
    const failed = await harness.control('POST', `/operations/${id}/fail`, undefined, world);
    expect(failed.body.transactions).toEqual([]);
    const { id: withdrawal } = await withdraw(harness, world);
    const refusals = [
      [id, `The operation ${id} is FAILED and cannot become PROCESSING. Possible: none: the status is final.`],
      [withdrawal, `Operation ${withdrawal} is a WITHDRAWAL. Only a DEPOSIT can be paid.`],
    ] as const;
    for (const [each, message] of refusals) {
      const { status, body } = await pay(world, each);
      expect({ status, code: body.code, message: body.message }).toEqual({
        status: 422,
        code: 'INVALID_STATUS_CHANGE',
        message: expect.stringContaining(message),
      });
    }
    expect((await pay(world, randomUUID())).status).toBe(404);
  });

  it('is paid in full when it is forced to PROCESSING or COMPLETED', async () => {
    const world = await harness.world('deposit-forced', { scenario: 'manual' });
    for (const [verb, path] of [
      ['complete', ['REQUESTED', 'PROCESSING', 'COMPLETED']],
      ['process', ['REQUESTED', 'PROCESSING']],
    ] as const) {
      const { id } = await depositIn(world, brl('75.00'), 'PIX_STATIC_QR_CODE');
      const { body } = await harness.control('POST', `/operations/${id}/${verb}`, undefined, world);
      expect(statuses(body)).toEqual(path);
      expect(body.transactions).toMatchObject([{ type: 'PIX', amount: { value: '75.00' } }]);
    }
  });

  it.each([
    [{ amount: '1.234' }, 'INVALID_AMOUNT_PRECISION'],
    [{ amount: '0' }, 'INVALID_DATA'],
    [{ amount: 5 }, 'INVALID_DATA'],
  ])('rejects a payment with the body %j', async (body, code) => {
    const world = await harness.world(`deposit-${code.toLowerCase().replaceAll('_', '-')}-${typeof body.amount}`);
    const { id } = await depositIn(world, brl('500.00'), 'PIX_KEY');
    expect(await pay(world, id, body)).toMatchObject({ status: 400, body: { code } });
    expect((await operationIn(harness, world, id)).currentState.status).toBe('REQUESTED');
  });

  // §D10a-reasons
  it.each([
    ['.18', ['REQUESTED', 'FAILED'], 'PAYMENT_NOT_RECEIVED', 0],
    ['.21', ['REQUESTED', 'PROCESSING', 'ON_HOLD'], 'AMOUNT_MISMATCH', 1],
    ['.15', ['REQUESTED', 'PROCESSING', 'FAILED'], 'COMPLIANCE_REJECTED', 1],
    ['.17', ['REQUESTED', 'PROCESSING', 'ON_HOLD'], 'COMPLIANCE_REVIEW', 1],
    ['.19', ['REQUESTED', 'PROCESSING', 'ACTION_REQUIRED'], 'ADDITIONAL_INFORMATION_REQUIRED', 1],
  ])('of 50%s ends with the status and reason that these magic cents define', async (cents, path, code, transactions) => {
    const world = await harness.world(`deposit-magic-${cents.slice(1)}`);
    const { id } = await depositIn(world, { sourceAsset: 'USD', targetAsset: 'BRL', targetAmount: `50${cents}` }, 'WIRE');
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    const operation = await operationIn(harness, world, id);
    expect(statuses(operation)).toEqual(path);
    expect(operation.currentState.reason.code).toBe(code);
    expect(operation.transactions).toHaveLength(transactions);
  });

  it.each(['18', '21'])('is the only type of operation for which the cents .%s are magic', async (cents) => {
    const world = await harness.world(`withdrawal-magic-${cents}`);
    const { id } = await withdraw(harness, world, `50.${cents}`);
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    expect((await operationIn(harness, world, id)).currentState.status).toBe('COMPLETED');
  });

  it('continues with its scheduled steps after a forced payment', async () => {
    const world = await harness.world('deposit-plan');
    const { id } = await depositIn(world, brl('500.00'), 'PIX_KEY');
    await pay(world, id);
    await harness.control('POST', '/clock/advance', { by: 'PT2S' }, world);
    expect(statuses(await operationIn(harness, world, id))).toEqual(['REQUESTED', 'PROCESSING', 'COMPLETED']);
  });

  it('is paid once by a scenario that pays twice; a withdrawal ignores both payments', async () => {
    const world = await harness.world('deposit-step', {
      scenario: 'manual',
    });
    const inline = {
      summary: 'Payments arrive late, and twice.',
      rules: [
        {
          on: 'OPERATION',
          steps: [
            { after: '10s', pay: {} },
            { after: '1s', pay: { amount: '1.00' } },
            { after: '1s', to: 'COMPLETED' },
          ],
        },
      ],
    };
    expect((await harness.control('PUT', '/scenario', { inline }, world)).status).toBe(200);
    const { id } = await depositIn(world, brl('500.00'), 'PIX_KEY');
    const withdrawal = await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { by: 'PT12S' }, world);
    const { states } = await operationIn(harness, world, id);
    expect(states.map((each: { status: string; createdAt: string }) => `${each.status} ${each.createdAt.slice(17, 19)}`)).toEqual([
      'REQUESTED 00',
      'PROCESSING 10',
      'COMPLETED 12',
    ]);
    expect((await operationIn(harness, world, withdrawal.id)).currentState.status).toBe('REQUESTED');
  });

  // §D9-deposit-rail
  it.each([
    ['an unknown account', 404, 'RESOURCE_NOT_FOUND', { accountId: randomUUID() }, 'BRL'],
    ['an unknown quote', 404, 'RESOURCE_NOT_FOUND', { quoteId: randomUUID() }, 'BRL'],
    ['a quote of another account', 422, 'QUOTE_ACCOUNT_MISMATCH', { accountId: 'second' }, 'BRL'],
    ['a target asset that the account lacks', 422, 'ASSET_NOT_ENABLED', {}, 'EUR'],
    ['a rail that does not carry the source asset', 422, 'RAIL_NOT_AVAILABLE', { fundingInstruction: { rail: 'SEPA' } }, 'BRL'],
    [
      'a network that does not carry the source asset',
      422,
      'RAIL_NOT_AVAILABLE',
      { fundingInstruction: { rail: 'CRYPTO', network: 'TRON' } },
      'BRL',
    ],
  ])('rejects %s', async (what, status, code, changes, targetAsset) => {
    const world = await harness.world(`deposit-${what.replaceAll(' ', '-')}`);
    const { accountId, accountIds } = fixtureIds(harness, world);
    const sourceAsset = what.startsWith('a network') ? 'USDC' : 'BRL';
    const quote = await quoteIn(harness, world, { accountId, sourceAsset, targetAsset, sourceAmount: '10' });
    const body = { accountId, quoteId: quote.id, fundingInstruction: { rail: 'PIX_KEY' }, ...changes };
    if (body.accountId === 'second') body.accountId = accountIds[1]!;
    const answer = await request(harness, world, 'deposit', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(harness.sandbox.world(world).state.quotes.get(quote.id)?.consumedAt).toBeNull();
  });

  it('requires an active account and an unexpired, unused quote', async () => {
    const world = await harness.world('deposit-quote');
    const { accountId, accountIds } = fixtureIds(harness, world);
    const fundingInstruction = { rail: 'PIX_KEY' };
    const onboarding = accountIds[3]!;
    const early = await quoteIn(harness, world, { accountId: onboarding, ...brl('5') });
    expect((await request(harness, world, 'deposit', { accountId: onboarding, quoteId: early.id, fundingInstruction })).body.code).toBe(
      'ACCOUNT_NOT_ACTIVE',
    );
    const used = await depositIn(world, brl('5'), 'PIX_KEY');
    const body = { accountId, quoteId: used.quote.id, fundingInstruction };
    expect(await request(harness, world, 'deposit', body)).toMatchObject({ status: 422, body: { code: 'QUOTE_ALREADY_CONSUMED' } });
    await harness.control('POST', '/clock/advance', { by: 'PT31S' }, world);
    expect(await request(harness, world, 'deposit', body)).toMatchObject({ status: 422, body: { code: 'QUOTE_EXPIRED' } });
  });

  it.each([
    [
      {},
      [
        ['REQUIRED', 'body:accountId'],
        ['REQUIRED', 'body:quoteId'],
        ['REQUIRED', 'body:fundingInstruction'],
      ],
    ],
    [{ fundingInstruction: {} }, [['REQUIRED', 'body:fundingInstruction.rail']]],
    [{ fundingInstruction: { rail: 'PIGEON' } }, [['INVALID_ENUM', 'body:fundingInstruction.rail']]],
    [{ fundingInstruction: { rail: 'CRYPTO', network: 'DOGE' } }, [['INVALID_ENUM', 'body:fundingInstruction.network']]],
  ])('reports all errors of a request with %j', async (changes, items) => {
    const ids = { accountId: randomUUID(), quoteId: randomUUID() };
    const { status, body } = await request(harness, 'default', 'deposit', Object.keys(changes).length === 0 ? {} : { ...ids, ...changes });
    expect([status, body.code]).toEqual([400, 'INVALID_DATA']);
    expect(body.details.errors.map((each: { code: string; field: string }) => [each.code, each.field])).toEqual(items);
  });
});
