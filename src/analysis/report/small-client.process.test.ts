import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeChallenges } from '../../contract/control/analysis/coverage.js';
import type { Report } from '../../contract/control/analysis/report.js';
import { SmallClient, type Carelessness } from '../../testing/small-client.js';
import { Stage } from '../../testing/script-stage.js';

const stage = new Stage();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

/**
 * The test suite of a small client: it registers a payee, pays out, and meets a failure and an expired quote. It has no tests of faults.
 */
async function suite(world: string, careless: Carelessness): Promise<void> {
  const { clientId, clientSecret, account } = (await stage.makeWorld(world, { mode: 'FROZEN' })) as Record<string, string>;
  const client = new SmallClient({
    url: stage.url,
    credentials: { clientId: clientId!, clientSecret: clientSecret! },
    wait: (ms) => stage.pass(ms),
    careless,
  });
  stage.endpoints.set(`/${world}`, (headers) => client.receive(headers));
  const advance = (by: string) => stage.control('POST', '/clock/advance', world, { by });
  await stage.control('PUT', '/scenario', world, { name: 'challenge' });
  await client.write('/api/subscriptions', { url: `${stage.receiverUrl}/${world}`, includeAll: true, allowRetry: true });
  const registered = await client.write('/api/beneficiaries', {
    holder: {
      type: 'INDIVIDUAL',
      firstName: 'Caio',
      lastName: 'Menezes',
      taxId: { type: 'CPF', value: '31415926590' },
      dateOfBirth: '1991-11-02',
    },
    relationshipType: 'THIRD_PARTY',
    paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio.menezes@example.com' },
  });
  await advance('10s');
  const payee = await client.read(`/api/beneficiaries/${registered.id}`);
  for (let count = 0; count < 22; count += 1) {
    const operation = await client.payOut(count === 21 ? '10.12' : '4.35', count === 21 ? 1 : 3, payee, account!);
    await advance('10s');
    if (operation?.id !== undefined) await client.read(`/api/operations/${operation.id}`);
  }
  const old = await client.write('/api/quotes', { accountId: account, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '5.00' });
  await advance('1m');
  await client.withdraw(old.id, payee, account!);
  await client.payOut('5.00', 1, payee, account!);
  await advance('1m');
}

/** The client in operation: two processes, one after the other, while responses are lost and signatures are wrong at random. */
async function inOperation(world: string): Promise<void> {
  const clock = { mode: 'FROZEN' };
  const variables = await stage.makeWorld(world, clock, { scenario: 'certification', seed: 'random' });
  const { clientId, clientSecret, account, approved } = variables as Record<string, string> & {
    approved: { id: string; instruction: string };
  };
  const payee = { id: approved.id, paymentInstructions: [{ id: approved.instruction }] };
  const clients = [1, 2].map(() => {
    const credentials = { clientId: clientId!, clientSecret: clientSecret! };
    return new SmallClient({ url: stage.url, credentials, wait: (ms) => stage.pass(ms), careless: {} });
  });
  stage.endpoints.set(`/${world}`, (headers) => clients[0]!.receive(headers));
  await clients[0]!.write('/api/subscriptions', { url: `${stage.receiverUrl}/${world}`, includeAll: true, allowRetry: true });
  for (const client of clients) {
    for (let count = 0; count < 25; count += 1) {
      const { id } = await client.payOut('4.35', 1, payee, account!);
      await stage.control('POST', '/clock/advance', world, { by: '10s' });
      await client.read(`/api/operations/${id}`);
    }
  }
}

const judged = (world: string) => stage.control('GET', `/report?world=${world}&profile=payouts&final=true`, world) as Promise<Report>;
const rulesOf = ({ findings }: Report) => [...new Set(findings.map(({ rule }) => rule))].toSorted();
const resultsOf = ({ profile }: Report) =>
  profile!.requirements.filter(({ result }) => result !== 'PASSED').map(({ id, result }) => `${id} ${result}`);

describe('a small client in the scenario challenge', () => {
  it('passes the profile payouts when it is correct', async () => {
    await suite('fixed', {});
    const foreseen = await judged('fixed'); // All faults come at known moments, so that a script could pass.
    expect(resultsOf(foreseen)).toEqual(['C-03 NOT_COVERED', 'C-04 NOT_COVERED', 'C-05 NOT_COVERED']);
    expect(foreseen).toMatchObject({ verdict: 'INCONCLUSIVE', exitCode: 4 });
    await inOperation('fixed-live');
    const report = await judged('fixed,fixed-live');
    expect([rulesOf(report), resultsOf(report)]).toEqual([[], []]);
    expect(report).toMatchObject({ verdict: 'PASSED', exitCode: 0 });
    const items = report.coverage.dimensions.resilience.items.filter(({ id }) => id.startsWith('createWithdrawal.'));
    expect(items.map(({ id, state }) => `${id} ${state}`)).toEqual(writeChallenges.map((each) => `createWithdrawal.${each} PASSED`));
  }, 30_000);

  it.each<[name: string, Carelessness, rules: string[], results: string[]]>([
    [
      'careless',
      { newKeys: true, floats: true, duplicates: true },
      [
        'idempotency.lost-response-new-key',
        'idempotency.new-key-after-5xx',
        'money.float-artefact',
        'retry.not-retryable',
        'webhook.duplicate-failed',
        'webhook.duplicate-subscription',
      ],
      ['I-01', 'I-02', 'I-03', 'I-04', 'I-05', 'W-02', 'W-03', 'C-01', 'C-02', 'C-03', 'C-04', 'C-05'],
    ],
    ['with-decimals-and-kept-keys', { duplicates: true }, ['webhook.duplicate-failed'], ['W-02', 'C-03', 'C-04', 'C-05']],
  ])(
    'gets a finding with advice when it is %s',
    async (name, careless, rules, missed) => {
      await suite(name, careless);
      const report = await judged(name);
      expect([rulesOf(report), resultsOf(report).map((each) => each.split(' ')[0])]).toEqual([rules, missed]);
      expect(report).toMatchObject({ verdict: 'FAILED', exitCode: 1 });
    },
    30_000,
  );
});
