import type { OperationStatus } from '../domain/operations/operation.js';
import { expect } from 'vitest';
import type { AccountRecord } from '../domain/accounts/account.js';
import type { TestResponse } from './calls.js';
import type { Harness } from './harness.js';

type Body = TestResponse['body'];

/** Creates a quote in a world. */
export async function quoteIn(
  harness: Harness,
  world: string,
  body: { accountId: string; sourceAsset: string; targetAsset: string; sourceAmount?: string; targetAmount?: string },
): Promise<Body> {
  const answer = await harness.api('POST', '/api/quotes', { body }, world);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** Requests an operation of a kind and returns the response. */
export function request(harness: Harness, world: string, kind: 'transfer' | 'swap' | 'deposit', body: unknown): Promise<TestResponse> {
  return harness.api('POST', `/api/operations/${kind}`, { body }, world);
}

/** Returns an operation in its current state. */
export async function operationIn(harness: Harness, world: string, id: string): Promise<Body> {
  return (await harness.api('GET', `/api/operations/${id}`, {}, world)).body;
}

/** Returns the statuses of an operation, oldest first. */
export function statuses(operation: Body): string[] {
  return operation.states.map((each: { status: string }) => each.status);
}

/** Returns the balance of a ledger account as a decimal string; undefined without a posting. */
export function balance(harness: Harness, world: string, ledgerAccount: string, asset: string): string | undefined {
  return harness.sandbox.world(world).state.balances.get(`${ledgerAccount}/${asset}`)?.value;
}

/** Returns the quotes or operations that were created after a world began at noon; those of the fixtures are older. */
export function createdInWorld(harness: Harness, world: string, table: 'quotes' | 'operations'): { id: string }[] {
  const rows: Iterable<{ id: string; createdAt: string }> = harness.sandbox.world(world).state[table].values();
  return [...rows].filter((row) => row.createdAt >= '2026-11-21T12:00:00.000Z');
}

/** Returns the postings of the newest ledger entry, as `account asset amount`. */
export function lastPostings(harness: Harness, world: string): string[] {
  const entry = [...harness.sandbox.world(world).state.ledgerEntries.values()].at(-1);
  return (entry?.postings ?? []).map(({ account, asset, amount }) => `${account} ${asset} ${amount}`);
}

/** Changes an account directly in the state, because no request allows it. */
export function alterAccount(
  harness: Harness,
  world: string,
  id: string,
  change: (account: AccountRecord) => Partial<AccountRecord>,
): void {
  harness.sandbox.world(world).write('test', (uow) => {
    const account = uow.require('accounts', id, 'account');
    uow.put('accounts', { ...account, ...change(account) });
  });
}

/** The forced transitions that lead a new operation to each status. */
export const transitionsTo: Readonly<Record<OperationStatus, readonly string[]>> = {
  REQUESTED: [],
  PROCESSING: ['process'],
  ON_HOLD: ['process', 'hold'],
  ACTION_REQUIRED: ['process', 'require-action'],
  COMPLETED: ['complete'],
  FAILED: ['fail'],
};
