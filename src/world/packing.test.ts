import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Packing } from './packing.js';
import { emptyState, type State } from './state.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A state of which so many blocks wait to be packed. */
function looseState(blocks: number) {
  const left = { blocks };
  const deliveries = {
    get isLoose() {
      return left.blocks > 0;
    },
    pack: () => (left.blocks -= 1),
  };
  return { state: Object.assign(emptyState(), { deliveries }) as unknown as State, left };
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

it('packs all there is when nothing is committed', async () => {
  const { state, left } = looseState(10);
  new Packing().begin(state);
  await someTurns();
  expect(left.blocks).toBe(10);
  vi.advanceTimersByTime(20);
  await someTurns();
  expect(left.blocks).toBe(0);
});

it('keeps up with commits that come many at a time', async () => {
  const { state, left } = looseState(20);
  const packing = new Packing();
  packing.begin(state);
  vi.advanceTimersByTime(15);
  for (let commit = 0; commit < 64; commit += 1) packing.begin(state);
  vi.advanceTimersByTime(5);
  await someTurns();
  expect(left.blocks).toBe(3);
});

it('packs a block for every four commits while they keep coming, and the rest when they do not', async () => {
  const { state, left } = looseState(10);
  const packing = new Packing();
  const seen: number[] = [];
  packing.begin(state);
  vi.advanceTimersByTime(15);
  for (let commit = 0; commit < 12; commit += 1) {
    packing.begin(state);
    if (commit === 0) vi.advanceTimersByTime(5);
    await someTurns();
    seen.push(left.blocks);
  }
  expect(seen).toEqual([9, 9, 9, 8, 8, 8, 8, 7, 7, 7, 7, 6]);
  vi.advanceTimersByTime(20);
  await someTurns();
  expect(left.blocks).toBe(0);
});
