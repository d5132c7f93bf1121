import { afterEach, describe, expect, it } from 'vitest';
import { readSettings } from '../server/options.js';
import { startServer, type RunningServer } from '../server/server.js';
import { flagsIn, isReady } from './health.js';

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const each of servers.splice(0)) await each.close();
});

/** Whether a server with these flags is ready, asked at the ports that it was given. */
async function readiness(...flags: string[]) {
  const server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', ...flags], {}));
  servers.push(server);
  const port = (url: string) => Number(new URL(url).port);
  return { HOST: '0.0.0.0', PORT: port(server.url), CONTROL_PORT: flags.length > 0 ? port(server.controlUrl) : undefined };
}

describe('the health of a container', () => {
  it.each([[[]], [['--control-port', '0']]])('is asked where the settings %j say', async (flags) => {
    const settings = await readiness(...flags);
    expect(await isReady(settings)).toBe(true);
    for (const each of servers.splice(0)) await each.close();
    expect(await isReady(settings)).toBe(false);
  });

  it('is not asked at the public port where the control plane has its own', async () => {
    const { HOST, PORT } = await readiness('--control-port', '0');
    expect(await isReady({ HOST, PORT, CONTROL_PORT: undefined })).toBe(false);
  });

  it.each([
    ['node\0dist/main.cjs\0--port\x004020\0', ['--port', '4020']],
    ['/sbin/docker-init\0--\0node\0/app/dist/main.cjs\0--control-port=4011\0', ['--control-port=4011']],
    ['node\0/usr/local/bin/crossborder-sandbox\0', []],
    ['sh\0-c\0sleep 1\0', []],
    ['', []],
  ])('knows the flags in %j', (commandLine, flags) => {
    expect(flagsIn(commandLine)).toEqual(flags);
  });
});
