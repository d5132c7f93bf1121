import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Report } from '../../../contract/control/analysis/report.js';
import { root } from '../../../testing/root.js';
import { reportOf, operateIn, resultsOf, rulesOf, suiteIn } from '../../../testing/small-client-runs.js';
import { Stage } from '../../../testing/script-stage.js';

const stage = new Stage();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

/** Returns a report by the profile `payouts` with changes. */
const judgedBy = (world: string, changes: object) => {
  const profile = { ...(parse(readFileSync(join(root, 'profiles/payouts.yaml'), 'utf8')) as object), ...changes };
  return stage.control('POST', `/report?world=${world}&final=true`, world, profile) as Promise<Report>;
};

it('a small client fails the profile payouts if only repeated webhooks make it fail', async () => {
  await suiteIn(stage, 'duplicates', { duplicates: true });
  const report = await reportOf(stage, 'duplicates');
  const missed = ['W-02', 'C-03', 'C-04', 'C-05'];
  expect([rulesOf(report), resultsOf(report).map((each) => each.split(' ')[0])]).toEqual([['webhook.duplicate-failed'], missed]);
  expect(report).toMatchObject({ verdict: 'FAILED', exitCode: 1 });
});

it('a small client passes the profile payouts when it reads nothing and learns everything by webhook', async () => {
  const design = { readsNothing: true } as const;
  await suiteIn(stage, 'by-webhook', {}, design);
  await operateIn(stage, 'by-webhook-live', design);
  const report = await reportOf(stage, 'by-webhook,by-webhook-live');
  expect([rulesOf(report), resultsOf(report)]).toEqual([[], []]);
  expect(report).toMatchObject({ verdict: 'PASSED', exitCode: 0 });
});

it('a small client passes the profile payouts when it verifies webhooks in a queue, and the profile accepts that with a reason', async () => {
  const design = { hasQueue: true } as const;
  await suiteIn(stage, 'queue', {}, design);
  await operateIn(stage, 'queue-live', design);
  const strict = await reportOf(stage, 'queue,queue-live');
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
});
