import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { scenarioWriteChallenges } from '../../contract/control/analysis/coverage.js';
import type { Report } from '../../contract/control/analysis/report.js';
import { root } from '../../testing/root.js';
import type { Carelessness, Design } from '../../testing/small-client.js';
import { operate, runSuite, type SmallRun } from '../../testing/small-client-runs.js';
import { Stage } from '../../testing/script-stage.js';

const stage = new Stage();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

/** Creates a world, and returns the parameters for a run of the client in this world. */
async function runIn(world: string, careless: Carelessness, more: object = {}, design: Design = {}): Promise<SmallRun> {
  const { clientId, clientSecret } = (await stage.makeWorld(world, { mode: 'FROZEN' }, more)) as Record<string, string>;
  return {
    url: stage.url,
    credentials: { clientId: clientId!, clientSecret: clientSecret! },
    careless,
    design,
    wait: (ms) => stage.pass(ms),
    advance: async (by) => {
      await stage.control('POST', '/clock/advance', world, { by });
      await stage.control('POST', '/deliveries/flush', world, {});
    },
    endpoint: (receive) => {
      stage.endpoints.set(`/${world}`, receive);
      return `${stage.receiverUrl}/${world}`;
    },
  };
}

const suite = async (world: string, careless: Carelessness, design: Design = {}) =>
  runSuite(await runIn(world, careless, { scenario: 'challenge' }, design));
const inOperation = async (world: string, design: Design = {}) =>
  operate(await runIn(world, {}, { scenario: 'certification', seed: 'random' }, design));

const judged = (world: string) => stage.control('GET', `/report?world=${world}&profile=payouts&final=true`, world) as Promise<Report>;
/** Returns a report by the profile `payouts` with changes. */
const judgedBy = (world: string, changes: object) => {
  const profile = { ...(parse(readFileSync(join(root, 'profiles/payouts.yaml'), 'utf8')) as object), ...changes };
  return stage.control('POST', `/report?world=${world}&final=true`, world, profile) as Promise<Report>;
};
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
    expect(items.map(({ id, state }) => `${id} ${state}`)).toEqual(
      scenarioWriteChallenges.map((each) => `createWithdrawal.${each} PASSED`),
    );
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

describe('a small client of another design', () => {
  it('passes the profile payouts when it reads nothing and learns everything by webhook', async () => {
    const design = { readsNothing: true } as const;
    await suite('by-webhook', {}, design);
    await inOperation('by-webhook-live', design);
    const report = await judged('by-webhook,by-webhook-live');
    expect([rulesOf(report), resultsOf(report)]).toEqual([[], []]);
    expect(report).toMatchObject({ verdict: 'PASSED', exitCode: 0 });
  }, 60_000);

  it('passes the profile payouts when it verifies webhooks in a queue, and the profile accepts that with a reason', async () => {
    const design = { hasQueue: true } as const;
    await suite('queue', {}, design);
    await inOperation('queue-live', design);
    const strict = await judged('queue,queue-live');
    expect([rulesOf(strict), resultsOf(strict)]).toEqual([['webhook.bad-signature-accepted'], ['W-03 FAILED', 'C-05 NOT_COVERED']]);
    expect(strict.verdict).toBe('FAILED');

    const reason = 'signatures are verified in the queue';
    const accept = [{ rule: 'webhook.bad-signature-accepted', reason, until: '2099-12-31' }];
    const report = await judgedBy('queue,queue-live', { findings: { failOn: 'error', accept }, limits: { accepted: 20 } });
    expect(resultsOf(report)).toEqual(['W-03 NOT_APPLICABLE', 'C-05 NOT_APPLICABLE']);
    expect(report.profile!.requirements.find(({ id }) => id === 'W-03')!.what).toContain(reason);
    expect(report).toMatchObject({ verdict: 'PASSED', exitCode: 0 });
    // Accepting another rule excuses nothing.
    const other = await judgedBy('queue,queue-live', { findings: { accept: [{ ...accept[0], rule: 'webhook.slow' }] } });
    expect(resultsOf(other)).toEqual(['W-03 FAILED', 'C-05 NOT_COVERED']);
  }, 60_000);
});
