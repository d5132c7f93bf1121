import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inLength } from '../../../testing/long-run.js';
import { Traveller } from '../../../testing/model-client/journey.js';
import { Stage } from '../../../testing/script-stage.js';

const stage = new Stage();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

/** Number of consecutive journeys in one world. */
const inOneWorld = inLength(4, 10);
const scenarios = ['default', 'webhook-chaos', 'flaky-network'];

describe('the records of a correct client', () => {
  const worlds = inLength(12, 1000) / inOneWorld;

  it(
    `agree with the world, or are PENDING, in ${worlds * inOneWorld} journeys with faults, chaos, resets and clock changes`,
    async () => {
      const verdicts = new Map<string, number>();
      let matched = 0;
      for (let world = 0; world < worlds; world += 1) {
        const traveller = await Traveller.startWithRecords(stage, `books-${'x'.repeat(world % 2)}${world}`, scenarios[world % 3]!);
        for (let journey = 0; journey < inOneWorld; journey += 1) {
          const seed = world * inOneWorld + journey + 1;
          await traveller.travel({ seed, habit: null, steps: 5, deeds: ['subscribe', 'payOut', 'move'] });
          const result = await traveller.reconcile();
          expect({ seed, ...result }).toMatchObject({
            verdict: expect.stringMatching(/^(AGREED|PENDING)$/) as string,
            differences: [],
            unexplained: [],
          });
          verdicts.set(result.verdict, (verdicts.get(result.verdict) ?? 0) + 1);
          matched += result.matched;
        }
        await traveller.end();
      }
      expect(verdicts.get('AGREED')).toBeGreaterThan(0);
      expect(matched).toBeGreaterThan(worlds * inOneWorld);
    },
    inLength(180_000, 3_600_000),
  );
});
