import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import { connect } from '../client/sandbox.js';
import type { WorldClient } from '../client/world.js';
import { pixBeneficiary } from '../testing/withdrawals.js';
import { otherPort } from './port-holder.js';
import { clientOf, livelyWorld, runCommandLine as typed } from '../testing/command-line.js';

let sandbox: RunningSandbox;
let world: WorldClient;
beforeAll(async () => {
  sandbox = await startSandbox();
  world = await livelyWorld(connect({ url: sandbox.url }));
});
afterAll(() => sandbox.close());

interface Told {
  readonly check: string;
  readonly result: string;
  readonly what: string;
  readonly fix?: string;
}

async function doctor(environment: Record<string, string> = {}) {
  const { code, stdout } = await typed('crossborder-sandbox doctor --json', { environment: { SANDBOX_URL: sandbox.url, ...environment } });
  const reported = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
  return {
    code,
    reported,
    wrong: Object.fromEntries(
      reported.filter(({ result }) => result !== 'OK').map(({ check, what, fix }) => [check, `${what} → ${fix ?? ''}`]),
    ),
  };
}

it('doctor reports no problems for a healthy sandbox', async () => {
  await world.clock.run();
  await sandbox.replaceWorld('sound', { fixtures: 'empty' });
  expect(await doctor({ SANDBOX_WORLD: 'sound' })).toMatchObject({ code: 0, wrong: {} });
});

it('doctor reports pending timers, unreachable endpoints and faults, each with a fix', async () => {
  await sandbox.replaceWorld('ill', { clock: { mode: 'FROZEN' } });
  const ill = connect({ url: sandbox.url }).world('ill');
  const api = await clientOf(ill);
  await api('POST', '/api/subscriptions', { url: 'http://127.0.0.1:9/hooks', includeAll: true });
  await api('POST', '/api/beneficiaries', pixBeneficiary());
  await ill.fault({ on: 'REQUEST', effect: { status: 503, code: 'SERVICE_UNAVAILABLE' } });
  const { code, wrong } = await doctor({ SANDBOX_WORLD: 'ill' });
  expect(code).toBe(1);
  expect(wrong).toMatchObject({
    clock: expect.stringMatching(/Frozen.*→ crossborder-sandbox clock run .*advance --next/) as string,
    subscriptions: expect.stringMatching(/127\.0\.0\.1:9.*→ .*inbox/) as string,
    faults: expect.stringMatching(/1 fault active.*→ .*fault remove -/) as string,
  });
});

it.each([
  [
    'FROZEN',
    40,
    /^Frozen at .*The world is 40 days ahead of the clock .*iat and exp.*signatures use real time.* → crossborder-sandbox clock run starts it/,
  ],
  ['RUNNING', 40, /^\S+, RUNNING\. The world is 40 days ahead of .* → crossborder-sandbox worlds create/],
  ['RUNNING', -3, /The world is 3 days behind .*exp of tokens is in the past/],
  ['FROZEN', 0, /^Frozen at \S+\. → crossborder-sandbox clock run starts it$/],
])('doctor explains the effects of a %s clock that is moved by %i days, and the fix', async (mode, days, expected) => {
  const now = new Date(Date.now() + days * 86_400_000).toISOString();
  await sandbox.replaceWorld('moved', { fixtures: 'empty', clock: { mode: mode as 'FROZEN', now } });
  const { wrong } = await doctor({ SANDBOX_WORLD: 'moved' });
  expect(wrong).toEqual({ clock: expect.stringMatching(expected) as string });
});

/** Starts a server that is not a sandbox. */
async function otherServer(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((closed) => (server.closeAllConnections(), server.close(() => closed())));
  return { url: `http://127.0.0.1:${port}`, port, close };
}

it.each([
  [
    'that no server responds',
    3,
    { SANDBOX_URL: 'http://127.0.0.1:59' },
    'address',
    /No response.*ECONNREFUSED.* → crossborder-sandbox start --port 59$/,
  ],
  ['that the host name is unknown', 3, { SANDBOX_URL: 'http://sandbox.invalid' }, 'address', /No response.* → Set --url/],
  ['that the world does not exist', 1, { SANDBOX_WORLD: 'nowhere' }, 'world', /nowhere.* → crossborder-sandbox worlds create nowhere$/],
])('doctor reports %s', async (_what, code, environment, check, what) => {
  const found = await doctor(environment);
  expect(found).toMatchObject({ code, wrong: { [check]: expect.stringMatching(what) as string } });
  expect(found.reported.at(-1)).toMatchObject({ check, result: 'FAILED' });
});

it('the port to use instead of one in use exists', () => {
  expect([otherPort(4010), otherPort(65_535)]).toEqual([4011, 65_534]);
});

it('doctor names the process on the port if it is not a sandbox', async () => {
  const other = await otherServer((_request, response) => response.end('<h1>It works!</h1>'));
  try {
    const { code, wrong } = await doctor({ SANDBOX_URL: other.url });
    const holder = process.platform === 'linux' ? `^Process ${process.pid} \\(.*\\) uses the port` : '^The server';
    expect({ code, port: wrong['port'] }).toEqual({ code: 2, port: expect.stringMatching(`${holder}.* → .*--port ${other.port + 1}`) });
  } finally {
    await other.close();
  }
});

it('doctor reports a rejected host name and the setting that allows it', async () => {
  const named = await otherServer(({ method, url, headers }, response) => {
    const sent = request(sandbox.url + url, { method, headers: { ...headers, host: 'sandbox.example.com' } }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
    });
    sent.end();
  });
  try {
    expect(await doctor({ SANDBOX_URL: named.url })).toMatchObject({
      code: 1,
      wrong: { host: expect.stringMatching(/rejects requests.*SANDBOX_ALLOWED_HOSTS=/) as string },
    });
  } finally {
    await named.close();
  }
});

it('doctor reports a control API at a separate address', async () => {
  const apart = await startSandbox({ controlPort: 0 });
  try {
    expect(await doctor({ SANDBOX_URL: apart.url })).toMatchObject({
      code: 1,
      wrong: { address: expect.stringMatching(/not at .*SANDBOX_CONTROL_URL/) as string },
    });
    expect((await doctor({ SANDBOX_URL: apart.url, SANDBOX_CONTROL_URL: apart.controlUrl })).wrong).not.toHaveProperty('address');
  } finally {
    await apart.close();
  }
});

it('doctor reports a missing or wrong control token', async () => {
  const locked = await startSandbox({ controlToken: 'open-sesame' });
  try {
    const environment = { SANDBOX_URL: locked.url };
    expect(await doctor(environment)).toMatchObject({ code: 1, wrong: { token: expect.stringMatching(/requires.*--token/) as string } });
    expect(await doctor({ ...environment, SANDBOX_CONTROL_TOKEN: 'wrong' })).toMatchObject({
      code: 1,
      wrong: { token: expect.stringMatching(/is wrong.*--token/) as string },
    });
    expect((await doctor({ ...environment, SANDBOX_CONTROL_TOKEN: 'open-sesame' })).reported.length).toBeGreaterThan(5);
  } finally {
    await locked.close();
  }
});
