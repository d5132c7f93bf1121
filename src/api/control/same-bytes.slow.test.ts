import { afterAll, expect, it } from 'vitest';
import { FileStorage } from '../../storage/file/file-storage.js';
import { PostgresStorage } from '../../storage/postgres/postgres-storage.js';
import { memoryStorage, type Storage } from '../../storage/storage.js';
import { Harness, sharedTokenKey } from '../../testing/harness.js';
import { inLength } from '../../testing/long-run.js';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { StorageDirectory } from '../../testing/storage.js';
import { fixtureIds, pixBeneficiary, withdrawalBody } from '../../testing/withdrawals.js';

const directory = new StorageDirectory();
afterAll(() => directory.remove());

/** Number of requests without a pause, more than the scenario `rate-limited` allows. */
const burst = 55;

/** Sends requests to a world with this scenario, with restarts if the storage is persistent. @returns the bodies of all responses */
async function story(scenario: string, open: () => Promise<Storage>, isKept: boolean): Promise<unknown[]> {
  const tokenKey = await sharedTokenKey();
  const world = `same-${scenario}`;
  let harness = await new Harness().open(tokenKey, { storage: await open() });
  await harness.world(world, { scenario, seed: '11' });
  const { accountId, approved } = fixtureIds(harness, world);
  const bodies: unknown[] = [];
  let key = 0;
  const restarted = async () => {
    harness.forget(world);
    if (!isKept) return;
    await harness.sandbox.close();
    harness = await new Harness().open(tokenKey, { storage: await open() });
  };
  const api = async (method: string, path: string, body?: unknown) => {
    const options = { ...(body === undefined ? {} : { body }), key: `5a1e9c02-7d44-4f0b-9b1a-${String((key += 1)).padStart(12, '0')}` };
    const answer = await harness.api(method, path, options, world);
    bodies.push(answer.body);
    return answer.body;
  };
  const advance = async (by: string) => {
    bodies.push((await harness.control('POST', '/clock/advance', { by }, world)).body);
  };
  await api('POST', '/api/subscriptions', { url: 'https://hooks.example.com/crossborder', includeAll: true, allowRetry: true });
  const quote = (sourceAsset: string, targetAsset: string) =>
    api('POST', '/api/quotes', { accountId, sourceAsset, targetAsset, sourceAmount: '1000.12' });
  await api('POST', '/api/beneficiaries', {
    ...pixBeneficiary(),
    paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'CPF', dictKey: '27182818205' },
  });
  const payout = await quote('USD', 'BRL');
  const withdrawal = await api('POST', '/api/operations/withdrawal', withdrawalBody(accountId, payout.id, approved));
  await api('GET', `/api/operations/${withdrawal.id}`);
  const funding = await quote('BRL', 'BRL');
  const deposit = await api('POST', '/api/operations/deposit', { accountId, quoteId: funding.id, fundingInstruction: { rail: 'BOLETO' } });
  await restarted();
  await advance('90m');
  await restarted();
  const conversion = await quote('USDT', 'BRL');
  const swap = await api('POST', '/api/operations/swap', { accountId, quoteId: conversion.id });
  await advance('5d');
  await restarted();
  for (const { id } of [withdrawal, deposit, swap]) await api('GET', `/api/operations/${id}`);
  harness.realMs += 60_000; // Rate limits count in real time, and a restart ends their period.
  for (let count = 0; count < burst; count += 1) await api('GET', '/api/accounts?limit=1');
  for (const path of ['/settings', '/ledger?limit=5', '/deliveries?limit=50'])
    bodies.push((await harness.control('GET', path, undefined, world)).body);
  await harness.sandbox.close();
  // Removes the ids of requests, which are random.
  return JSON.parse(JSON.stringify(bodies, (name, value: unknown) => (name === 'causeId' ? undefined : value))) as unknown[];
}

describeWithPostgres('the scenario', () => {
  const postgres = usePostgres();

  const cases = [
    ['success', '"COMPLETED"'],
    ['bank-hours', '"PROCESSING"'],
    ['with-fees', '"FX_SPREAD"'],
    ['moving-rates', '"rateModel":{"volatility"'],
    ['rate-limited', '"RATE_LIMIT_EXCEEDED"'],
    ['eventual-consistency', '"RESOURCE_NOT_FOUND"'],
    ['tomorrow', '"OPERATION_FUTURE_EVENT"'],
  ] as const;

  it.each(cases.slice(inLength(3, 0), inLength(5, 7)))(
    '%s leads to identical response bodies with every storage, also after restarts, and they contain %s',
    async (scenario, sign) => {
      const expected = await story(scenario, () => Promise.resolve(memoryStorage), false);
      expect(JSON.stringify(expected)).toContain(sign);
      expect(await story(scenario, () => FileStorage.open(directory.path), true)).toEqual(expected);
      const address = await postgres.server.database();
      expect(await story(scenario, () => PostgresStorage.open(address), true)).toEqual(expected);
    },
    60_000,
  );
});
