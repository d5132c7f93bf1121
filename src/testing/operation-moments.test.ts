import { expect, it } from 'vitest';
import { useHarness } from './harness.js';
import { withdraw } from './withdrawals.js';
import type { Operation } from '../contract/public/operations.js';
import { operationAt } from '../console/operations/at.js';

const harness = useHarness();

it.each([['process', 'hold', 'resume', 'complete'], ['process', 'fail'], ['process', 'complete'], ['fail']])(
  'operationAt returns the state of an operation after each transition: %s %s %s %s',
  async (...verbs) => {
    const world = await harness.world(`moments-${verbs.join('-')}`);
    const { id } = await withdraw(harness, world);
    const read = async () => (await harness.api('GET', `/api/operations/${id}`, undefined, world)).body as unknown as Operation;
    const seen = [await read()];
    for (const verb of verbs.filter((each) => each !== undefined)) {
      await harness.control('POST', '/clock/advance', { by: 'PT0.5S' }, world);
      expect((await harness.control('POST', `/operations/${id}/${verb}`, {}, world)).status).toBe(200);
      seen.push(await read());
    }
    expect(seen.map((_, index) => operationAt(seen.at(-1)!, index))).toEqual(seen);
  },
);
