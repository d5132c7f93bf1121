import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import { connect } from '../client/sandbox.js';
import type { World } from '../client/world.js';
import { pixBeneficiary } from '../testing/withdrawals.js';
import { clientOf, livelyWorld, type as typed } from '../testing/command-line.js';

let sandbox: RunningSandbox;
let world: World;
beforeAll(async () => {
  sandbox = await startSandbox();
  world = await livelyWorld(connect({ url: sandbox.url }));
});
afterAll(() => sandbox.close());

interface Told {
  readonly check: string;
  readonly result: string;
  readonly what: string;
  readonly mend?: string;
}

async function doctor(environment: Record<string, string> = {}) {
  const { code, stdout } = await typed('crossborder-sandbox doctor --json', { environment: { SANDBOX_URL: sandbox.url, ...environment } });
  const told = JSON.parse(stdout) as Told[];
  return {
    code,
    told,
    wrong: Object.fromEntries(
      told.filter(({ result }) => result !== 'OK').map(({ check, what, mend }) => [check, `${what} → ${mend ?? ''}`]),
    ),
  };
}

it('finds nothing to mend where all is well', async () => {
  await world.clock.run();
  await sandbox.renewWorld('sound', { fixtures: 'empty' });
  expect(await doctor({ SANDBOX_WORLD: 'sound' })).toMatchObject({ code: 0, wrong: {} });
});

it('finds timers that wait, endpoints that cannot be reached, faults, and says what mends them', async () => {
  await sandbox.renewWorld('ill', { clock: { mode: 'FROZEN' } });
  const ill = connect({ url: sandbox.url }).world('ill');
  const api = await clientOf(ill);
  await api('POST', '/api/subscriptions', { url: 'http://127.0.0.1:9/hooks', includeAll: true });
  await api('POST', '/api/beneficiaries', pixBeneficiary());
  await ill.fault({ on: 'REQUEST', effect: { status: 503, code: 'SERVICE_UNAVAILABLE' } });
  const { code, wrong } = await doctor({ SANDBOX_WORLD: 'ill' });
  expect(code).toBe(1);
  expect(wrong).toMatchObject({
    clock: expect.stringMatching(/frozen.*→ crossborder-sandbox advance --next/) as string,
    subscriptions: expect.stringMatching(/127\.0\.0\.1:9.*→ .*inbox/) as string,
    faults: expect.stringMatching(/1 fault armed.*→ .*fault remove -/) as string,
  });
});

it.each([
  ['no sandbox is there', 3, { SANDBOX_URL: 'http://127.0.0.1:9' }, 'address', /Nothing answers/],
  ['there is no such world', 1, { SANDBOX_WORLD: 'nowhere' }, 'world', /nowhere/],
])('says that %s', async (_what, code, environment, check, what) => {
  const found = await doctor(environment);
  expect(found).toMatchObject({ code, wrong: { [check]: expect.stringMatching(what) as string } });
});

it('says that a token is wanted', async () => {
  const locked = await startSandbox({ controlToken: 'open-sesame' });
  try {
    expect(await doctor({ SANDBOX_URL: locked.url })).toMatchObject({
      code: 1,
      wrong: { address: expect.stringContaining('--token') as string },
    });
    expect((await doctor({ SANDBOX_URL: locked.url, SANDBOX_CONTROL_TOKEN: 'open-sesame' })).told.length).toBeGreaterThan(5);
  } finally {
    await locked.close();
  }
});
