import { expect, it } from 'vitest';
import { useHarness } from '../testing/harness.js';
import type { World } from '../world/world.js';
import { HeldCalls, heldLimits } from './held-calls.js';

const harness = useHarness();
const aWorld = () => ({}) as World;

it('a world may hold calls up to its limit, and a few even if other worlds hold as many as all together may', () => {
  const held = new HeldCalls();
  const [greedy, quiet] = [aWorld(), aWorld()];
  const takeAll = (world: World) => {
    const taken: (() => void)[] = [];
    for (let release = held.take(world); release; release = held.take(world)) taken.push(release);
    return taken;
  };
  const taken = takeAll(greedy);
  expect(taken).toHaveLength(heldLimits.ofWorld);
  while (held.size < heldLimits.ofAll) takeAll(aWorld());
  const others = takeAll(quiet);
  expect(others).toHaveLength(heldLimits.ofEach);
  for (const release of [...taken, ...others, ...taken]) release();
  expect(takeAll(greedy)).toHaveLength(heldLimits.ofWorld);
});

it('a call that a fault would hold is rejected while too many calls of its world wait, and calls of other worlds are not', async () => {
  const { held } = harness.sandbox;
  const [full, other] = [await harness.world('held-full'), await harness.world('held-other')];
  const fault = { on: 'REQUEST', when: { operationId: 'listAccounts' }, times: 9, effect: { delay: '10ms' } };
  for (const world of [full, other]) expect((await harness.control('POST', '/faults', fault, world)).status).toBe(201);
  const taken = Array.from({ length: heldLimits.ofWorld }, () => held.take(harness.sandbox.world(full))!);
  expect(await harness.api('GET', '/api/accounts', {}, full)).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
  expect((await harness.api('GET', '/api/accounts', {}, other)).status).toBe(200);
  for (const release of taken) release();
  expect((await harness.api('GET', '/api/accounts', {}, full)).status).toBe(200);
  expect(held.size).toBe(0);
});
