import { assetDecimals, type AssetCode } from '../../contract/shared/common.js';
import { expectationOf, fieldText, mistakesOf } from '../../contract/shared/issues.js';
import { balanceId } from '../../domain/operations/ledger.js';
import { minorUnits } from '../../domain/money.js';
import { atOnce, type Work } from '../../domain/work.js';
import { rowSchemas } from './row-schemas.js';
import { partId, tableNames, type JobRecord, type State, type TableName, type Tables } from '../state.js';

/** Something in a world that makes no sense. */
export interface StateFault {
  readonly table: TableName;
  /** Of the row; null when it is missing. */
  readonly id: string | null;
  /** The field of the row, as `states[0].status`; empty when it is the row as a whole. */
  readonly field: string;
  /** The row, the field and what is wrong, as a sentence. */
  readonly message: string;
}

/** A field that names a row of another table; null and absent name none. */
type Reference = readonly [field: string, target: TableName, id: string | null | undefined];

/** What the rows of each table name. */
const references: { readonly [T in TableName]?: (row: Tables[T]) => readonly Reference[] } = {
  accounts: ({ ubos, requirements }) => [
    ...ubos.map(({ id }, index): Reference => [`ubos[${index}].id`, 'ubos', id]),
    ...requirements.map(({ documentId }, index): Reference => [`requirements[${index}].documentId`, 'documents', documentId]),
  ],
  ubos: (ubo) => [['accountId', 'accounts', ubo.accountId]],
  documents: (document) => [['accountId', 'accounts', document.accountId]],
  quotes: (quote) => [
    ['account.id', 'accounts', quote.account.id],
    ['consumedBy', 'operations', quote.consumedBy],
  ],
  operations: ({ account, quote, intent }) => [
    ['account.id', 'accounts', account.id],
    ['quote.id', 'quotes', quote.id],
    ...(intent.type === 'WITHDRAWAL' ? [['intent.beneficiary.id', 'beneficiaries', intent.beneficiary.id] as const] : []),
    ...(intent.type === 'TRANSFER' ? [['intent.targetAccount.id', 'accounts', intent.targetAccount.id] as const] : []),
  ],
  deliveries: (delivery) => [['subscriptionId', 'subscriptions', delivery.subscriptionId]],
  outbox: (attempt) => [
    ['messageId', 'deliveries', attempt.messageId],
    ['subscriptionId', 'subscriptions', attempt.subscriptionId],
  ],
  snapshots: ({ id, parts }) => Array.from({ length: parts }, (_, index): Reference => ['parts', 'snapshotParts', partId(id, index)]),
  executionLogs: (log) => [
    ['messageId', 'deliveries', log.messageId],
    ['subscriptionId', 'subscriptions', log.subscriptionId],
  ],
  ledgerEntries: (entry) => [['operationId', 'operations', entry.operationId]],
  plans: (plan) => [['jobId', 'jobs', plan.jobId]],
  jobs: (job) => [['subject', jobSubjects[job.verb], job.subject]],
};

/** What the subject of a job is, by its verb. */
const jobSubjects: Readonly<Record<JobRecord['verb'], TableName>> = { step: 'plans', retry: 'deliveries', release: 'outbox' };

const fault = (table: TableName, id: string | null, field: string, what: string): StateFault => ({
  table,
  id,
  field,
  message: `${[...(id === null ? [] : [`${table}/${id}`]), field, what].filter(Boolean).join(': ')}.`,
});

/** The tables whose amounts have to be in the scale of their asset, since sums of them are made digit by digit. */
const hasMoney: ReadonlySet<TableName> = new Set(['quotes', 'operations', 'ledgerEntries', 'balances']);

