import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../testing/calls.js';
import { useHarness, type Harness } from '../testing/harness.js';
import { inLength } from '../testing/long-run.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from '../testing/withdrawals.js';

const crowded = useHarness();
const quiet = useHarness();

/** The responses and webhooks of a world, and its final state, without request ids. */
interface Seen {
  readonly answers: string[];
  readonly webhooks: string[];
  readonly state: string;
}

const scrub = (value: unknown) => JSON.stringify(value).replace(/(req|ctl)_[A-Za-z0-9_-]{21}/g, '');
const uuid = (world: number, count: number) => `00000000-0000-4000-8000-${String(world).padStart(4, '0')}${String(count).padStart(8, '0')}`;
const scenarios = ['default', 'declines', 'webhook-chaos', 'action-required', 'compliance-hold'] as const;
const forced = ['complete', 'fail', 'hold', 'process', 'next'] as const;

/** Runs requests in a world whose scenario, amounts, timing and forced statuses depend on `index`. */
async function journey(harness: Harness, index: number): Promise<Seen> {
  const world = `parallel-${index}`;
  const answers: string[] = [];
  const kept = async (answer: Promise<TestResponse>) => {
    const { status, body } = await answer;
    answers.push(scrub([status, body]));
    return body;
  };
  let keys = 0;
  const api = (method: string, path: string, body?: unknown) => {
    keys += 1;
    return kept(harness.api(method, path, { body, key: uuid(index, keys) }, world));
  };
  const control = (method: string, path: string, body?: unknown) => kept(harness.control(method, path, body, world));

  await harness.world(world, { seed: index % 7, scenario: scenarios[index % scenarios.length] });
  const { accountIds, approved } = fixtureIds(harness, world);
  const [accountId, other] = accountIds;
  await api('POST', '/api/subscriptions', { url: 'http://localhost:9/', includeAll: true, allowRetry: index % 2 === 0 });
  await api('POST', '/api/beneficiaries', pixBeneficiary({ lastName: index % 3 === 0 ? 'Rejected' : 'Menezes' }));
  if (index % 4 === 0) await control('PUT', '/settings', { spread: `0.0${index}`, delays: { OPERATION: '700ms' } });
  for (let count = 0; count < 2; count += 1) {
    const quote = await api('POST', '/api/quotes', {
      accountId,
      sourceAsset: 'BRL',
      targetAsset: 'BRL',
      sourceAmount: `${100 + index}.1${count}`,
    });
    const { id } = await api('POST', '/api/operations/withdrawal', withdrawalBody(accountId!, quote.id, approved));
    if (count === 1) await control('POST', `/operations/${id}/${forced[index % forced.length]}`);
    await control('POST', '/clock/advance', { by: `${index * 37}ms` });
  }
  await control('POST', '/snapshots', { name: 'half-way' });
  const amount = { value: `${index + 1}.00`, asset: 'BRL' };
  await api('POST', '/api/operations/transfer', { sourceAccountId: accountId, targetAccountId: other, amount });
  await control('POST', '/faults', { on: 'DELIVERY', probability: 0.5, effect: { drop: true } });
  await control('POST', '/clock/advance', { by: '30s' });
  if (index % 2 === 1) await control('POST', '/snapshots/half-way/restore');
  await control('POST', '/clock/advance', { untilIdle: true });
  await api('GET', '/api/accounts');
  await control('GET', '/ledger');
  const state = scrub((await harness.control('GET', '/state', undefined, world)).body);
  const { companyId } = harness.sandbox.world(world).identity;
  const own = harness.attempts.filter(({ headers }) => headers['x-company-id'] === companyId);
  return { answers, state, webhooks: own.map(({ headers, body }) => `${headers['x-message-id']} ${headers['x-event-type']} ${body}`) };
}

const worlds = inLength(15, 50);

describe(`${worlds} worlds with different journeys`, () => {
  it('respond, deliver and end in parallel exactly like each world alone', async () => {
    for (const harness of [crowded, quiet]) {
      harness.receive = ({ body }) => Promise.resolve({ httpStatus: body.includes('FAILED') ? 500 : 200, error: null });
    }
    const indexes = Array.from({ length: worlds }, (_each, index) => index);
    const together = await Promise.all(indexes.map((index) => journey(crowded, index)));
    expect(new Set(together.map(({ state }) => state)).size).toBe(worlds);
    expect(new Set(together.map(({ webhooks }) => webhooks.length)).size).toBeGreaterThan(3);
    for (const index of indexes) {
      const alone = await journey(quiet, index);
      expect(together[index], `world ${index}`).toEqual(alone);
    }
  });
});
