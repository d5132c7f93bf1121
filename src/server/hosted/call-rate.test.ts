import { expect, it } from 'vitest';
import { bareWorld, logTo } from '../../testing/storage.js';
import { noSurroundings } from '../../testing/surroundings.js';
import { defaultRetention } from '../../world/retention.js';
import { World } from '../../world/world.js';
import { CallRate } from './call-rate.js';

function world(name: string): World {
  const host = { realNow: () => 0, surroundings: noSurroundings, retention: defaultRetention, committed: () => undefined };
  const log = logTo(name, () => Promise.resolve());
  return new World(host, log, 0, bareWorld(name));
}

it('lets each world have its calls, and more as time goes by', () => {
  let nowMs = 0;
  const rate = new CallRate(10, () => nowMs);
  const [one, two] = [world('one'), world('two')];
  const admitted = (which: World) => {
    for (let count = 0; ; count += 1) {
      try {
        rate.admit(which);
      } catch (error) {
        expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { maximum: 10 } });
        return count;
      }
    }
  };
  expect([admitted(one), admitted(one)]).toEqual([10, 0]);
  nowMs += 350;
  expect([admitted(one), admitted(two)]).toEqual([3, 10]);
  nowMs += 60_000;
  expect([admitted(one), admitted(two)]).toEqual([10, 10]);
});
