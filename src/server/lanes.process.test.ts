import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoadClients, type LoadRequest } from '../testing/load.js';
import { call, SandboxProcess, tokenFor } from '../testing/process.js';

let server: SandboxProcess;
beforeAll(async () => {
  server = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error']);
});
afterAll(() => server.end('SIGTERM'));

const count = 80;
const json = { 'content-type': 'application/json' };

/** Kinds of requests that many other clients send at one time. */
const floods: readonly [name: string, shot: (index: number) => LoadRequest][] = [
  ['reports', () => ({ method: 'GET', path: '/_sandbox/report' })],
  ['creations of worlds', (index) => ({ method: 'PUT', path: `/_sandbox/worlds/made-${index}`, headers: json, body: '{}' })],
];

describe('a client of one world', () => {
  it.each(floods)(`is served before most of ${count} %s that arrived first`, { retry: 12 }, async (_name, shot) => {
    const { url } = server;
    const { body: world } = await call(url, 'PUT', '/_sandbox/worlds/patient', { body: {} });
    const headers = { authorization: `Bearer ${await tokenFor(url, world.credentials)}` };
    const [flood, patient] = [await LoadClients.open(url, count), await LoadClients.open(url, 1)];
    let [sent, served, servedBefore] = [0, 0, -1];
    // The client sends right after the flood, so that its request arrives last. On a busy machine it may arrive too late: hence `retry`.
    const flooded = flood.send(
      count,
      () => shot(sent++),
      () => (served += 1),
    );
    const statuses: number[] = [];
    await patient.send(
      1,
      () => ({ method: 'GET', path: '/api/accounts', headers }),
      ({ status }) => {
        statuses.push(status);
        servedBefore = served;
      },
    );
    await flooded;
    for (const clients of [flood, patient]) clients.close();
    expect([statuses, served]).toEqual([[200], count]);
    expect(servedBefore).toBeLessThan(count / 2);
  });
});

it.each(['/_sandbox/health/ready', '/metrics'])(
  `GET %s waits for none of ${count} requests to the default world`,
  { retry: 12 },
  async (path) => {
    const [flood, probe] = [await LoadClients.open(server.url, count), await LoadClients.open(server.url, 1)];
    let [served, servedBefore] = [0, -1];
    const flooded = flood.send(
      count,
      () => ({ method: 'POST', path: '/_sandbox/reset', headers: json, body: '{}' }),
      () => (served += 1),
    );
    await probe.send(
      1,
      () => ({ method: 'GET', path }),
      () => (servedBefore = served),
    );
    await flooded;
    for (const clients of [flood, probe]) clients.close();
    expect(served).toBe(count);
    expect(servedBefore).toBeLessThan(count / 2);
  },
);
