// node --test sandbox.test.mjs, with testcontainers installed. In JavaScript, crossborder-sandbox itself needs no container.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GenericContainer, Wait } from 'testcontainers';

const image = process.env.SANDBOX_IMAGE ?? 'crossborder-sandbox'; // docker build -t crossborder-sandbox . in this repository
let container;
let url;

before(async () => {
  container = await new GenericContainer(image)
    .withEnvironment({ SANDBOX_DATA: 'memory' })
    .withExposedPorts(4010)
    .withWaitStrategy(Wait.forHttp('/_sandbox/health/ready', 4010))
    .start();
  url = `http://${container.getHost()}:${container.getMappedPort(4010)}`;
});
after(() => container?.stop());

async function call(method, path, body, headers = {}) {
  const sent = { method, headers: { 'Content-Type': 'application/json', ...headers }, body: body && JSON.stringify(body) };
  const response = await fetch(url + path, sent);
  const text = await response.text();
  assert.ok(response.ok, text);
  return text && JSON.parse(text);
}

test('an application gets a token for a world of its own', async () => {
  const world = await call('PUT', '/_sandbox/worlds/orders', { clock: { mode: 'FROZEN' } });
  const { accessToken } = await call('POST', '/api/oauth/client/token', world.credentials);
  const accounts = await call('GET', '/api/accounts', undefined, { Authorization: `Bearer ${accessToken}` });
  assert.ok(accounts.data.length > 0);
});
