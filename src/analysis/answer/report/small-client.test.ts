import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarioWriteChallenges } from '../../../contract/control/analysis/coverage.js';
import { reportOf, operateIn, resultsOf, rulesOf, suiteIn } from '../../../testing/small-client-runs.js';
import { Stage } from '../../../testing/script-stage.js';

const stage = new Stage();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

describe('a small client in the scenario challenge', () => {
  it('passes the profile payouts if it is correct and also runs in the scenario certification', async () => {
    await suiteIn(stage, 'fixed', {});
    const foreseen = await reportOf(stage, 'fixed'); // All faults come at known moments, so that a script could pass.
    expect(resultsOf(foreseen)).toEqual(['C-03 NOT_COVERED', 'C-04 NOT_COVERED', 'C-05 NOT_COVERED']);
    expect(foreseen).toMatchObject({ verdict: 'INCONCLUSIVE', exitCode: 4 });
    await operateIn(stage, 'fixed-live');
    const report = await reportOf(stage, 'fixed,fixed-live');
    expect([rulesOf(report), resultsOf(report)]).toEqual([[], []]);
    expect(report).toMatchObject({ verdict: 'PASSED', exitCode: 0 });
    const items = report.coverage.dimensions.resilience.items.filter(({ id }) => id.startsWith('createWithdrawal.'));
    expect(items.map(({ id, state }) => `${id} ${state}`)).toEqual(
      scenarioWriteChallenges.map((each) => `createWithdrawal.${each} PASSED`),
    );
  });

  it('fails the profile payouts with the expected findings and requirements if it is careless', async () => {
    await suiteIn(stage, 'careless', { newKeys: true, floats: true, duplicates: true });
    const report = await reportOf(stage, 'careless');
    expect(rulesOf(report)).toEqual([
      'idempotency.lost-response-abandoned',
      'idempotency.lost-response-new-key',
      'idempotency.new-key-after-5xx',
      'money.float-artefact',
      'payment.never-made',
      'retry.not-retryable',
      'webhook.duplicate-failed',
      'webhook.duplicate-subscription',
    ]);
    const missed = ['I-01', 'I-02', 'I-03', 'I-04', 'I-05', 'W-02', 'W-03', 'C-01', 'C-02', 'C-03', 'C-04', 'C-05'];
    expect(resultsOf(report).map((each) => each.split(' ')[0])).toEqual(missed);
    expect(report).toMatchObject({ verdict: 'FAILED', exitCode: 1 });
  });
});
