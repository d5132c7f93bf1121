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

it('a test world has the same name in each run, except if a concurrent test already uses this name', async () => {
  const first = await makeTestWorld('vitest', place);
  const second = await makeTestWorld('vitest', place);
  expect(second.name).not.toBe(first.name);
  await endTestWorld(first, false);
  expect((await second.clock.get()).mode).toBe('FROZEN');
  const again = await makeTestWorld('vitest', place);
  expect(again.name).toBe(first.name);
  await Promise.all([second, again].map((world) => endTestWorld(world, true)));
  await expect(again.clock.get()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
});

it('the end of a test does not delete the world of a later test with the same name', async () => {
  const first = await makeTestWorld('vitest', place);
  const ending = endTestWorld(first, false);
  const second = await makeTestWorld('vitest', place);
  expect(second.name).not.toBe(first.name);
  await ending;
  expect((await second.clock.get()).mode).toBe('FROZEN');
  await endTestWorld(second, false);
});

it('a failed creation of a test world frees its name', async () => {
  await expect(makeTestWorld('vitest', place, { scenario: 'no such one' })).rejects.toMatchObject({ code: expect.any(String) as string });
  const world = await makeTestWorld('vitest', place);
  expect(world.name).not.toMatch(/-2-/);
  await endTestWorld(world, false);
});

it('findings of a test that misuses the API on purpose are listed separately', async () => {
  const world = await makeTestWorld('vitest', { ...place, name: 'rejects\nbad input' }, { negative: true });
  const { clientId, clientSecret } = await world.credentials();
  const body = JSON.stringify({ clientId, clientSecret });
  const headers = { 'Content-Type': 'application/json' };
  const token = await fetch(`${world.url}/api/oauth/client/token?client_secret=${clientSecret}`, { method: 'POST', headers, body });
  expect(token.status).toBe(200);
  expect(await world.findings()).toMatchObject({ data: [] });
  expect(await world.findings({ negative: true })).toMatchObject({ data: [{ rule: 'secret.in-url', negative: true }] });
  expect(await world.requests.list({ kind: 'MARK' }).all()).toMatchObject([{ what: 'TEST', test: 'rejects bad input' }]);
  await endTestWorld(world, false);
});

it('a test world has a different name in each project of a run', async () => {
  const worlds = await Promise.all(['', 'node', 'edge'].map((project) => makeTestWorld('vitest', { ...place, project })));
  expect(new Set(worlds.map(({ name }) => name)).size).toBe(3);
  for (const world of worlds) await endTestWorld(world, false);
});

it('a test world has the same name on every operating system', async () => {
  const names: string[] = [];
  for (const file of ['payouts/pays.test.js', 'payouts\\pays.test.js']) {
    const world = await makeTestWorld('vitest', { ...place, file });
    names.push(world.name);
    await endTestWorld(world, false);
  }
  expect(names[1]).toBe(names[0]);
});

it('beginRun recognises the sandbox that it started for another project of the run, and does not treat it as shared', async () => {
  const url = process.env['SANDBOX_URL'];
  ends.unshift(await beginRun());
  expect(process.env['SANDBOX_URL']).toBe(url);
  const world = await makeTestWorld('vitest', place);
  expect(world.name).toMatch(/^pays-pays-out-/);
  await endTestWorld(world, true);
});

it.each(['vitest', 'jest'] as const)(
  'a test in %s fails with the missing line of the configuration if no sandbox was started',
  async (runner) => {
    const url = process.env['SANDBOX_URL'];
    vi.stubEnv('SANDBOX_URL', '');
    try {
      await expect(makeTestWorld(runner, place)).rejects.toThrow(`globalSetup: 'crossborder-sandbox/${runner}/setup'`);
    } finally {
      vi.stubEnv('SANDBOX_URL', url);
    }
  },
);
