import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoadClients, type LoadRequest } from '../testing/load.js';
import { call, SandboxProcess, tokenFor } from '../testing/process.js';

let server: SandboxProcess;
beforeAll(async () => {
  server = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error']);
});
afterAll(() => server.end('SIGTERM'));

const count = 400;
const json = { 'content-type': 'application/json' };

/** Requests that many other clients send at one time. Each runs in one piece, so that a later request in the same lane is served last. */
const floods: readonly [name: string, shot: LoadRequest][] = [
  ['reads of the audit log', { method: 'GET', path: '/_sandbox/audit' }],
  ['invalid token requests', { method: 'POST', path: '/api/oauth/client/token', headers: json, body: '{}' }],
];
const ofDefaultWorld: LoadRequest = { method: 'GET', path: '/_sandbox/clock' };

/**
 * Sends many requests, each on its own connection, and after them one more. Returns how many of the many had a response before the last one.
 * The server process is stopped until all requests have arrived, so that the order does not depend on the speed of the machine.
 */
async function servedBefore(last: LoadRequest, first: LoadRequest): Promise<number> {
  const [flood, probe] = [await LoadClients.open(server.url, count), await LoadClients.open(server.url, 1)];
  // A response on each connection shows that the server has accepted it. The server reads the connection of the latest response first.
  await probe.send(1, () => last);
  await flood.send(count, () => ({ method: 'GET', path: '/_sandbox/health/live' }));
  let [served, before, status] = [0, -1, 0];
  process.kill(server.pid, 'SIGSTOP');
  const flooded = flood.send(
    count,
    () => first,
    () => (served += 1),
  );
  const probed = probe.send(
    1,
    () => last,
    (response) => {
      ({ status } = response);
      before = served;
    },
  );
  process.kill(server.pid, 'SIGCONT');
  await Promise.all([flooded, probed]);
  for (const clients of [flood, probe]) clients.close();
  expect([status, served]).toEqual([200, count]);
  return before;
}

describe('a client of one world', () => {
  it.each(floods)(`is served before most of ${count} %s that arrived first`, async (_name, shot) => {
    const { body: world } = await call(server.url, 'PUT', '/_sandbox/worlds/patient', { body: {} });
    const headers = { authorization: `Bearer ${await tokenFor(server.url, world.credentials)}` };
    expect(await servedBefore({ method: 'GET', path: '/api/accounts', headers }, shot)).toBeLessThan(count / 2);
  });
});

it.each(['/_sandbox/health/ready', '/metrics'])(
  `GET %s is served before most of ${count} requests to the default world that arrived first`,
  async (path) => {
    expect(await servedBefore({ method: 'GET', path }, ofDefaultWorld)).toBeLessThan(count / 2);
  },
);
