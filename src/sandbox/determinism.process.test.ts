import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pixBeneficiary } from '../testing/withdrawals.js';
import { SandboxProcess, call, connect, startReceiver, type ReceivedWebhook } from '../testing/process.js';

const worldRequest = { name: 'twin', seed: 42, clock: { mode: 'FROZEN', now: '2026-12-01T09:30:00Z' } };

/** Runs a typical series of requests in one world. @returns all response bodies in order */
async function journey(url: string, hookUrl: string): Promise<string[]> {
  const texts: string[] = [];
  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await call(url, method, `/_sandbox${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { 'x-sandbox-world': 'twin' },
    });
    texts.push(answer.text);
    return answer.body;
  };
  const { credentials } = await control('POST', '/worlds', worldRequest);
  const client = await connect(url, credentials);
  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await client(method, path, body, randomUUID());
    texts.push(answer.text);
    return answer.body;
  };
  const accounts = await api('GET', '/api/accounts?limit=2&sortOrder=ASCENDING');
  const accountId = accounts.data[0].id;
  await api('GET', `/api/accounts?limit=2&sortOrder=ASCENDING&cursor=${accounts.meta.nextCursor}`);
  await api('POST', '/api/subscriptions', { url: hookUrl, includeAll: true });
  const refused = await api('POST', '/api/quotes', {
    accountId: randomUUID(),
    sourceAsset: 'BRL',
    targetAsset: 'BRL',
    sourceAmount: '1.00',
  });
  texts.splice(texts.indexOf(JSON.stringify(refused)), 1); // This error contains the random account id of the request.
  const beneficiary = await api('POST', '/api/beneficiaries', pixBeneficiary());
  await control('POST', '/clock/advance', { by: 'PT10S' });
  for (const amount of ['125.00', '80.13']) {
    const quote = await api('POST', '/api/quotes', { accountId, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: amount });
    const operation = await api('POST', '/api/operations/withdrawal', {
      accountId,
      quoteId: quote.id,
      beneficiary: {
        type: 'REFERENCE',
        id: beneficiary.id,
        paymentInstruction: { type: 'REFERENCE', id: beneficiary.paymentInstruction.id },
      },
    });
    await control('POST', '/clock/advance', { by: 'PT1M' });
    await api('GET', `/api/operations/${operation.id}`);
  }
  const { data } = await api('GET', '/api/subscriptions');
  await api('GET', `/api/subscriptions/${data[0].id}/executionLogs?limit=3`);
  await control('GET', '/clock');
  return texts;
}

const stable = ({ headers, body }: ReceivedWebhook) => [headers['x-message-id'], headers['x-event-type'], headers['x-company-id'], body];

describe('determinism', () => {
  it('yields byte-identical responses and webhooks on two servers for equal world names, seeds, requests and clock changes', async () => {
    const servers = await Promise.all([SandboxProcess.start(['--data', 'memory']), SandboxProcess.start(['--data', 'memory'])]);
    const hooks = await startReceiver();
    try {
      const first = await journey(servers[0].url, hooks.url);
      const firstHooks = hooks.received.splice(0).map(stable);
      const second = await journey(servers[1].url, hooks.url);
      expect(second).toEqual(first);
      expect(hooks.received.map(stable)).toEqual(firstHooks);
      expect(firstHooks.map((each) => each[1])).toEqual([
        'BENEFICIARY_PAYMENT_INSTRUCTION_CREATED',
        'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED',
        'OPERATION_REQUESTED',
        'OPERATION_COMPLETED',
        'OPERATION_REQUESTED',
        'OPERATION_FAILED',
      ]);
    } finally {
      await Promise.all([...servers.map((server) => server.end('SIGTERM')), hooks.close()]);
    }
  });

  it('yields different ids for two worlds with one seed and different names', async () => {
    const server = await SandboxProcess.start(['--data', 'memory']);
    try {
      const made = await Promise.all(
        ['one', 'two'].map((name) => call(server.url, 'POST', '/_sandbox/worlds', { body: { name, seed: 42 } })),
      );
      expect(made[0]!.body.customerId).not.toBe(made[1]!.body.customerId);
    } finally {
      await server.end('SIGTERM');
    }
  });
});
