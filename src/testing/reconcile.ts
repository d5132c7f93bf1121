import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ReconciliationSchema, type Difference, type Reconciliation } from '../contract/control/analysis/reconcile.js';
import { customerLedger } from '../domain/operations/ledger.js';
import type { TestResponse } from './calls.js';
import type { Harness } from './harness.js';
import { fixtureIds, withdrawalBody } from './withdrawals.js';

/** A row of records; tests change any of its fields. */
export type Row = Record<string, unknown>;

/** Correct records about a world. */
export interface CorrectRecords {
  operations: Row[];
  entries: Row[];
  balances: Row[];
}

let worlds = 0;

/** Creates a world with a subscribed endpoint. @returns functions to pay and to reconcile */
export async function reconcileScene(harness: Harness, request: Record<string, unknown> = {}, isSubscribed = true) {
  const world = await harness.world(`reconciled-${(worlds += 1)}`, request);
  const { accountIds, accountId, approved } = fixtureIds(harness, world);
  const other = accountIds[1]!;
  if (isSubscribed) {
    const body = { url: 'http://127.0.0.1:5999/hooks', includeAll: true, allowRetry: true };
    expect((await harness.api('POST', '/api/subscriptions', { body }, world)).status).toBe(201);
  }
  const advance = async (by: object = { by: 'PT10S' }) => {
    await harness.control('POST', '/clock/advance', by, world);
    await harness.quiet(world);
  };
  const quote = async (sourceAsset: string, targetAsset: string, sourceAmount: string) => {
    const body = { accountId, sourceAsset, targetAsset, sourceAmount };
    return (await harness.api('POST', '/api/quotes', { body }, world)).body.id as string;
  };
  /** Pays out an amount of USDT in BRL, with a fee. */
  const payOut = async (sourceAmount = '27.903399', key: string = randomUUID()) => {
    const body = withdrawalBody(accountId, await quote('USDT', 'BRL', sourceAmount), approved);
    return (await harness.api('POST', '/api/operations/withdrawal', { body, key }, world)).body as Row & { id: string };
  };
  const transfer = async (value = '25.00') => {
    const body = { sourceAccountId: accountId, targetAccountId: other, amount: { value, asset: 'BRL' } };
    return (await harness.api('POST', '/api/operations/transfer', { body }, world)).body as Row & { id: string };
  };
  const send = (body: unknown, headers: Record<string, string> = {}, query = ''): Promise<TestResponse> =>
    harness.control('POST', `/reconcile${query}`, body, world, headers);
  const reconcile = async (records: object): Promise<Reconciliation> => resultOf(await send(records));
  return { world, accountId, other, advance, quote, payOut, transfer, send, reconcile, records: () => correctRecords(harness, world) };
}

/** Returns the result in a response, parsed by its schema. */
export function resultOf({ status, body }: TestResponse): Reconciliation {
  expect(body).toMatchObject({ verdict: expect.any(String) as string });
  expect(status).toBe(200);
  expect(ReconciliationSchema.strict().parse(body)).toEqual(body);
  return body as Reconciliation;
}

/** Returns the records of a client that has made no error. */
function correctRecords(harness: Harness, world: string): CorrectRecords {
  const { state } = harness.sandbox.world(world);
  const operations = Array.from(state.operations.values(), ({ id, sourceAmount, targetAmount, states, account }): Row => ({
    ref: `pay ${id}`,
    id,
    status: states.at(-1)!.status,
    source: { value: sourceAmount.value, asset: sourceAmount.asset },
    target: { value: targetAmount.value, asset: targetAmount.asset },
    account: account.id,
  }));
  const entries: Row[] = [];
  const balances = new Map<string, { account: string; asset: string; minor: bigint }>();
  for (const { id, operationId, at, postings } of state.ledgerEntries.values()) {
    for (const { account: ledger, asset, amount } of postings) {
      if (!ledger.startsWith(customerLedger(''))) continue;
      const account = ledger.slice(customerLedger('').length);
      entries.push({ ref: `entry ${entries.length}`, operation: operationId ?? id, account, asset, value: amount, at });
    }
  }
  for (const { account: ledger, asset, value } of state.balances.values()) {
    if (ledger.startsWith(customerLedger('')))
      balances.set(`${ledger} ${asset}`, {
        account: ledger.slice(customerLedger('').length),
        asset,
        minor: BigInt(value.replace('.', '')),
      });
  }
  const text = (minor: bigint, asset: string) => {
    const places = asset.endsWith('T') || asset.endsWith('C') ? 6 : 2;
    const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, '0');
    return `${minor < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
  };
  return {
    operations,
    entries,
    balances: Array.from(balances.values(), ({ account, asset, minor }) => ({ account, asset, value: text(minor, asset) })),
  };
}

/** Returns the section, kind, explanation, operation and suspect of a difference. */
export const summaryOf = (difference: Difference | null) =>
  difference && [difference.section, difference.kind, difference.explanation, difference.operation, difference.suspect];
