import { expect, test } from 'vitest';
import { mixedLoad } from '../testing/mixed-load.js';
import { SandboxProcess, startReceiver, temporaryDirectory } from '../testing/process.js';

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
