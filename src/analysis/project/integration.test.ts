import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { proofs } from '../../contract/control/analysis/profile.js';
import { ReportSchema } from '../../contract/control/analysis/report.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdrawalBody } from '../../testing/withdrawals.js';

const harness = useHarness();

/** Pays out in a world with the scenario certification, and retries each request with a lost response with the same key. */
async function payOut(world: string, times: number): Promise<void> {
  const { accountId, approved } = fixtureIds(harness, world);
  for (let count = 0; count < times; count += 1) {
    const priced = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' };
    const { body: quote } = await harness.api('POST', '/api/quotes', { body: priced }, world);
    const key = randomUUID();
    const pay = () =>
      harness.api('POST', '/api/operations/withdrawal', { key, body: withdrawalBody(accountId, quote.id, approved) }, world);
    let paid = await pay().catch(() => null);
    while (paid === null) paid = await pay().catch(() => null);
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    await harness.api('GET', `/api/operations/${paid.body.id}`, {}, world);
  }
}

/** Returns the counts of a report on a world. */
async function factsOf(world: string): Promise<Record<string, number>> {
  const require = proofs.map((fact, index) => ({ id: `F-${index}`, title: fact, proves: { fact, atLeast: 1 } }));
  const profile = { profile: 'facts', summary: 'Shows facts.', contract: '1', require };
  const { status, body } = await harness.control('POST', `/report?world=${world}`, profile);
  expect(status).toBe(200);
  const { profile: judged, interventions } = ReportSchema.parse(body);
  return { faults: interventions.faults, ...Object.fromEntries(judged!.requirements.map(({ title, count }) => [title, count])) };
}

const scenario = 'certification';

describe('the facts about an integration', () => {
  it('count recoveries only from lost responses whose moments the tester could not foresee', async () => {
    const drawn = await harness.world('drawn', { scenario, seed: 'random' });
    const chosen = await harness.world('chosen', { scenario, seed: 'chosen' });
    for (const world of [drawn, chosen]) await payOut(world, 30);
    expect((await factsOf(drawn))['recoveredLosses']).toBeGreaterThan(0);
    expect(await factsOf(chosen)).toMatchObject({ recoveredLosses: 0, readOutcomes: 30, lifetimes: 1 });
    const known = (await factsOf(drawn))['recoveredLosses'];
    await harness.control('POST', '/reset', undefined, drawn);
    await payOut(drawn, 20); // The same moments as before the reset.
    expect((await factsOf(drawn))['recoveredLosses']).toBe(known);
  });

  it('are not changed by faults that the tester injects', async () => {
    const world = await harness.world('by-hand', { seed: 'random' });
    const fault = {
      on: 'REQUEST',
      when: { operationId: 'createWithdrawal' },
      phase: 'after_commit',
      times: 3,
      effect: { connectionReset: true },
    };
    await harness.control('POST', '/faults', fault, world);
    await payOut(world, 3);
    expect(await factsOf(world)).toMatchObject({ recoveredLosses: 0, faults: 1 });
  });

  it('count an end without its first webhook if it was read, or if the webhook was sent again and accepted', async () => {
    const world = await harness.world('fallback');
    const { accountIds } = fixtureIds(harness, world);
    const [sourceAccountId, targetAccountId] = accountIds;
    const subscription = { url: 'https://hooks.example.com/x', includeAll: true, allowRetry: true };
    await harness.api('POST', '/api/subscriptions', { body: subscription }, world);
    const before = harness.receive;
    const pay = async (statuses: number[]) => {
      const left = [...statuses];
      const isEnd = (headers: object) => JSON.stringify(headers).includes('OPERATION_COMPLETED');
      harness.receive = ({ headers }) => Promise.resolve({ httpStatus: isEnd(headers) ? (left.shift() ?? 200) : 200, error: null });
      const body = { sourceAccountId, targetAccountId, amount: { value: '9.00', asset: 'BRL' } };
      const { body: paid } = await harness.api('POST', '/api/operations/transfer', { body }, world);
      await harness.control('POST', '/clock/advance', { by: '1m' }, world);
      return paid.id as string;
    };
    const inTime = await pay([200]);
    expect(await factsOf(world)).toMatchObject({ webhookOutcomes: 1, fallbackOutcomes: 0 });
    await pay([503, 200]);
    expect(await factsOf(world)).toMatchObject({ readOutcomes: 0, webhookOutcomes: 2, fallbackOutcomes: 1 });
    for (let reads = 0; reads < 2; reads += 1) await harness.api('GET', `/api/operations/${inTime}`, {}, world);
    expect(await factsOf(world)).toMatchObject({ readOutcomes: 1, webhookOutcomes: 2, fallbackOutcomes: 2 });
    harness.receive = before;
  });

  it('rely on a different seed in each world with the seed `random`', async () => {
    const worlds = await Promise.all(['a', 'b'].map((name) => harness.world(`seed-${name}`, { seed: 'random' })));
    const seeds = worlds.map((world) => harness.sandbox.world(world).identity.seed);
    expect(new Set([...seeds, 'random']).size).toBe(3);
  });
});
