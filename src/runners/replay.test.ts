import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Player } from '../server/replay/player.js';
import { readReplay } from '../server/replay/read-file.js';
import { beginRun, endTestWorld, makeTestWorld, failureReport, worldName } from './test-world.js';

const directory = mkdtempSync(join(tmpdir(), 'replay-test-'));
let end: () => Promise<void>;
beforeAll(async () => {
  vi.stubEnv('SANDBOX_URL', '');
  vi.stubEnv('SANDBOX_REPLAY_DIR', directory);
  end = await beginRun();
});
afterAll(async () => {
  await end();
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const json = { 'Content-Type': 'application/json' };

async function tokenAt(url: string, credentials: object): Promise<string> {
  const response = await fetch(`${url}/api/oauth/client/token`, { method: 'POST', headers: json, body: JSON.stringify(credentials) });
  expect(response.status).toBe(200);
  return ((await response.json()) as { accessToken: string }).accessToken;
}

it('the replay file of a failed test restores the state before a request, which then gets the recorded response', async () => {
  const world = await makeTestWorld('vitest', { file: 'pays.test.js', name: 'pays out' });
  const credentials = await world.credentials();
  const headers = {
    ...json,
    Authorization: `Bearer ${await tokenAt(world.url, credentials)}`,
    'X-Idempotency-Key': '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417',
  };
  const [account] = await world.accounts().all();
  const body = JSON.stringify({ accountId: account!.id, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' });
  const quote = { method: 'POST', headers, body };
  const recorded = await (await fetch(`${world.url}/api/quotes`, quote)).text();
  const text = await failureReport(world, { runner: 'vitest', file: 'pays.test.js', failure: `got ${credentials.clientSecret}` });
  await endTestWorld(world, true);
  const [, path] = /npx crossborder-sandbox replay (\S+) --at-failure/.exec(text) ?? [];
  const bytes = readFileSync(path!);
  expect(bytes.toString()).not.toContain(credentials.clientSecret);
  const file = readReplay(bytes, path!);
  expect(file).toMatchObject({ complete: true, test: { runner: 'vitest', file: 'pays.test.js', failure: 'got [secret]' } });
  const step = file.steps.findIndex((each) => each.kind === 'CALL' && each.operationId === 'createQuote');
  const player = await Player.start(file);
  try {
    expect(await player.play(step)).toBeNull();
    await player.stand();
    const { url } = player.server;
    const again = { ...quote, headers: { ...headers, Authorization: `Bearer ${await tokenAt(url, credentials)}` } };
    expect(await (await fetch(`${url}/api/quotes`, again)).text()).toBe(recorded);
  } finally {
    await player.close();
  }
});

it('a test that replay --live repeats gets the recorded world name, and any other test its own', async () => {
  const [place, other] = ['pays out', 'pays in'].map((name) => ({ file: 'pays.test.js', name }));
  const recorded = `a1b2c3-${worldName(place!)}`;
  vi.stubEnv('SANDBOX_REPLAY_WORLD', recorded);
  const worlds = [await makeTestWorld('vitest', place!), await makeTestWorld('vitest', other!)];
  expect(worlds.map(({ name }) => name)).toEqual([recorded, worldName(other!)]);
  for (const world of worlds) await endTestWorld(world, false);
});
