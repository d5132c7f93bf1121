import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';
import { companyRequest, createAccount } from '../../testing/onboarding.js';
import { fixtureIds, pixBeneficiary, withdraw, withdrawalBody } from '../../testing/withdrawals.js';

const harness = useHarness();
const why = async (id: string, world: string) => (await harness.control('GET', `/why/${id}`, undefined, world)).body;
const kindsOf = (entries: { what: string; cause: { kind: string } }[]) => entries.map(({ what, cause }) => `${what} by ${cause.kind}`);

describe('why', () => {
  it('explains an operation with its request, rule, steps, webhooks and postings', async () => {
    const world = await harness.world('why');
    await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', resources: [{ name: 'OPERATION' }] } }, world);
    const { id } = await withdraw(harness, world, '10.00');
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    const { resource, status, plan, entries } = await why(id, world);
    expect({ resource, status }).toEqual({ resource: 'OPERATION', status: 'COMPLETED' });
    expect(plan).toMatchObject({ scenario: 'default', rule: 'operations settle', isWaiting: false });
    expect(plan.steps.map((step: { outcome: string }) => step.outcome)).toEqual(['PAST', 'PAST']);
    expect(new Set(kindsOf(entries).map((each) => each.replace(/^.* \(customer:.* by/, 'LEDGER by')))).toEqual(
      new Set([
        'REQUESTED by REQUEST',
        'OPERATION_REQUESTED for http://localhost:9/, SUCCESS by REQUEST',
        'PROCESSING by RULE',
        'COMPLETED by RULE',
        'OPERATION_COMPLETED for http://localhost:9/, SUCCESS by RULE',
        'LEDGER by RULE',
      ]),
    );
    expect(entries[0].cause).toMatchObject({ summary: 'POST /api/operations/withdrawal, answered 201', call: { status: 201 } });
    const completed = entries.find((each: { what: string }) => each.what === 'COMPLETED');
    expect(completed.cause.rule).toEqual({ scenario: 'default', name: 'operations settle', step: 2 });

    const delivery = entries.find((each: { what: string }) => each.what.startsWith('OPERATION_COMPLETED'));
    const message = await why(delivery.id, world);
    expect(message).toMatchObject({
      resource: 'DELIVERY',
      status: 'SUCCESS',
      entries: [{ kind: 'DELIVERY' }, { kind: 'ATTEMPT', what: 'SUCCESS, 200' }],
    });
    expect(await why(message.entries[1].id, world)).toMatchObject({ resource: 'DELIVERY' });
    const ledger = entries.find((each: { kind: string }) => each.kind === 'LEDGER');
    expect(await why(ledger.id, world)).toMatchObject({ resource: 'LEDGER_ENTRY', entries: [{ kind: 'LEDGER' }] });
  });

  it('names the control request that forced a step, and the skipped steps', async () => {
    const world = await harness.world('why-forced');
    const rules = [{ name: 'odd', on: 'OPERATION', steps: ['ON_HOLD', 'PROCESSING', 'COMPLETED'].map((to) => ({ after: '1s', to })) }];
    await harness.control('PUT', '/scenario', { inline: { rules } }, world);
    const { id } = await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { by: '2s' }, world);
    await harness.control('POST', `/operations/${id}/fail`, { reason: { code: 'COMPLIANCE_REJECTED', message: 'By hand.' } }, world);
    const { plan, entries } = await why(id, world);
    expect(plan.steps.map((step: { outcome: string; skippedIn: string | null }) => [step.outcome, step.skippedIn])).toEqual([
      ['SKIPPED', 'REQUESTED'],
      ['PAST', null],
      ['PAST', null],
    ]);
    expect(entries.at(-1)).toMatchObject({
      what: 'FAILED',
      reason: { message: 'By hand.' },
      cause: { kind: 'CONTROL', call: { path: `/_sandbox/operations/${id}/fail`, status: 200 } },
    });
  });

  it('separates the effects of a request with a lost response from those of its repetition', async () => {
    const world = await harness.world('why-lost');
    const { accountId, approved } = fixtureIds(harness, world);
    const make = async (quoteId: string, key: string) =>
      harness.api('POST', '/api/operations/withdrawal', { key, body: withdrawalBody(accountId, quoteId, approved) }, world);
    const quote = async () =>
      (
        await harness.api(
          'POST',
          '/api/quotes',
          { body: { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' } },
          world,
        )
      ).body.id as string;
    const before = harness.sandbox.world(world).state.operations.size;
    const first = await quote();
    const fault = { on: 'REQUEST', when: { operationId: 'createWithdrawal' }, phase: 'after_commit', times: 1, effect: { status: 503 } };
    const { body: made } = await harness.control('POST', '/faults', fault, world);
    const [lostKey, newKey] = [randomUUID(), randomUUID()];
    expect((await make(first, lostKey)).status).toBe(503);
    const replayed = await make(first, lostKey);
    expect(replayed).toMatchObject({ status: 201 });
    expect(replayed.headers.get('x-idempotent-replay')).toBe('true');
    const again = await make(await quote(), newKey);
    expect(harness.sandbox.world(world).state.operations.size - before).toBe(2);
    const [lost] = (await why(replayed.body.id, world)).entries;
    const [second] = (await why(again.body.id, world)).entries;
    expect(lost.cause.call).toMatchObject({ status: 503, idempotencyKey: lostKey, ruleId: `fault:${made.id}` });
    expect(second.cause.call).toMatchObject({ status: 201, idempotencyKey: newKey, ruleId: null });
  });

  it('lists the possible actions, including those of assets, except actions that the account prevents', async () => {
    const world = await harness.world('why-possible');
    const { accountId, approved } = fixtureIds(harness, world);
    const instruction = approved.paymentInstructions[0]!.id;
    expect((await why(instruction, world)).possible).toEqual([]);
    expect((await why(approved.id, world)).possible).toEqual([{ verb: 'reject', to: 'REJECTED' }]);
    const ofBrl = async () => (await why(accountId, world)).possible.filter(({ asset }: { asset?: string }) => asset === 'BRL');
    expect(await ofBrl()).toEqual([
      { verb: 'freeze', to: 'FROZEN', asset: 'BRL' },
      { verb: 'deactivate', to: 'DEACTIVATED', asset: 'BRL' },
    ]);
    await harness.control('POST', `/accounts/${accountId}/close`, undefined, world);
    expect((await why(accountId, world)).possible).toEqual([]);
    const refused = await harness.control('POST', `/accounts/${accountId}/assets/BRL/freeze`, undefined, world);
    expect(refused).toMatchObject({ status: 422, body: { details: { actions: [] } } });
    const again = await harness.control('POST', `/beneficiaries/${approved.id}/approve`, undefined, world);
    expect(again.body.message).toMatch(/Allowed control requests: reject\.$/);
    expect(again.body.details.actions).toEqual([{ verb: 'reject', to: 'REJECTED' }]);
  });

  it('shows the next scheduled step without any change of the world', async () => {
    const world = await harness.world('why-next');
    const { id } = await withdraw(harness, world);
    const before = JSON.stringify((await harness.control('GET', '/state', undefined, world)).body);
    expect((await why(id, world)).possible).toEqual([
      { verb: 'process', to: 'PROCESSING' },
      { verb: 'complete', to: 'COMPLETED' },
      { verb: 'fail', to: 'FAILED' },
      { verb: 'next', to: 'PROCESSING' },
    ]);
    expect(JSON.stringify((await harness.control('GET', '/state', undefined, world)).body)).toBe(before);
  });

  it('explains fixtures, and returns an error for unknown ids', async () => {
    const world = await harness.world('why-fixtures');
    const { accountId, pending } = fixtureIds(harness, world);
    expect((await why(accountId, world)).entries[0].cause).toMatchObject({ kind: 'OTHER', summary: 'The fixtures of the world' });
    expect(await why(pending.paymentInstructions[0]!.id, world)).toMatchObject({
      resource: 'PAYMENT_INSTRUCTION',
      status: 'PENDING_REVIEW',
    });
    expect(await harness.control('GET', `/why/${randomUUID()}`, undefined, world)).toMatchObject({ status: 404 });
  });

  it('reports that the clock is frozen, and when the next step is due', async () => {
    const world = await harness.world('why-frozen');
    const { id } = await withdraw(harness, world);
    expect((await why(id, world)).notes).toEqual([
      expect.stringMatching(
        /^The next step is due at .*, but the clock of this world is frozen at .*POST \/_sandbox\/clock\/advance fires it\.$/,
      ),
    ]);
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    expect((await why(id, world)).notes).toEqual([]);
  });

  it('shows the numbers of an insufficient balance', async () => {
    const world = await harness.world('why-balance', { scenario: 'insufficient-funds' });
    const { accountId } = fixtureIds(harness, world);
    const { id } = await withdraw(harness, world, '10.00');
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    const { status, notes } = await why(id, world);
    expect(status).toBe('FAILED');
    expect(notes).toEqual([
      expect.stringMatching(new RegExp(`^[0-9.]+ BRL is required; account ${accountId} has [0-9.]+ BRL now\\. A rule of the scenario `)),
    ]);
  });

  it('lists the open requirements of an account', async () => {
    const world = await harness.world('why-requirements');
    const body = await createAccount(harness, world, companyRequest());
    const { status, notes } = await why(body.id, world);
    expect(status).toBe('ACTION_REQUIRED');
    expect(notes).toContainEqual(expect.stringMatching(/^Required: .*: CURRENTLY_DUE\.$/));
  });

  it('names the last response of the endpoint for a webhook that failed', async () => {
    const world = await harness.world('why-webhook');
    await harness.control('PUT', '/inbox/bin/responses', [{ status: 503 }], world);
    const url = `http://localhost:4010/_sandbox/inbox/bin?world=${world}`;
    const { body } = await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);
    const { id } = await withdraw(harness, world);
    await harness.quiet(world);
    const { entries } = await why(id, world);
    const delivery = entries.find(({ kind }: { kind: string }) => kind === 'DELIVERY');
    expect(delivery.what).toBe(`OPERATION_REQUESTED for ${url}, FAILED, last response 503`);
    expect((await why(delivery.id, world)).notes).toEqual([
      'OPERATION_REQUESTED is not sent again, because its subscription does not allow retries.',
    ]);
    const subscription = await why(body.id, world);
    expect(subscription).toMatchObject({ resource: 'SUBSCRIPTION', notes: [expect.any(String), 'Deliveries: 1 FAILED.'] });
    expect(kindsOf(subscription.entries)).toContain('createSubscription 201 by REQUEST');
    const message = (await harness.control('GET', '/inbox/bin/messages', undefined, world)).body.data[0];
    expect(await why(encodeURIComponent(message.id), world)).toMatchObject({
      resource: 'INBOX_MESSAGE',
      status: 'VALID',
      entries: [{ id: delivery.id }],
    });
  });

  it('explains requests, quotes, idempotency keys, faults, timers and findings', async () => {
    const world = await harness.world('why-any');
    const { accountId, approved } = fixtureIds(harness, world);
    const fault = { on: 'REQUEST', when: { operationId: 'createWithdrawal' }, phase: 'after_commit', times: 1, effect: { status: 503 } };
    const { body: made } = await harness.control('POST', '/faults', fault, world);
    const priced = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' };
    const { body: quote } = await harness.api('POST', '/api/quotes', { body: priced }, world);
    expect(await why(quote.id, world)).toMatchObject({ resource: 'QUOTE', status: 'UNUSED', notes: [expect.stringContaining('until')] });
    const key = randomUUID();
    const pay = () =>
      harness.api('POST', '/api/operations/withdrawal', { key, body: withdrawalBody(accountId, quote.id, approved) }, world);
    const lost = await pay();
    const replayed = await pay();
    const operation = replayed.body.id as string;
    expect(await why(quote.id, world)).toMatchObject({ status: 'CONSUMED', notes: [`Operation ${operation} used the quote.`] });

    const request = await why(lost.headers.get('x-request-id')!, world);
    expect(request).toMatchObject({ resource: 'REQUEST', status: '503' });
    expect(request.notes).toContainEqual(`The response was LOST because of fault:${made.id}.`);
    expect(request.entries.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(['createWithdrawal 503 SERVICE_UNAVAILABLE LOST', `OPERATION ${operation}`]),
    );
    const ofKey = await why(key, world);
    expect(ofKey).toMatchObject({ resource: 'IDEMPOTENCY_KEY', entries: [{ kind: 'REQUEST' }, { what: 'createWithdrawal 201' }] });
    expect(ofKey.notes[0]).toMatch(/^The response 201 is stored for this key until /);
    expect((await why(made.id, world)).notes).toEqual([expect.stringMatching(/^The fault was injected once: /)]);
    const [timer] = harness.sandbox.world(world).state.jobs.values();
    expect(await why(timer!.id, world)).toMatchObject({ resource: 'TIMER', notes: [expect.stringContaining(operation)] });
    await harness.api('POST', '/api/quotes', { key, body: priced }, world); // A key for two different requests.
    const { body: findings } = await harness.control('GET', '/findings', undefined, world);
    expect(await why(findings.data[0].id, world)).toMatchObject({ resource: 'FINDING', status: 'NEW' });
  });

  it('explains ids of an earlier generation, with a note', async () => {
    const world = await harness.world('why-earlier');
    const { id } = await withdraw(harness, world);
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    const { body } = await harness.control('GET', '/requests?limit=1', undefined, world);
    await harness.control('POST', '/reset', undefined, world);
    const note = 'The id belongs to generation 1 of the world, which a reset, restore or import ended. Generation 2 is current.';
    const earlier = await why(id, world);
    expect(earlier).toMatchObject({ resource: 'OPERATION', status: 'COMPLETED', notes: [note] });
    expect(earlier.entries.map(({ what }: { what: string }) => what)).toEqual(expect.arrayContaining(['REQUESTED', 'COMPLETED']));
    expect((await why(body.data[0].id, world)).notes).toContain(note);
  });

  it('rejects ids with spaces, and ids that are too long', async () => {
    for (const id of ['a%20b', 'x'.repeat(256)]) expect(await harness.control('GET', `/why/${id}`)).toMatchObject({ status: 400 });
  });
});

describe('await', () => {
  it('responds when operations, instructions and accounts reach the status', async () => {
    const world = await harness.world('await');
    const { id } = await withdraw(harness, world);
    const { body } = await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    const { accountId } = fixtureIds(harness, world);
    const waiting = harness.control('GET', `/operations/${id}/await?status=COMPLETED`, undefined, world);
    const review = harness.control('GET', `/payment-instructions/${body.paymentInstruction.id}/await?status=APPROVED`, undefined, world);
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    expect(await waiting).toMatchObject({ status: 200, body: { id, currentState: { status: 'COMPLETED' } } });
    expect(await review).toMatchObject({ status: 200, body: { status: 'APPROVED' } });
    const account = await harness.control('GET', `/accounts/${accountId}/await?status=ACTIVE`, undefined, world);
    expect(account).toMatchObject({ status: 200, body: { id: accountId } });
  });

  it.each([
    [
      'COMPLETED',
      1,
      'The status is still REQUESTED after 1 ms, not COMPLETED. The clock of this world is frozen. POST /_sandbox/clock/advance fires pending timers.',
    ],
    ['FAILED', 60_000, 'The status is COMPLETED, which is final; it cannot become FAILED.'],
  ])('fails if the resource does not reach the status %s in time or at all', async (status, timeoutMs, message) => {
    const world = await harness.world(`await-${status.toLowerCase()}`);
    const { id } = await withdraw(harness, world);
    if (timeoutMs > 1) await harness.control('POST', `/operations/${id}/complete`, undefined, world);
    const answer = await harness.control('GET', `/operations/${id}/await?status=${status}&timeoutMs=${timeoutMs}`, undefined, world);
    expect(answer).toMatchObject({ status: 408, body: { code: 'WAIT_TIMEOUT', message } });
  });

  it('reports that no timer is pending', async () => {
    const world = await harness.world('await-for-ever', { scenario: 'manual' });
    const { id } = await withdraw(harness, world);
    const answer = await harness.control('GET', `/operations/${id}/await?status=COMPLETED&timeoutMs=1`, undefined, world);
    expect(answer.body.message).toBe(
      `The status is still REQUESTED after 1 ms, not COMPLETED. No timer is pending for this resource. GET /_sandbox/why/${id} shows the possible actions.`,
    );
  });
});
