import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../server/options.js';
import { startServer, type RunningServer } from '../../server/server.js';
import { call, connect } from '../../testing/process.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
});
afterAll(() => server.close());

/** Creates a world. @returns a client of the world */
async function worldWithClient(name: string) {
  const { body } = await call(server.url, 'POST', '/_sandbox/worlds', { body: { name } });
  return connect(server.url, body.credentials);
}

/** Posts a message to the inbox `shared` without naming a world. @returns the worlds that received the message */
async function worldsThatGet(message: string): Promise<string[]> {
  const { status } = await call(server.url, 'POST', '/_sandbox/inbox/shared', { body: { message } });
  expect(status).toBe(200);
  const worlds: string[] = [];
  for (const name of ['default', 'one', 'two']) {
    const { text } = await call(server.url, 'GET', '/_sandbox/inbox/shared/messages', { headers: { 'x-sandbox-world': name } });
    if (text.includes(message)) worlds.push(name);
  }
  return worlds;
}

it('an external POST to an inbox goes to the only world with a subscription to the inbox, else to the default world', async () => {
  const [one, two] = [await worldWithClient('one'), await worldWithClient('two')];
  const inbox = { url: `${server.url}/_sandbox/inbox/shared`, includeAll: true, allowRetry: false };
  expect(await worldsThatGet('nobody subscribed')).toEqual(['default']);

  const { body: subscription } = await one('POST', '/api/subscriptions', inbox);
  expect(await worldsThatGet('one subscribed')).toEqual(['one']);

  await two('POST', '/api/subscriptions', inbox);
  expect(await worldsThatGet('both subscribed')).toEqual(['default']);

  const asOne = { headers: { 'x-sandbox-world': 'one' } };
  expect((await call(server.url, 'DELETE', `/_sandbox/subscriptions/${subscription.id}`, asOne)).status).toBe(204);
  expect(await worldsThatGet('one unsubscribed')).toEqual(['two']);

  expect((await call(server.url, 'POST', '/_sandbox/reset', { headers: { 'x-sandbox-world': 'two' } })).status).toBe(200);
  expect(await worldsThatGet('two was reset')).toEqual(['default']);

  await one('POST', '/api/subscriptions', inbox);
  expect((await call(server.url, 'DELETE', '/_sandbox/worlds/one')).status).toBe(204);
  expect(await worldsThatGet('one was deleted')).toEqual(['default']);
});
