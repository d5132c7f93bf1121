import { setImmediate as immediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Lane, TimeSlicer, EventLoopQueue } from './turns.js';

let nowMs = 0;
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => nowMs));
afterEach(() => void vi.restoreAllMocks());

/** Lets time pass during work. */
const burn = (ms: number) => void (nowMs += ms);

/** Resolves when no work waits in these lanes and the time of all their work is counted. */
async function quiet(...lanes: Lane[]): Promise<void> {
  while (lanes.some(({ waiting }) => waiting.length > 0)) await immediate();
  await immediate();
  await immediate();
}

it('work runs immediately if no other work waits', () => {
  const done: number[] = [];
  const turns = new EventLoopQueue();
  const lane = new Lane();
  for (const each of [1, 2, 3]) turns.run(lane, () => done.push(each));
  expect(done).toEqual([1, 2, 3]);
  expect(turns.pass(lane)).toBeUndefined();
});

it('urgent work starts without waiting, up to a maximum in each turn of the event loop', async () => {
  const turns = new EventLoopQueue();
  const [many, urgent] = [new Lane(), new Lane(3)];
  let [done, probed] = [0, 0];
  const work = () => {
    burn(2);
    done += 1;
  };
  for (let count = 0; count < 20; count += 1) turns.run(many, work);
  for (let count = 0; count < 5; count += 1) turns.run(urgent, () => (probed += 1));
  expect(done).toBeLessThan(10);
  expect(probed).toBe(3);
  await quiet(many, urgent);
  expect([done, probed]).toEqual([20, 5]);
});

it('a request of one lane does not wait for many requests of another lane', async () => {
  const turns = new EventLoopQueue();
  const [many, other] = [new Lane(), new Lane()];
  let [ahead, done] = [-1, 0];
  const work = () => {
    burn(2);
    done += 1;
  };
  // Earlier work, for which no lane had to wait, does not count.
  turns.run(other, () => burn(60));
  await quiet(other);
  for (let count = 0; count < 100; count += 1) turns.run(many, work);
  expect(done).toBeLessThan(10);
  await immediate();
  turns.run(other, () => (ahead = done));
  await quiet(many, other);
  expect(ahead).toBeLessThan(20);
  expect(done).toBe(100);
});

it('waiting lanes get the same time, regardless of the length of their requests', async () => {
  const turns = new EventLoopQueue();
  const [slow, fast] = [new Lane(), new Lane()];
  const done = { slow: 0, fast: 0 };
  const work = (which: keyof typeof done, ms: number) => {
    burn(ms);
    done[which] += 1;
  };
  turns.run(slow, () => burn(6));
  for (let count = 0; count < 200; count += 1) {
    turns.run(slow, () => work('slow', 4));
    turns.run(fast, () => work('fast', 0.2));
  }
  while (done.fast < 100) await immediate();
  expect(done.slow).toBeGreaterThan(0);
  expect(done.slow).toBeLessThan(50);
  expect(Math.abs(slow.virtualMs - fast.virtualMs)).toBeLessThan(8);
  for (const lane of [slow, fast]) lane.waiting.splice(1);
  await quiet(slow, fast);
});

it('the used time of a lane includes all its synchronous and microtask work', async () => {
  const turns = new EventLoopQueue();
  const [one, two] = [new Lane(), new Lane()];
  turns.run(one, () => void Promise.resolve().then(() => burn(4)));
  await immediate();
  for (let count = 0; count < 5; count += 1) turns.run(two, () => burn(3));
  await quiet(one, two);
  expect([one.usedMs, two.usedMs]).toEqual([4, 15]);
});

it('the event loop reads new input between two slices of long work', async () => {
  const pace = new TimeSlicer(new Lane());
  let turnsOfOthers = 0;
  const over = new AbortController();
  void (async () => {
    for (; !over.signal.aborted; turnsOfOthers += 1) await new Promise((resolve) => setImmediate(resolve));
  })();
  for (let rests = 0; rests < 5; rests += 1) {
    burn(5);
    expect(pace.shouldYield()).toBe(true);
    await pace.yield();
  }
  over.abort();
  expect(turnsOfOthers).toBeGreaterThan(4);
});
