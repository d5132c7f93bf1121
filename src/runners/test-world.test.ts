import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { beginRun, endTestWorld, makeTestWorld } from './test-world.js';

const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  vi.stubEnv('SANDBOX_URL', '');
  ends.push(await beginRun());
});
afterAll(async () => {
  for (const end of ends) await end();
  vi.unstubAllEnvs();
});

const place = { file: 'pays.test.js', name: 'pays out' };

it('gives a test the same world whenever it runs, and those of its name that run at once one each', async () => {
  const first = await makeTestWorld(place);
  const second = await makeTestWorld(place);
  expect(second.name).not.toBe(first.name);
  await endTestWorld(first, false);
  expect((await second.clock.get()).mode).toBe('FROZEN');
  const again = await makeTestWorld(place);
  expect(again.name).toBe(first.name);
  await Promise.all([second, again].map((world) => endTestWorld(world, true)));
  await expect(again.clock.get()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
});

it('deletes no world of a test that begins while one of its name ends', async () => {
  const first = await makeTestWorld(place);
  const ending = endTestWorld(first, false);
  const second = await makeTestWorld(place);
  expect(second.name).not.toBe(first.name);
  await ending;
  expect((await second.clock.get()).mode).toBe('FROZEN');
  await endTestWorld(second, false);
});

it('forgets a test whose world could not be made', async () => {
  await expect(makeTestWorld(place, { scenario: 'no such one' })).rejects.toMatchObject({ code: expect.any(String) as string });
  const world = await makeTestWorld(place);
  expect(world.name).not.toMatch(/-2-/);
  await endTestWorld(world, false);
});

it('gives the same test of another project another world', async () => {
  const worlds = await Promise.all(['', 'node', 'edge'].map((project) => makeTestWorld({ ...place, project })));
  expect(new Set(worlds.map(({ name }) => name)).size).toBe(3);
  for (const world of worlds) await endTestWorld(world, false);
});

it('gives a test the same world on every system', async () => {
  const names: string[] = [];
  for (const file of ['payouts/pays.test.js', 'payouts\\pays.test.js']) {
    const world = await makeTestWorld({ ...place, file });
    names.push(world.name);
    await endTestWorld(world, false);
  }
  expect(names[1]).toBe(names[0]);
});

it('takes the sandbox of the run for its own in every project, so that nothing is kept there', async () => {
  const url = process.env['SANDBOX_URL'];
  ends.unshift(await beginRun());
  expect(process.env['SANDBOX_URL']).toBe(url);
  const world = await makeTestWorld(place);
  expect(world.name).toMatch(/^pays-pays-out-/);
  await endTestWorld(world, true);
});
