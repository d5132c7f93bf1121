import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeChallenges } from '../../contract/control/analysis/coverage.js';
import type { Report } from '../../contract/control/analysis/report.js';
import type { Carelessness } from '../../testing/small-client.js';
import { operate, runSuite, type SmallRun } from '../../testing/small-client-runs.js';
import { Stage } from '../../testing/script-stage.js';

const stage = new Stage();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

/** Creates a world, and returns the parameters for a run of the client in this world. */
async function runIn(world: string, careless: Carelessness, more: object = {}): Promise<SmallRun> {
  const { clientId, clientSecret } = (await stage.makeWorld(world, { mode: 'FROZEN' }, more)) as Record<string, string>;
  return {
    url: stage.url,
    credentials: { clientId: clientId!, clientSecret: clientSecret! },
    careless,
    wait: (ms) => stage.pass(ms),
    advance: (by) => stage.control('POST', '/clock/advance', world, { by }),
    endpoint: (receive) => {
      stage.endpoints.set(`/${world}`, receive);
      return `${stage.receiverUrl}/${world}`;
    },
  };
}

const suite = async (world: string, careless: Carelessness) => runSuite(await runIn(world, careless, { scenario: 'challenge' }));
const inOperation = async (world: string) => operate(await runIn(world, {}, { scenario: 'certification', seed: 'random' }));

const judged = (world: string) => stage.control('GET', `/report?world=${world}&profile=payouts&final=true`, world) as Promise<Report>;
const rulesOf = ({ findings }: Report) => [...new Set(findings.map(({ rule }) => rule))].toSorted();
const resultsOf = ({ profile }: Report) =>
  profile!.requirements.filter(({ result }) => result !== 'PASSED').map(({ id, result }) => `${id} ${result}`);

describe('a small client in the scenario challenge', () => {
  it('passes the profile payouts if it is correct and also runs in the scenario certification', async () => {
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
    ['careless-about-duplicates', { duplicates: true }, ['webhook.duplicate-failed'], ['W-02', 'C-03', 'C-04', 'C-05']],
  ])(
    'fails the profile payouts with the expected findings and requirements: %s',
    async (name, careless, rules, missed) => {
      await suite(name, careless);
      const report = await judged(name);
      expect([rulesOf(report), resultsOf(report).map((each) => each.split(' ')[0])]).toEqual([rules, missed]);
      expect(report).toMatchObject({ verdict: 'FAILED', exitCode: 1 });
    },
    30_000,
  );
});
