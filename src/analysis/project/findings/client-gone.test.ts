import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Finding } from '../../../contract/control/analysis/findings.js';
import { Stage } from '../../../testing/script-stage.js';
import { pixBeneficiary, withdrawalBody } from '../../../testing/withdrawals.js';

const stage = new Stage();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

/** Sends a request and disconnects as soon as part of the response has arrived and `meanwhile` has finished. */
async function goAway(request: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const { hostname, port } = new URL(stage.url);
  const socket = connect(Number(port), hostname);
  await new Promise((connected) => socket.once('connect', connected));
  socket.write(request);
  await new Promise((answered) => socket.once('data', answered));
  await meanwhile();
  socket.resetAndDestroy();
}

/** A client in its own world that can disconnect before it has the complete response. */
async function clientOf(world: string) {
  const variables = (await stage.makeWorld(world, { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' })) as Record<string, string>;
  const { clientId, clientSecret } = variables;
  const send = async (path: string, headers: Record<string, string>, body: object) => {
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
    const answer = await fetch(stage.url + path, sent);
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  const { accessToken } = (await send('/api/oauth/client/token', {}, { clientId, clientSecret })).body;
  const headers = (key: string) => ({ Authorization: `Bearer ${accessToken}`, 'X-Idempotency-Key': key });
  const post = (path: string, body: object, key: string = randomUUID()) => send(path, headers(key), body);
  const ask = async <T>(path: string) => ((await stage.control('GET', path, world)) as { data: T[] }).data;
  /** Sends a request with a slow response, so that the client can disconnect during the response. */
  const leave = async (operationId: string, path: string, body: object, meanwhile: (key: string) => Promise<unknown> = async () => {}) => {
    const key = randomUUID();
    const fault = { on: 'REQUEST', when: { operationId }, phase: 'after_commit', times: 1, effect: { slowBody: '10s' } };
    await stage.control('POST', '/faults', world, fault);
    const text = JSON.stringify(body);
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      ...Object.entries(headers(key)).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    await goAway(`${lines.join('\r\n')}\r\n\r\n${text}`, () => meanwhile(key));
    await expect.poll(() => ask('/requests?filters=response.outcome[eq]=CLIENT_DISCONNECTED')).toHaveLength(1);
  };
  const found = async (query = '') => (await ask<Finding>(`/findings${query}`)).map(({ rule }) => rule);
  return { variables, post, leave, ask, found };
}

it('a response counts as lost if the client disconnects before the response is complete', async () => {
  const { variables, post, leave, found } = await clientOf('impatient');
  const { account, otherAccount } = variables;
  const body = { sourceAccountId: account, targetAccountId: otherAccount, amount: { value: '25.00', asset: 'BRL' } };
  await leave('createTransfer', '/api/operations/transfer', body);
  expect(await found('?final=true')).toEqual(['idempotency.lost-response-abandoned']);
  expect((await post('/api/operations/transfer', body)).status).toBe(201);
  expect(await found('?final=true')).toEqual(['payment.repeated']);
});

it('a response does not count as lost if the client repeats the request before it disconnects', async () => {
  const { variables, post, leave, found } = await clientOf('hasty');
  const { account, otherAccount } = variables;
  const body = { sourceAccountId: account, targetAccountId: otherAccount, amount: { value: '25.00', asset: 'BRL' } };
  await leave('createTransfer', '/api/operations/transfer', body, (key) => post('/api/operations/transfer', body, key));
  expect(await found('?final=true')).toEqual([]);
  expect((await post('/api/operations/transfer', body)).status).toBe(201);
  expect(await found('?final=true')).toEqual([]);
});

it('a status in a response does not count as known if the client disconnects before the response is complete', async () => {
  const { variables, post, leave, ask, found } = await clientOf('untold');
  await leave('createBeneficiary', '/api/beneficiaries', pixBeneficiary());
  const [pending] = await ask<Parameters<typeof withdrawalBody>[2]>('/beneficiaries?sortOrder=DESCENDING&limit=1');
  const quote = { accountId: variables['account'], sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' };
  const { body } = await post('/api/quotes', quote);
  const refused = await post('/api/operations/withdrawal', withdrawalBody(variables['account']!, body['id']!, pending!));
  expect([refused.status, refused.body['code']]).toEqual([422, 'PAYMENT_INSTRUCTION_NOT_APPROVED']);
  expect(await found()).toEqual([]);
});
