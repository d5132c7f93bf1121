import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ReportSchema, type Report } from '../../contract/control/analysis/report.js';
import { useHarness } from '../../testing/harness.js';
import { reconcileScene } from '../../testing/reconcile.js';
import { fixtureIds, withdrawalBody } from '../../testing/withdrawals.js';

const harness = useHarness();

async function reportOn(world: string, query = ''): Promise<Report> {
  const { body } = await harness.control('GET', `/report?world=${world}${query}`);
  return ReportSchema.parse(body);
}

/** Creates a world in which a client pays 25.00 BRL twice and accepts each webhook, but reads nothing. */
async function scene() {
  harness.receive = () => Promise.resolve({ httpStatus: 204, error: null });
  const made = await reconcileScene(harness);
  const first = await made.transfer();
  const second = await made.transfer();
  await made.advance();
  const read = async ({ id }: { id: string }) => {
    expect((await harness.api('GET', `/api/operations/${id}`, {}, made.world)).status).toBe(200);
  };
  return { ...made, first, second, read };
}

const inReview = 'PAYMENT_INSTRUCTION_NOT_APPROVED';
const kindsOf = ({ notProven }: Report) => notProven.map(({ kind }) => kind);

describe('a report that passes', () => {
  it('lists with their money the payments, outcomes, endpoints and faults about which nothing is proven', async () => {
    const { world, first, second } = await scene();
    const report = await reportOn(world);
    expect(report).toMatchObject({ verdict: 'PASSED', exitCode: 0 });
    const [pairs, outcomes, endpoints, faults] = report.notProven;
    expect(pairs).toMatchObject({ kind: 'EQUAL_PAYMENTS', count: 1, money: [{ value: '25.00', asset: 'BRL' }], examples: [second.id] });
    expect(outcomes).toMatchObject({ kind: 'OUTCOMES_NOT_READ', count: 2, money: [{ value: '50.00', asset: 'BRL' }] });
    expect(outcomes!.examples.toSorted()).toEqual([first.id, second.id].toSorted());
    expect(endpoints).toMatchObject({ kind: 'SIGNATURES_NOT_TESTED', count: 1, examples: ['localhost/hooks'] });
    expect(faults).toMatchObject({ kind: 'FAULTS_NOT_TESTED', examples: expect.arrayContaining(['OPERATION_COMPLETED.drop']) as unknown });
    expect(faults!.examples).not.toContain('createWithdrawal.503');
    expect(report.why.at(-1)).toMatch(/^Not proven: 1 equal payment \(25\.00 BRL\); 2 unread outcomes \(50\.00 BRL\); 1 endpoint /);
    await harness.control('DELETE', `/worlds/${world}`);
    expect((await reportOn(world)).notProven).toEqual(report.notProven);
  });

  it('shows them in each format, as skipped test cases of JUnit', async () => {
    const { world } = await scene();
    for (const format of ['markdown', 'html', 'junit']) {
      const { text } = await harness.text(`/report?world=${world}&format=${format}`);
      expect(text).toContain('2 outcomes were never read');
    }
    const { text } = await harness.text(`/report?world=${world}&format=junit&strict=true`);
    expect(text).toMatch(/name="OUTCOMES_NOT_READ" time="0"><failure/);
  });

  it('fails for each of them if it is strict', async () => {
    const { world } = await scene();
    const { verdict, exitCode, why, notProven } = await reportOn(world, '&strict=true');
    expect([verdict, exitCode]).toEqual(['FAILED', 1]);
    expect(why).toEqual(notProven.map(({ text }) => expect.stringContaining(text) as string));
    expect((await reportOn(world, '&profile=webhooks-only')).verdict).toBe('FAILED');
    expect((await reportOn(world, '&profile=webhooks-only&strict=false')).verdict).toBe('INCONCLUSIVE');
  });

  it('lists no outcomes that the client has read', async () => {
    const { world, first, second, read } = await scene();
    for (const each of [first, second]) await read(each);
    expect(kindsOf(await reportOn(world))).not.toContain('OUTCOMES_NOT_READ');
  });

  it.each([
    ['just before the end of the run', '3s', 1],
    ['long before the end of the run, which a finding reports', '1m', 0],
  ])('lists an outcome without a webhook or a read if the payment ended %s', async (_when, by, count) => {
    const { world, transfer } = await reconcileScene(harness, {}, false);
    const { id } = await transfer();
    await harness.control('POST', `/operations/${id}/complete`, {}, world);
    await harness.control('POST', '/clock/advance', { by }, world);
    const { notProven, findings } = await reportOn(world, '&final=true');
    const listed = notProven.filter(({ kind }) => kind === 'OUTCOMES_NOT_READ');
    expect(listed.map(({ examples, money }) => [examples, money])).toEqual(count === 0 ? [] : [[[id], [{ value: '25.00', asset: 'BRL' }]]]);
    expect(findings.map(({ rule }) => rule)).toEqual(count === 0 ? ['outcome.never-learned'] : []);
  });

  it('lists no payment that repeats one of which the client has read that it failed', async () => {
    const { world, transfer } = await reconcileScene(harness, {}, false);
    const { id } = await transfer();
    await harness.control('POST', `/operations/${id}/fail`, {}, world);
    await harness.api('GET', `/api/operations/${id}`, {}, world);
    await transfer();
    expect(kindsOf(await reportOn(world))).not.toContain('EQUAL_PAYMENTS');
  });

  it('lists neither payments nor outcomes if complete records agree, until the next payment', async () => {
    const { world, reconcile, records, transfer, advance } = await scene();
    await reconcile({ operations: records().operations });
    expect(kindsOf(await reportOn(world))).toContain('OUTCOMES_NOT_READ');
    await reconcile({ operations: records().operations, complete: ['operations'] });
    expect(kindsOf(await reportOn(world))).toEqual(['SIGNATURES_NOT_TESTED', 'FAULTS_NOT_TESTED']);
    await transfer('31.00');
    await advance();
    expect(kindsOf(await reportOn(world))).toContain('OUTCOMES_NOT_READ');
  });

  it('lists the requests that repeat the key of a payment without need, and no retry', async () => {
    const { world, accountId, other } = await reconcileScene(harness, {}, false);
    const pay = async (key: string, headers: Record<string, string> = {}) => {
      const body = { sourceAccountId: accountId, targetAccountId: other, amount: { value: '25.00', asset: 'BRL' } };
      return harness.api('POST', '/api/operations/transfer', { body, key, headers }, world);
    };
    const [derived, named, lost] = [randomUUID(), randomUUID(), randomUUID()];
    const { body: first } = await pay(derived);
    for (let count = 0; count < 2; count += 1) await pay(derived);
    for (let count = 0; count < 2; count += 1) await pay(named, { 'X-Sandbox-Purpose': 'invoice 1' });
    const fault = { on: 'REQUEST', when: { operationId: 'createTransfer' }, phase: 'after_commit', times: 1, effect: { status: 503 } };
    await harness.control('POST', '/faults', fault, world);
    for (let count = 0; count < 2; count += 1) await pay(lost);
    const { notProven } = await reportOn(world);
    const expected = { count: 2, money: [{ value: '50.00', asset: 'BRL' }], examples: [first.id] };
    expect(notProven.find(({ kind }) => kind === 'KEYS_REPEATED')).toMatchObject(expected);
  });

  it('lists no request with the key of a payment after the client has read the end', async () => {
    const { world, accountId, other, advance } = await reconcileScene(harness, {}, false);
    const body = { sourceAccountId: accountId, targetAccountId: other, amount: { value: '25.00', asset: 'BRL' } };
    const pay = (key: string) => harness.api('POST', '/api/operations/transfer', { body, key }, world);
    const ended = randomUUID();
    const { id } = (await pay(ended)).body;
    await advance();
    expect((await harness.api('GET', `/api/operations/${id}`, {}, world)).body.currentState.status).toBe('COMPLETED');
    await pay(ended);
    expect(kindsOf(await reportOn(world))).not.toContain('KEYS_REPEATED');
  });

  it('counts at most 32 requests with the key of one payment', async () => {
    const { world, accountId, other } = await reconcileScene(harness, {}, false);
    const body = { sourceAccountId: accountId, targetAccountId: other, amount: { value: '25.00', asset: 'BRL' } };
    const key = randomUUID();
    for (let count = 0; count < 34; count += 1) await harness.api('POST', '/api/operations/transfer', { body, key }, world);
    const { notProven } = await reportOn(world);
    expect(notProven.find(({ kind }) => kind === 'KEYS_REPEATED')).toMatchObject({ count: 32, money: [{ value: '800.00', asset: 'BRL' }] });
  });

  it.each([
    ['whose cents may be cut off', ['1250', '310', '89', '4417', '640', '2075.00'], 6],
    ['just enough of which differ, and do not end with 0 or 5', ['1251', '310', '85', '4417', '640'], 5],
    ['that end with 0 or 5', ['1250', '315', '85', '4417', '640', '2075'], null],
    ['one of which has cents', ['1251', '311', '89', '4417', '641.05', '2075'], null],
    ['and others, none of whose cents end with 0', ['12504', '899', '310.75', '4417.33', '640.05', '158.27', '930.81'], 2],
    ['and others, some of whose cents end with 0', ['12504', '899', '310.75', '4417.33', '640.05', '158.20', '930.81'], null],
    ['and few others', ['12504', '899', '310.75', '4417.33', '640.05', '158.27'], null],
    ['and others, whose cents force outcomes', ['12504', '899', '310.11', '4417.14', '640.15', '158.18', '930.19'], null],
    ['that are few', ['1251', '311', '89', '4417', '311'], null],
  ])('lists payments of whole amounts %s', async (_which, amounts, count) => {
    const { world, transfer } = await reconcileScene(harness, {}, false);
    for (const each of amounts) await transfer(each);
    const listed = (await reportOn(world)).notProven.filter(({ kind }) => kind === 'WHOLE_AMOUNTS');
    expect(listed.map((each) => each.count)).toEqual(count === null ? [] : [count]);
  });

  describe.each([['failed'], ['was rejected']])('after a payment %s', (how) => {
    /** Pays 25.00 BRL in vain. */
    const inVain = async () => {
      const made = await reconcileScene(harness, {}, false);
      const { world, accountId, transfer } = made;
      if (how === 'failed') {
        const { id } = await transfer();
        await harness.control('POST', `/operations/${id}/fail`, {}, world);
        return { ...made, learn: () => harness.api('GET', `/api/operations/${id}`, {}, world) };
      }
      const body = { sourceAccountId: accountId, targetAccountId: accountId, amount: { value: '25.00', asset: 'BRL' } };
      const learn = () => harness.api('POST', '/api/operations/transfer', { body }, world);
      return { ...made, learn };
    };
    const listed = async (world: string, query = '&strict=true') =>
      (await reportOn(world, query)).notProven.flatMap(({ kind, count, money, fails }) =>
        kind === 'PAYMENTS_NOT_MADE' ? [{ count, money, fails }] : [],
      );

    it('lists it without failing the report if the client learns of it and makes no equal payment', async () => {
      const { world, learn, transfer } = await inVain();
      await learn();
      await transfer('26.00');
      expect(await listed(world)).toEqual([{ count: 1, money: [{ value: '25.00', asset: 'BRL' }], fails: false }]);
    });

    it('lists nothing if the client makes an equal payment', async () => {
      const { world, learn, transfer } = await inVain();
      await learn();
      await transfer('25.00');
      expect(await listed(world)).toEqual([]);
    });
  });

  it('lists no payment that was rejected in a negative test', async () => {
    const { world, accountId } = await reconcileScene(harness, {}, false);
    await harness.control('PUT', '/test', { name: 'the same account', negative: true }, world);
    const body = { sourceAccountId: accountId, targetAccountId: accountId, amount: { value: '25.00', asset: 'BRL' } };
    await harness.api('POST', '/api/operations/transfer', { body }, world);
    expect(kindsOf(await reportOn(world))).not.toContain('PAYMENTS_NOT_MADE');
  });

  it('lists no price that the client did not get, and no payment to a payee that is not approved', async () => {
    const { world, accountId, quote } = await reconcileScene(harness, {}, false);
    const fault = { on: 'REQUEST', when: { operationId: 'createQuote' }, times: 1, effect: { status: 503 } };
    await harness.control('POST', '/faults', fault, world);
    const price = { accountId, sourceAsset: 'USDT', targetAsset: 'BRL', sourceAmount: '25.00' };
    expect((await harness.api('POST', '/api/quotes', { body: price }, world)).status).toBe(503);
    const { pending } = fixtureIds(harness, world);
    const body = withdrawalBody(accountId, await quote('USDT', 'BRL', '26.00'), pending);
    expect((await harness.api('POST', '/api/operations/withdrawal', { body }, world)).body).toMatchObject({ code: inReview });
    expect(kindsOf(await reportOn(world))).not.toContain('PAYMENTS_NOT_MADE');
    await harness.control('POST', `/beneficiaries/${pending.id}/approve`, {}, world);
    expect(kindsOf(await reportOn(world))).toContain('PAYMENTS_NOT_MADE');
  });

  it('lists no failed payment that the client had made again before it knew of the failure', async () => {
    const { world, transfer } = await reconcileScene(harness, {}, false);
    const { id } = await transfer();
    await transfer();
    await harness.control('POST', `/operations/${id}/fail`, {}, world);
    await harness.api('GET', `/api/operations/${id}`, {}, world);
    expect(kindsOf(await reportOn(world))).not.toContain('PAYMENTS_NOT_MADE');
  });

  it.each([
    ['in an asset with six decimals', ['251', '317', '122', '441', '289'], [], 5],
    ['next to others in an asset with six decimals', ['251', '317', '31.75', '44.33', '64.05', '58.27', '93.81'], [], 2],
    ['next to others that end with 0 in an asset with six decimals', ['251', '317', '31.75', '44.33', '64.05', '58.20', '93.81'], [], null],
    ['next to one with cents in another asset', ['31.75'], ['1250', '310', '89', '4417', '640', '2075'], 6],
  ])('lists payments of whole amounts %s', async (_which, paidOut, transferred, count) => {
    const { world, payOut, transfer } = await reconcileScene(harness, {}, false);
    for (const each of paidOut) await payOut(each);
    for (const each of transferred) await transfer(each);
    const listed = (await reportOn(world)).notProven.filter(({ kind }) => kind === 'WHOLE_AMOUNTS');
    expect(listed.map((each) => each.count)).toEqual(count === null ? [] : [count]);
  });

  it('lists no endpoint that received a wrong signature in any of its worlds, at any port', async () => {
    const [{ world: first }, { world: second }] = [await scene(), await scene()];
    await harness.control('POST', '/faults', { on: 'DELIVERY', times: 1, effect: { corruptSignature: true } }, second);
    await harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, second);
    await harness.quiet(second);
    expect(kindsOf(await reportOn(first))).toContain('SIGNATURES_NOT_TESTED');
    expect(kindsOf(await reportOn(`${first},${second}`))).not.toContain('SIGNATURES_NOT_TESTED');
  });
});
