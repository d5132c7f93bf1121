import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { beforeAll, expect, it, vi } from 'vitest';
import { startSandbox, type StartOptions } from './index.js';

beforeAll(async () => (await startSandbox()).close(), 60_000); // The first sandbox loads the whole server.

it('startSandbox accepts the settings of the server as options', async () => {
  await expect(startSandbox({ scenario: 'no such one' })).rejects.toThrow(/SANDBOX_SCENARIO/);
  // @ts-expect-error A string is not a number of rows.
  await expect(startSandbox({ maxRows: 'many' })).rejects.toThrow(/SANDBOX_MAX_ROWS .*expected a whole number .*; got "many"$/);
  await expect(startSandbox({ scenarioDir: 'mine', logLevel: 'info' } as StartOptions)).rejects.toThrow(
    /^scenarioDir is not a setting; did you mean scenariosDir\?$/,
  );
});

it('startSandbox ignores the environment, and changes no globals or signal handlers', async () => {
  const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
  const before = [globalThis.Request, globalThis.Response, listeners()];
  vi.stubEnv('SANDBOX_MAX_WORLDS', 'many');
  const sandbox = await startSandbox();
  vi.unstubAllEnvs();
  expect([globalThis.Request, globalThis.Response, listeners()]).toEqual(before);
  await sandbox.close();
});

it('startSandbox rejects faked timers with an explanation', async () => {
  vi.useFakeTimers();
  try {
    await expect(startSandbox()).rejects.toThrow(/timers of this process are faked.*vitest\/setup/);
  } finally {
    vi.useRealTimers();
  }
});

it('the sandbox gives the same responses by sandbox.fetch() as on its port', async () => {
  await using sandbox = await startSandbox();
  const path = '/api/oauth/client/token';
  const request = () => {
    const body = JSON.stringify({ clientId: 'sandbox', clientSecret: 'sandbox-secret' });
    return new Request(sandbox.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  };
  for (const answer of [await sandbox.fetch(request()), await fetch(request())]) {
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ tokenType: 'Bearer' })]);
  }
});

it('a closed sandbox frees its port and sends no responses', async () => {
  const sandbox = await startSandbox();
  const { hostname, port } = new URL(sandbox.url);
  await sandbox.close();
  await expect(sandbox.worlds()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  await expect(once(connectSocket(Number(port), hostname), 'connect')).rejects.toThrow(/ECONNREFUSED/);
});

it('several sandboxes in one process are independent, even if only one has a control token', async () => {
  await using open = await startSandbox();
  await using guarded = await startSandbox({ controlToken: 'a-control-token' });
  await using world = await guarded.createWorld({ name: 'own' });
  expect((await world.env())['SANDBOX_URL']).toBe(guarded.url);
  expect((await open.worlds()).map(({ name }) => name)).toEqual(['default']);
  const { response } = await open.control.GET('/_sandbox/worlds', { baseUrl: guarded.url, fetch: (request) => guarded.fetch(request) });
  expect(response.status).toBe(401);
});
