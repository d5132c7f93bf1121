import { expect } from 'vitest';
import type { Answered, Harness } from './harness.js';

type Body = Answered['body'];

/** A new quote in a world. */
export async function quoteIn(
  harness: Harness,
  world: string,
  body: { accountId: string; sourceAsset: string; targetAsset: string; sourceAmount?: string; targetAmount?: string },
): Promise<Body> {
  const answer = await harness.api('POST', '/api/quotes', { body }, world);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** Requests an operation of a kind and returns the answer, whatever it is. */
export function request(harness: Harness, world: string, kind: 'transfer' | 'swap' | 'deposit', body: unknown): Promise<Answered> {
  return harness.api('POST', `/api/operations/${kind}`, { body }, world);
}

/** An operation as it is now. */
export async function operationIn(harness: Harness, world: string, id: string): Promise<Body> {
  return (await harness.api('GET', `/api/operations/${id}`, {}, world)).body;
}

/** The statuses that an operation went through. */
export function statuses(operation: Body): string[] {
  return operation.states.map((each: { status: string }) => each.status);
}

/** What a ledger account holds, as decimal text; undefined when nothing was ever booked there. */
export function balance(harness: Harness, world: string, ledgerAccount: string, asset: string): string | undefined {
  return harness.sandbox.world(world).state.balances.get(`${ledgerAccount}/${asset}`)?.value;
}

/** The postings of the newest ledger entry, as `account asset amount`. */
export function lastPostings(harness: Harness, world: string): string[] {
  const entry = [...harness.sandbox.world(world).state.ledgerEntries.values()].at(-1);
  return (entry?.postings ?? []).map(({ account, asset, amount }) => `${account} ${asset} ${amount}`);
}

/** Puts a row of a world in the place of its present one, for situations that no call leads to. */
export function alter<T extends 'accounts' | 'quotes'>(
  harness: Harness,
  world: string,
  table: T,
  id: string,
  change: (row: never) => Record<string, unknown>,
): void {
  harness.sandbox.world(world).write('test', (uow) => {
    const row = uow.require(table, id, table);
    uow.put(table, { ...row, ...change(row as never) });
  });
}
