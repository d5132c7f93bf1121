import { expect, it } from 'vitest';
import { Lane } from '../../world/turns.js';
import { WorkRateLimiter } from './work-rate-limiter.js';

it('each world may use its working time for any number of requests, and regains time continuously', () => {
  let nowMs = 0;
  const rate = new WorkRateLimiter(100, () => nowMs);
  const [one, two] = [new Lane(), new Lane()];
  /** Returns the number of requests of this duration that are admitted. */
  const admitted = (lane: Lane, ms: number) => {
    for (let count = 0; ; count += 1) {
      try {
        rate.admit(lane);
      } catch (error) {
        expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { setting: 'SANDBOX_WORLD_WORK_MS', maximum: 100 } });
        return count;
      }
      lane.usedMs += ms;
    }
  };
  expect([admitted(one, 0.5), admitted(one, 0.5), admitted(two, 20)]).toEqual([200, 0, 5]);
  nowMs += 350;
  expect([admitted(one, 0.5), admitted(two, 20)]).toEqual([70, 2]);
  nowMs += 60_000;
  one.usedMs += 90_000;
  expect(admitted(one, 1)).toBe(0);
  nowMs += 1010;
  expect(admitted(one, 1)).toBe(1);
});
