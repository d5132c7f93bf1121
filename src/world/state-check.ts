import { balanceId } from '../domain/ledger.js';
import { minorUnits } from '../domain/money.js';
import { tableNames, type State, type TableName, type Tables } from './state.js';

/** The rows that rows of a table name, by the table they stand in. */
type References = { readonly [T in TableName]?: (row: Tables[T]) => readonly (readonly [TableName, string | null])[] };

const references: References = {
  accounts: ({ ubos, requirements }) => [
    ...ubos.map(({ id }) => ['ubos', id] as const),
    ...requirements.map(({ documentId }) => ['documents', documentId] as const),
  ],
  ubos: (ubo) => [['accounts', ubo.accountId]],
  documents: (document) => [['accounts', document.accountId]],
  quotes: (quote) => [['accounts', quote.account.id]],
  operations: (operation) => [['accounts', operation.account.id]],
  deliveries: (delivery) => [['subscriptions', delivery.subscriptionId]],
  outbox: (attempt) => [
    ['deliveries', attempt.messageId],
    ['subscriptions', attempt.subscriptionId],
  ],
  executionLogs: (log) => [['subscriptions', log.subscriptionId]],
  ledgerEntries: (entry) => [['operations', entry.operationId]],
  plans: (plan) => [['jobs', plan.jobId]],
};

/**
 * Checks that a world that was read makes sense: it is whole, what its rows name exists, and its books are in balance.
 * @throws Error naming the row that is wrong
 */
export function checkState(world: string, state: State): void {
  const fail = (what: string): never => {
    throw new Error(`World ${world}: ${what}.`);
  };
  if (state.identity.get('identity')?.name !== world) fail('its identity is missing or bears another name');
  for (const table of ['clock', 'scenario'] as const) if (!state[table].has(table)) fail(`its ${table} is missing`);
  for (const table of tableNames) {
    const named = references[table] as ((row: Tables[TableName]) => readonly (readonly [TableName, string | null])[]) | undefined;
    if (!named) continue;
    for (const row of state[table].values()) {
      for (const [target, id] of readable(
        () => named(row),
        () => fail(`${table}/${row.id} lacks a field`),
      )) {
        if (id !== null && !state[target].has(id)) fail(`${table}/${row.id} names ${target}/${id}, which does not exist`);
      }
    }
  }
  checkBooks(state, fail);
}

function checkBooks(state: State, fail: (what: string) => never): void {
  const sums = new Map<string, bigint>();
  for (const entry of state.ledgerEntries.values()) {
    const perAsset = new Map<string, bigint>();
    const postings = readable(
      () => entry.postings.map(({ account, asset, amount }) => ({ account, asset, minor: minorUnits(amount) })),
      () => fail(`ledgerEntries/${entry.id} has a posting that cannot be read`),
    );
    for (const { account, asset, minor } of postings) {
      perAsset.set(asset, (perAsset.get(asset) ?? 0n) + minor);
      const id = balanceId(account, asset);
      sums.set(id, (sums.get(id) ?? 0n) + minor);
    }
    for (const [asset, sum] of perAsset) if (sum !== 0n) fail(`the postings of ledgerEntries/${entry.id} in ${asset} do not sum to zero`);
  }
  for (const balance of state.balances.values()) {
    const value = readable(
      () => minorUnits(balance.value),
      () => fail(`balances/${balance.id} cannot be read`),
    );
    if (value !== (sums.get(balance.id) ?? 0n))
      fail(`balances/${balance.id} is ${balance.value}, which is not the sum of its ledger entries`);
    sums.delete(balance.id);
  }
  for (const [id, sum] of sums) if (sum !== 0n) fail(`balances/${id} is missing`);
}

/** What a look at a row gives; a row that lacks what is looked for is refused. */
function readable<T>(look: () => T, refuse: () => never): T {
  try {
    return look();
  } catch {
    return refuse();
  }
}
