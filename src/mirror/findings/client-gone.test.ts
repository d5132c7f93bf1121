import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Stage } from '../../testing/script-stage.js';

const stage = new Stage();
const world = 'impatient';
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

/** Sends a request and goes away as soon as something of the answer has come. */
async function goAway(request: string): Promise<void> {
  const { hostname, port } = new URL(stage.url);
  const socket = connect(Number(port), hostname);
  await new Promise((connected) => socket.once('connect', connected));
  socket.write(request);
  await new Promise((answered) => socket.once('data', answered));
  socket.resetAndDestroy();
}

// The answer comes drop by drop, so that there is time to go while it is sent.
it('a client that goes while its answer is sent has not been told', async () => {
  const variables = await stage.makeWorld(world, { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' });
  const { clientId, clientSecret, account, otherAccount } = variables as Record<string, string>;
  const asked = await fetch(`${stage.url}/api/oauth/client/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  const { accessToken } = (await asked.json()) as { accessToken: string };
  await stage.control('POST', '/faults', world, {
    on: 'REQUEST',
    when: { operationId: 'createTransfer' },
    phase: 'after_commit',
    times: 1,
    effect: { slowBody: '10s' },
  });
  const body = JSON.stringify({ sourceAccountId: account, targetAccountId: otherAccount, amount: { value: '25.00', asset: 'BRL' } });
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
  const lines = [
    'POST /api/operations/transfer HTTP/1.1',
    'Host: localhost',
    ...Object.entries({ ...headers, 'X-Idempotency-Key': randomUUID() }).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  await goAway(`${lines.join('\r\n')}\r\n\r\n${body}`);
  await expect
    .poll(async () =>
      ((await stage.control('GET', '/findings?final=true', world)) as { data: { rule: string }[] }).data.map(({ rule }) => rule),
    )
    .toEqual(['idempotency.lost-answer-abandoned']);
  const again = { method: 'POST', headers: { ...headers, 'X-Idempotency-Key': randomUUID() }, body };
  expect((await fetch(`${stage.url}/api/operations/transfer`, again)).status).toBe(201);
  const { data } = (await stage.control('GET', '/findings', world)) as { data: { rule: string; evidence: { what: string }[] }[] };
  expect(data.map(({ rule }) => rule)).toEqual(['idempotency.lost-answer-new-key']);
});
