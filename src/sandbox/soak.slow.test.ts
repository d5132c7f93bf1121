import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { useHarness } from '../testing/harness.js';
import { withdraw } from '../testing/withdrawals.js';
import { mixedLoad } from '../testing/mixed-load.js';
import { SandboxProcess, startReceiver, temporaryDirectory } from '../testing/process.js';
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

test(
  'a mixed load leaves no connections, timers or watchers behind, and no memory outside the JavaScript heap',
  { timeout: 60_000 },
  async () => {
    const hooks = await startReceiver();
    const sandbox = await SandboxProcess.start(['--data', temporaryDirectory(), '--log-level', 'error'], {}, true);
    // Waits until the writes of the start have ended.
    let before = await sandbox.holdings();
    await expect
      .poll(async () => Object.keys((before = await sandbox.holdings()).resources).filter((kind) => kind.includes('Req')), {
        timeout: 10_000,
      })
      .toEqual([]);
    const load = async (worlds: number) => {
      let begun = 0;
      const done = await mixedLoad(sandbox.url, hooks.url, () => (begun += 1) > worlds * 9, { clients: 1, turnsPerWorld: 8 });
      expect(done.get('worlds')).toBe(worlds);
    };
    await load(2); // Creates the objects that exist only after a first use.
    const { external } = await sandbox.holdings();
    await load(12);
    expect(hooks.received.length).toBeGreaterThan(50);
    expect((await sandbox.holdings()).resources).not.toEqual(before.resources);
    await expect.poll(async () => (await sandbox.holdings()).resources, { timeout: 30_000, interval: 500 }).toEqual(before.resources);
    expect((await sandbox.holdings()).external - external).toBeLessThan(200_000);
    expect(await sandbox.end('SIGTERM')).toBe(0);
    await hooks.close();
  },
);
