// node --test sandbox.test.mjs, with testcontainers installed. In JavaScript, crossborder-sandbox itself needs no container.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { GenericContainer, TestContainers, Wait } from 'testcontainers';

const image = process.env.SANDBOX_IMAGE ?? 'crossborder-sandbox'; // docker build -t crossborder-sandbox . in this repository
let container;
let url;
const receiver = createServer((request, response) => {
  receiver.emit('webhook', request.headers['x-event-type']);
  response.writeHead(204).end();
});

before(async () => {
  await once(receiver.listen(0), 'listening');
  await TestContainers.exposeHostPorts(receiver.address().port); // before the container starts
  container = await new GenericContainer(image)
    .withEnvironment({ SANDBOX_DATA: 'memory' })
    .withExposedPorts(4010)
    .withWaitStrategy(Wait.forHttp('/_sandbox/health/ready', 4010))
    .start();
  url = `http://${container.getHost()}:${container.getMappedPort(4010)}`;
});
after(async () => {
  receiver.close();
  await container?.stop();
});

async function call(method, path, body, headers = {}) {
  const sent = { method, headers: { 'Content-Type': 'application/json', ...headers }, body: body && JSON.stringify(body) };
  const response = await fetch(url + path, sent);
  const text = await response.text();
  assert.ok(response.ok, text);
  return text && JSON.parse(text);
}

test('an application gets a token for its world', async () => {
  const world = await call('PUT', '/_sandbox/worlds/orders?ifExists=replace', { clock: { mode: 'FROZEN' } });
  const { accessToken } = await call('POST', '/api/oauth/client/token', world.credentials);
  const accounts = await call('GET', '/api/accounts', undefined, { Authorization: `Bearer ${accessToken}` });
  assert.ok(accounts.data.length > 0);
});

test('a webhook reaches a receiver on the host', async () => {
  const world = await call('PUT', '/_sandbox/worlds/hooks?ifExists=replace', {});
  const { accessToken } = await call('POST', '/api/oauth/client/token', world.credentials);
  const hook = { url: `http://host.testcontainers.internal:${receiver.address().port}/hooks`, includeAll: true };
  await call('POST', '/api/subscriptions', hook, { Authorization: `Bearer ${accessToken}`, 'X-Idempotency-Key': randomUUID() });
  const arrived = once(receiver, 'webhook');
  await call('POST', '/_sandbox/events', { eventType: 'OPERATION_COMPLETED' }, { 'X-Sandbox-World': 'hooks' });
  assert.deepEqual(await arrived, ['OPERATION_COMPLETED']);
});
