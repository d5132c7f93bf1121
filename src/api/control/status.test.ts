import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { StatusSchema } from '../../contract/control/status.js';
import { readSettings } from '../../server/options.js';
import { startServer, type RunningServer } from '../../server/server.js';
import { temporaryDirectory } from '../../testing/process.js';

const servers: RunningServer[] = [];
async function started(...args: string[]): Promise<RunningServer> {
  const server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', ...args], {}));
  servers.push(server);
  return server;
}
const directory = temporaryDirectory();
afterAll(async () => {
  await Promise.all(servers.map((each) => each.close()));
  rmSync(directory, { recursive: true });
});

const statusOf = async ({ controlUrl }: RunningServer, headers: Record<string, string> = {}) => {
  const response = await fetch(`${controlUrl}/_sandbox`, { headers });
  expect(response.status).toBe(200);
  return StatusSchema.strict().parse(await response.json());
};

describe('the status of a sandbox', () => {
  let server: RunningServer;
  beforeAll(async () => void (server = await started()));

  it('contains version and addresses', async () => {
    const { startedAt, inContainer, ...status } = await statusOf(server);
    expect(status).toEqual({
      bootId: expect.any(String),
      version: manifest.version,
      auth: 'none',
      apiVersions: ['1'],
      internalUrl: server.url,
      controlUrl: server.url,
      publicUrl: server.url,
      readOnly: false,
      freeBytes: null,
      worlds: 1,
      scenarios: { loadedAt: expect.stringMatching(/Z$/), errors: [] },
    });
    expect(Date.parse(startedAt!)).toBeLessThanOrEqual(Date.now());
    expect(typeof inContainer).toBe('boolean');
  });

  it('contains addresses with the host name that the client used', async () => {
    const port = new URL(server.url).port;
    expect(await statusOf({ ...server, controlUrl: `http://localhost:${port}` })).toMatchObject({
      internalUrl: server.url,
      publicUrl: `http://localhost:${port}`,
    });
  });
});

it('without the control token, the status only shows the version and that a token is required', async () => {
  const server = await started('--control-token', 'long-enough');
  const little = { version: manifest.version, auth: 'token' };
  expect(await statusOf(server)).toEqual(little);
  expect(await statusOf(server, { authorization: 'Bearer wrong-token' })).toEqual(little);
  expect(await statusOf(server, { authorization: 'Bearer long-enough' })).toMatchObject({ ...little, worlds: 1 });
});

it('the status contains the free disk space', async () => {
  const { freeBytes } = await statusOf(await started('--data', directory));
  expect(freeBytes).toBeGreaterThan(1024 * 1024);
});

it('the status contains the URL of the payments API if the control API has a separate port', async () => {
  const server = await started('--control-port', '0');
  expect(await statusOf(server)).toMatchObject({ internalUrl: server.controlUrl, controlUrl: server.controlUrl, publicUrl: server.url });
  expect((await fetch(`${server.url}/_sandbox`)).status).toBe(404);
});
