import { afterAll, beforeAll, expect, it } from 'vitest';
import { Stage, undiciClient } from '../../../testing/script-stage.js';
import { injectFault, transfer } from './script.js';

const stage = new Stage();
const client = undiciClient();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

it('timeout.too-short uses the delay that was drawn from a distribution, not its 99th percentile', async () => {
  const { findings, astray } = await stage.play(client, [
    injectFault('createTransfer', { delay: { p50: '2s', p95: '3s', p99: '6s' } }, { times: 3 }),
    ...Array.from({ length: 3 }, () => transfer({ key: 'first', timeoutMs: 200, expect: 'lost' })),
    transfer({ key: 'first' }),
  ]);
  expect(astray).toEqual([]);
  expect(findings.map(({ rule }) => rule)).toEqual(['timeout.too-short']);
});
