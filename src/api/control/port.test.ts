import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../server/server.js';
import { readSettings } from '../../server/options.js';

let server: RunningServer;
beforeAll(async () => {
  const args = ['--port', '0', '--control-port', '0', '--data', 'memory', '--log-level', 'silent'];
  server = await startServer(readSettings(args, {}));
});
afterAll(() => server.close());

describe('a control API with a separate port', () => {
  it.each(['/_sandbox/clock', '/_sandbox/health/live', '/_sandbox/openapi.json'])(
    'serves %s on that port, and not on the public port',
    async (path) => {
      expect(server.controlUrl).not.toBe(server.url);
      expect((await fetch(server.controlUrl + path)).status).toBe(200);
      const unknown = await fetch(server.url + path);
      expect(unknown.status).toBe(404);
      expect(await unknown.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    },
  );

  it('does not serve the payments API', async () => {
    expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${server.controlUrl}/openapi.json`)).status).toBe(404);
  });

  it('issues access tokens whose issuer is the payments API', async () => {
    const { accessToken } = (await (await fetch(`${server.controlUrl}/_sandbox/token`, { method: 'POST' })).json()) as {
      accessToken: string;
    };
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString()) as { iss: string };
    expect(claims.iss).toBe(server.url);
  });

  it('receives webhooks for inboxes on that port', async () => {
    const message = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(`${server.controlUrl}/_sandbox/inbox/in`, message)).status).toBe(200);
    expect((await fetch(`${server.url}/_sandbox/inbox/in`, message)).status).toBe(404);
  });
});