/** The amounts somewhere in a value that are not in the scale of their asset. */
function unscaled(value: unknown, path: readonly PropertyKey[]): [PropertyKey[], string][] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each, index) => unscaled(each, [...path, index]));
  const { asset, ...others } = value as Record<string, unknown>;
  const decimals = typeof asset === 'string' && Object.hasOwn(assetDecimals, asset) ? assetDecimals[asset as AssetCode] : null;
  return Object.entries(others).flatMap(([name, each]) => {
    const isSum = decimals !== null && (name === 'value' || name === 'amount') && typeof each === 'string';
    if (!isSum) return unscaled(each, [...path, name]);
    if (each.split('.')[1]?.length === decimals) return [];
    return [[[...path, name], `expected ${decimals} fractional digits, as ${String(asset)} has; got "${each}"`]];
  });
}

/** What is wrong with the shape of a row that somebody else made. */
export function rowFaults(table: TableName, row: { readonly id: string }): StateFault[] {
  const result = rowSchemas()[table].safeParse(row, { reportInput: true });
  if (result.success)
    return hasMoney.has(table) ? unscaled(row, []).map(([path, what]) => fault(table, row.id, fieldText(path), what)) : [];
  return result.error.issues
    .flatMap((issue) => mistakesOf(issue))
    .map(({ issue }) => fault(table, row.id, fieldText(issue.path), expectationOf(issue)));
}

/**
 * What is wrong with a state whose rows have the right shape: it has to be whole, what its rows name has to exist, and its books
 * have to be in balance. The work can be held up between two rows.
 */
export function* stateFaults(state: State): Work<StateFault[]> {
  const faults = (['clock', 'scenario'] as const)
    .filter((table) => !state[table].has(table))
    .map((table) => fault(table, null, '', `the world has no ${table}`));
  for (const table of tableNames) {
    const named = references[table] as ((row: Tables[TableName]) => readonly Reference[]) | undefined;
    if (!named) continue;
    for (const row of state[table].values()) {
      for (const [field, target, id] of named(row)) {
        if (id === null || id === undefined || state[target].has(id)) continue;
        faults.push(fault(table, row.id, field, `names ${target}/${id}, which does not exist`));
      }
      yield;
    }
  }
  // A timer waits for a step.
  for (const { id, jobId, next, steps } of state.plans.values()) {
    if (jobId !== null && next >= steps.length) faults.push(fault('plans', id, 'steps', 'has no step for its job'));
    yield;
  }
  return [...faults, ...(yield* bookFaults(state))];
}

/** Entries that are not balanced, and balances that are not the sum of their postings. */
function* bookFaults(state: State): Work<StateFault[]> {
  const faults: StateFault[] = [];
  const sums = new Map<string, bigint>();
  for (const { id, postings } of state.ledgerEntries.values()) {
    const perAsset = new Map<string, bigint>();
    for (const { account, asset, amount } of postings) {
      const minor = minorUnits(amount);
      perAsset.set(asset, (perAsset.get(asset) ?? 0n) + minor);
      sums.set(balanceId(account, asset), (sums.get(balanceId(account, asset)) ?? 0n) + minor);
    }
    for (const [asset, sum] of perAsset) {
      if (sum !== 0n) faults.push(fault('ledgerEntries', id, 'postings', `those in ${asset} do not sum to zero`));
    }
    yield;
  }
  for (const { id, value } of state.balances.values()) {
    if (minorUnits(value) !== (sums.get(id) ?? 0n))
      faults.push(fault('balances', id, 'value', `${value} is not the sum of its ledger entries`));
    sums.delete(id);
  }
  for (const [id, sum] of sums)
    if (sum !== 0n) faults.push(fault('balances', null, '', `${id} is missing, but there are ledger entries for it`));
  return faults;
}

/**
 * Checks that a world whose rows have the right shape makes sense.
 * @param path the file that it was read from
 * @throws Error naming the row and the field that are wrong
 */
export function checkState(path: string, world: string, state: State): void {
  const refuse = (what: string): never => {
    throw new Error(`${path}: World ${world}: ${what}`);
  };
  if (state.identity.get('identity')?.name !== world) refuse('its identity is missing or bears another name.');
  const [first] = atOnce(stateFaults(state));
  if (first) refuse(first.message);
}
