import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pixBeneficiary, useHarness, withdraw } from './testing/harness.js';

const harness = useHarness();
const totalMs = 70_000;
const advance = (world: string, ms: number) => harness.control('POST', '/clock/advance', { by: `${ms}ms` }, world);

/** A world's state without what its clients bring along: the ids of their calls and their idempotency keys. */
async function stateOf(world: string): Promise<string> {
  const { body } = await harness.control('GET', '/state', undefined, world);
  delete body.tables.idempotency;
  return JSON.stringify(body).replace(/(req|ctl)_[A-Za-z0-9_-]{21}/g, '');
}

/** The same beginning in every world of the same name: operations that end in all ways, reviews, a webhook endpoint that fails. */
async function begin(world: string): Promise<void> {
  harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
  await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9/', includeAll: true, allowRetry: true } }, world);
  await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
  for (const amount of ['1.00', '2.12', '3.17']) await withdraw(harness, world, amount);
  await harness.quiet(world);
}

describe('time', () => {
  it('makes the same world in one step as in any others', async () => {
    const world = await harness.world('partition');
    await begin(world);
    await harness.control('POST', '/snapshots', { name: 'start' }, world);
    await advance(world, totalMs);
    const whole = await stateOf(world);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: totalMs - 1 }), { maxLength: 6 }), async (cuts) => {
        await harness.control('POST', '/snapshots/start/restore', undefined, world);
        const points = [0, ...cuts.toSorted((a, b) => a - b), totalMs];
        for (const [index, point] of points.slice(1).entries()) await advance(world, point - points[index]!);
        expect(await stateOf(world)).toBe(whole);
      }),
      { numRuns: 20 },
    );
  });

  it('goes the same way from a snapshot of any moment', async () => {
    const world = await harness.world('moments');
    await begin(world);
    await harness.control('POST', '/snapshots', { name: 'start' }, world);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: totalMs }), async (ms) => {
        await harness.control('POST', '/snapshots/start/restore', undefined, world);
        await advance(world, ms);
        await harness.control('DELETE', '/snapshots/moment', undefined, world);
        await harness.control('POST', '/snapshots', { name: 'moment' }, world);
        const future = async () => {
          await withdraw(harness, world, '4.00');
          await advance(world, totalMs);
          return stateOf(world);
        };
        const first = await future();
        await harness.control('POST', '/snapshots/moment/restore', undefined, world);
        expect(await future()).toBe(first);
      }),
      { numRuns: 10 },
    );
  });
});
