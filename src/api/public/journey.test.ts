import { describe, expect, it } from 'vitest';
import { InstructionEventSchema, OperationEventSchema } from '../../contract/public/events.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw, withdrawalBody } from '../../testing/withdrawals.js';

const harness = useHarness();
const company = {
  assets: [{ code: 'BRL', isVirtual: true }, { code: 'USDT' }],
  owner: {
    type: 'COMPANY',
    legalName: 'Rio Claro Exportadora Ltda',
    taxId: { type: 'CNPJ', value: '42.273.345/0001-69' },
    industry: 'WHOLESALE',
    address: { addressLine1: 'Rua 1', city: 'Rio Claro', state: 'SP', country: 'BR', postalCode: '13500-000' },
  },
};

describe('the payments API with the default scenario', () => {
  // §4.2-create-account §D7-segment §D7-virtual
  it('creates a company account that requires documents', async () => {
    const world = await harness.world('company');
    const { status, body } = await harness.api('POST', '/api/accounts', { body: company }, world);
    expect(status).toBe(201);
    expect(body.currentState).toEqual({ status: 'ACTION_REQUIRED', createdAt: '2026-11-21T12:00:00.000Z', reason: null });
    expect(body.owner.taxId).toEqual({ type: 'CNPJ', value: '42273345000169' });
    expect(body.assets).toEqual([
      { asset: 'BRL', allowsVirtualAccounts: true, status: 'ONBOARDING' },
      { asset: 'USDT', allowsVirtualAccounts: false, status: 'ONBOARDING' },
    ]);
    expect(body.requirements.currentlyDue.map((each: { documentType: string }) => each.documentType)).toContain('ARTICLES_OF_ASSOCIATION');
    expect(body.tags).toContainEqual({ key: 'segment', value: 'STANDARD_COMPANY' });
  });

  it('creates an individual account that requires an identity document and a proof of address', async () => {
    const world = await harness.world('individual');
    const owner = {
      type: 'INDIVIDUAL',
      firstName: 'Helena',
      lastName: 'Prado',
      taxId: { type: 'CPF', value: '271.828.182-05' },
      address: company.owner.address,
    };
    const { status, body } = await harness.api('POST', '/api/accounts', { body: { assets: [{ code: 'BRL' }], owner } }, world);
    expect(status).toBe(201);
    expect(body.owner.birthDate).toBeNull();
    expect(body.requirements.currentlyDue.map((each: { group: string; documentType: string }) => each.group ?? each.documentType)).toEqual([
      'IDENTITY_VERIFICATION',
      'PROOF_OF_ADDRESS',
    ]);
  });

  // §D10-review §4.5-create-beneficiary
  it('approves a new beneficiary after a delay', async () => {
    const world = await harness.world('review');
    const created = await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    expect(created.status).toBe(201);
    expect(created.body.status).toBe('PENDING_REVIEW');
    expect(created.body.paymentInstruction).toEqual(created.body.paymentInstructions[0]);
    await harness.control('POST', '/clock/advance', { by: 'PT2S' }, world);
    const reviewed = await harness.api('GET', `/api/beneficiaries/${created.body.id}`, {}, world);
    expect(reviewed.body.status).toBe('APPROVED');
    expect(reviewed.body.paymentInstructions[0].states.map((each: { status: string }) => each.status)).toEqual([
      'PENDING_REVIEW',
      'APPROVED',
    ]);
    expect(reviewed.body).not.toHaveProperty('paymentInstruction');
  });

  // §D10a-reasons §3-instruction-rejected
  it.each([
    ['Rejected', 'HOLDER_MISMATCH'],
    ['Sanctioned', 'SANCTIONS_MATCH'],
    ['Invalid', 'INVALID_DESTINATION'],
  ])('rejects the payment instruction of a holder named %s with the reason %s', async (lastName, code) => {
    const world = await harness.world(`reject-${lastName.toLowerCase()}`);
    const { body } = await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary({ lastName }) }, world);
    await harness.control('POST', '/clock/advance', { by: '2s' }, world);
    const reviewed = await harness.api('GET', `/api/beneficiaries/${body.id}`, {}, world);
    expect(reviewed.body.status).toBe('REJECTED');
    expect(reviewed.body.paymentInstructions[0].currentState.reason.code).toBe(code);
  });

  // §4.6-source-amount §4.6-target-amount §D8-rate
  it.each([
    ['BRL', { sourceAmount: '100.00' }, { source: '100.00', target: '100.00', rate: '1.00' }],
    ['BRL', { targetAmount: '100.1' }, { source: '100.10', target: '100.10', rate: '1.00' }],
    // 0.1850 / 0.9995 * 0.995 = 0.18416708354…
    ['USDT', { sourceAmount: '100.00' }, { source: '100.00', target: '18.416708', rate: '0.1841670835' }],
    ['USDT', { targetAmount: '18.416708' }, { source: '100.00', target: '18.416708', rate: '0.1841670835' }],
  ])('quotes a conversion from BRL to %s for %o', async (targetAsset, amount, expected) => {
    const { accountId } = fixtureIds(harness);
    const { status, body } = await harness.api('POST', '/api/quotes', { body: { accountId, sourceAsset: 'BRL', targetAsset, ...amount } });
    expect(status).toBe(201);
    expect({ source: body.sourceAmount.value, target: body.targetAmount.value, rate: body.effectiveRate.value }).toEqual(expected);
    expect(Date.parse(body.expiresAt) - harness.realMs).toBe(30_000);
  });

  // §4.7-response §3-completed §2.2-states
  it('moves a withdrawal from REQUESTED through PROCESSING to COMPLETED and notifies its subscribers', async () => {
    const world = await harness.world('withdrawal');
    harness.attempts.length = 0;
    const subscription = await harness.api(
      'POST',
      '/api/subscriptions',
      { body: { url: 'http://localhost:9000/hooks', includeAll: true } },
      world,
    );
    expect(subscription.status).toBe(201);
    expect(subscription.body.resources.map((each: { name: string }) => each.name)).toEqual(['OPERATION', 'BENEFICIARY', 'ACCOUNT']);

    const requested = await withdraw(harness, world);
    expect(requested.currentState.status).toBe('REQUESTED');
    expect(requested.transactions).toEqual([]);
    expect(requested.quote.consumedAt).toBe('2026-11-21T12:00:00.000Z');

    await harness.control('POST', '/clock/advance', { by: 'PT1S' }, world);
    const processing = await harness.api('GET', `/api/operations/${requested.id}`, {}, world);
    expect(processing.body.currentState.status).toBe('PROCESSING');
    expect(processing.body.transactions).toMatchObject([{ type: 'PIX', direction: 'DEBIT', status: 'PROCESSING' }]);
    expect(processing.body.transactions[0].endToEnd).toMatch(/^E99990101202611211200[0-9A-Za-z]{11}$/);

    const advanced = await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    const completed = await harness.api('GET', `/api/operations/${requested.id}`, {}, world);
    expect(completed.body.states.map((each: { status: string; createdAt: string }) => [each.status, each.createdAt])).toEqual([
      ['REQUESTED', '2026-11-21T12:00:00.000Z'],
      ['PROCESSING', '2026-11-21T12:00:01.000Z'],
      ['COMPLETED', '2026-11-21T12:00:03.000Z'],
    ]);
    expect(completed.body.transactions[0].status).toBe('CONFIRMED');
    expect(advanced.body.deliveries).toMatchObject([{ eventType: 'OPERATION_COMPLETED', httpStatus: 200, attempt: 1 }]);

    expect(harness.attempts.map((each) => each.headers['x-event-type'])).toEqual(['OPERATION_REQUESTED', 'OPERATION_COMPLETED']);
    for (const attempt of harness.attempts) {
      const payload: unknown = JSON.parse(attempt.body);
      expect(OperationEventSchema.parse(payload)).toEqual(payload);
      expect(payload).toMatchObject({ id: requested.id, quote: null, customerId: requested.customerId });
    }
    const logs = await harness.api('GET', `/api/subscriptions/${subscription.body.id}/executionLogs`, {}, world);
    expect(logs.body.data.map((each: { eventType: string; status: string }) => [each.eventType, each.status])).toEqual([
      ['OPERATION_COMPLETED', 'SUCCESS'],
      ['OPERATION_REQUESTED', 'SUCCESS'],
    ]);
    const log = logs.body.data[1];
    expect(log.payload).toBe(harness.attempts[0]!.body);
    expect((await harness.api('GET', `/api/subscriptions/${subscription.body.id}/executionLogs/${log.id}`, {}, world)).body).toEqual(log);
  });

  // §3-instruction-created §3-instruction-approved §3-instruction-rejected
  it('notifies subscribers of each status of a payment instruction', async () => {
    const world = await harness.world('instruction-events');
    harness.attempts.length = 0;
    await harness.api(
      'POST',
      '/api/subscriptions',
      { body: { url: 'http://localhost:9000/', resources: [{ name: 'BENEFICIARY' }] } },
      world,
    );
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary({ lastName: 'Rejected' }) }, world);
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    expect(harness.attempts.map((each) => each.headers['x-event-type']?.replace('BENEFICIARY_PAYMENT_INSTRUCTION_', ''))).toEqual([
      'CREATED',
      'CREATED',
      'APPROVED',
      'REJECTED',
    ]);
    for (const attempt of harness.attempts) {
      const payload: unknown = JSON.parse(attempt.body);
      expect(InstructionEventSchema.parse(payload)).toEqual(payload);
    }
  });

  // §D10a-reasons §3-failed
  it.each([
    ['.11', 'INSUFFICIENT_BALANCE'],
    ['.12', 'BENEFICIARY_ACCOUNT_CLOSED'],
    ['.13', 'BENEFICIARY_BANK_REJECTED'],
    ['.14', 'RAIL_UNAVAILABLE'],
    ['.15', 'COMPLIANCE_REJECTED'],
    ['.16', 'LIMIT_EXCEEDED'],
    ['.20', 'PROVIDER_ERROR'],
  ])('fails a withdrawal of 50%s with the reason %s and moves no money', async (cents, code) => {
    const world = await harness.world(`fail-${cents.slice(1)}`);
    harness.attempts.length = 0;
    await harness.api(
      'POST',
      '/api/subscriptions',
      { body: { url: 'http://localhost:9000/', resources: [{ name: 'OPERATION', events: ['OPERATION_FAILED'] }] } },
      world,
    );
    const { id } = await withdraw(harness, world, `50${cents}`);
    const balances = [...harness.sandbox.world(world).state.balances.values()];
    await harness.control('POST', '/clock/advance', { by: 'PT1M' }, world);
    const { body } = await harness.api('GET', `/api/operations/${id}`, {}, world);
    expect(body.currentState).toMatchObject({ status: 'FAILED', reason: { code } });
    expect(body.transactions[0].status).toBe('FAILED');
    expect([...harness.sandbox.world(world).state.balances.values()]).toEqual(balances);
    expect(harness.attempts.map((each) => JSON.parse(each.body).currentState.reason.code)).toEqual([code]);
  });

  // §D10a-reasons §D9-reasons
  it.each([
    ['.17', 'ON_HOLD', 'COMPLIANCE_REVIEW'],
    ['.19', 'ACTION_REQUIRED', 'ADDITIONAL_INFORMATION_REQUIRED'],
  ])('stops a withdrawal of 50%s in the status %s until it is forced to continue', async (cents, status, code) => {
    const world = await harness.world(`stop-${cents.slice(1)}`);
    const { id } = await withdraw(harness, world, `50${cents}`);
    await harness.control('POST', '/clock/advance', { by: 'PT30M' }, world);
    const stopped = await harness.api('GET', `/api/operations/${id}`, {}, world);
    expect(stopped.body.currentState).toMatchObject({ status, reason: { code } });
    const completed = await harness.control('POST', `/operations/${id}/complete`, undefined, world);
    expect(completed.body.states.map((each: { status: string }) => each.status)).toEqual([
      'REQUESTED',
      'PROCESSING',
      status,
      'PROCESSING',
      'COMPLETED',
    ]);
  });

  // §D8-insufficient
  it('fails a withdrawal without sufficient funds at settlement, unless it is forced to complete', async () => {
    const world = await harness.world('overdraft');
    const natural = await withdraw(harness, world, '1250000.01');
    const forced = await withdraw(harness, world, '1250000.02');
    await harness.control('POST', `/operations/${forced.id}/complete`, undefined, world);
    await harness.control('POST', '/clock/advance', { by: 'PT5S' }, world);
    const failed = await harness.api('GET', `/api/operations/${natural.id}`, {}, world);
    expect(failed.body.currentState).toMatchObject({ status: 'FAILED', reason: { code: 'INSUFFICIENT_BALANCE' } });
    const { accountId } = fixtureIds(harness, world);
    expect(harness.sandbox.world(world).state.balances.get(`customer:${accountId}/BRL`)?.value).toBe('-0.02');
  });

  // §D8-ledger §D8-spread-fee §2.2-percentage-fee
  it('posts a conversion to the ledger with the spread as a fee; the postings of each asset add up to zero', async () => {
    const world = await harness.world('conversion');
    const { accountId, approved } = fixtureIds(harness, world);
    const quote = await harness.api(
      'POST',
      '/api/quotes',
      { body: { accountId, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '100.00' } },
      world,
    );
    const { body } = await harness.api(
      'POST',
      '/api/operations/withdrawal',
      { body: withdrawalBody(accountId, quote.body.id, approved) },
      world,
    );
    expect(body.fees).toEqual([
      { type: 'PERCENTAGE', amount: { value: '0.50', asset: 'USD', decimals: 2 }, source: 'FX_SPREAD', percentage: '0.0050' },
    ]);
    await harness.control('POST', `/operations/${body.id}/complete`, undefined, world);
    const entry = [...harness.sandbox.world(world).state.ledgerEntries.values()].at(-1);
    expect(entry?.postings).toEqual([
      { account: `customer:${accountId}`, asset: 'USD', amount: '-100.00' },
      { account: 'fees:FX_SPREAD', asset: 'USD', amount: '0.50' },
      { account: 'fx', asset: 'USD', amount: '99.50' },
      { account: 'fx', asset: 'BRL', amount: `-${body.targetAmount.value}` },
      { account: 'rail:PIX_KEY', asset: 'BRL', amount: body.targetAmount.value },
    ]);
  });
});
