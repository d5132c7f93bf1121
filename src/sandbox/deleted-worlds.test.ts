import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { useHarness } from '../testing/harness.js';
import { withdraw } from '../testing/withdrawals.js';
import type { World } from '../world/world.js';

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

const harness = useHarness();

/** Creates a world with timers, open deliveries, a waiting request and a snapshot, and deletes the world. */
async function liveAndDie(name: string): Promise<WeakRef<World>> {
  await harness.world(name, { clock: { mode: 'RUNNING' }, ttl: '1h' });
  await harness.api('POST', '/api/subscriptions', { body: { url: 'https://example.com/hooks', includeAll: true } }, name);
  const { id } = await withdraw(harness, name);
  await harness.control('POST', '/snapshots', { name: 'before' }, name);
  await harness.control('POST', '/reset', undefined, name);
  await withdraw(harness, name);
  const waiting = harness.control('GET', `/operations/${id}/await?status=COMPLETED&timeoutMs=50`, undefined, name);
  const world = new WeakRef(harness.sandbox.world(name));
  await harness.control('DELETE', `/worlds/${name}`, undefined, name);
  harness.forget(name);
  await waiting;
  return world;
}

test('deleted worlds leave nothing in memory', async () => {
  harness.receive = ({ signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve({ httpStatus: 0, error: 'aborted' }), { once: true }));
  const worlds: WeakRef<World>[] = [];
  for (let count = 0; count < 5; count += 1) worlds.push(await liveAndDie(`gone-${count}`));
  harness.attempts.length = 0;
  await expect
    .poll(() => {
      collectGarbage();
      return worlds.filter((each) => each.deref() !== undefined).length;
    })
    .toBe(0);
});
