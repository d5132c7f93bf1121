import { DomainError } from '../domain/errors.js';
import { balanceId } from '../domain/ledger.js';
import { Decimal } from '../domain/money.js';
import type { StateDocument } from '../contract/state-document.js';
import { clockAt } from './clock.js';
import { emptyState, tableNames, type State, type TableName } from './state.js';

/** What belongs to the world that a state is put into, and not to the state. */
const kept: ReadonlySet<TableName> = new Set(['identity', 'clock', 'snapshots']);
const exported = tableNames.filter((name) => !kept.has(name));

type Row = Record<string, unknown>;

/** A state as one document; `nowMs` is the instant at which its time goes on. */
export function exportState(state: State, nowMs: number): StateDocument {
  const identity = state.identity.get('identity');
  const clock = state.clock.get('clock');
  if (!identity || !clock) throw new Error('The world has no identity or no clock.');
  const { customerId, companyId } = identity;
  return {
    version: 1,
    customerId,
    companyId,
    clock: { mode: clock.mode, now: new Date(nowMs).toISOString() },
    tables: Object.fromEntries(exported.map((name) => [name, [...state[name].values()] as unknown as Row[]])),
  };
}

/**
 * The state that a document describes, for a world whose identity and snapshots stay. The customer and the company of the document
 * become those of the world, wherever they stand.
 * @param realMs the real time, from which a running clock goes on
 * @throws DomainError INVALID_DATA with every reference that leads nowhere and every sum that is wrong
 */
export function importState(document: StateDocument, target: State, realMs: number): State {
  const identity = target.identity.get('identity');
  if (!identity) throw new Error('The world has no identity.');
  const tables = JSON.parse(
    JSON.stringify(document.tables).replaceAll(document.customerId, identity.customerId).replaceAll(document.companyId, identity.companyId),
  ) as Record<string, Row[]>;
  const problems: Problem[] = Object.keys(tables)
    .filter((name) => !(exported as readonly string[]).includes(name))
    .map((name) => ({ field: `body:tables.${name}`, message: `There is no table ${name}; there is ${exported.join(', ')}.` }));
  const state = emptyState();
  for (const name of exported) {
    for (const [index, row] of (tables[name] ?? []).entries()) {
      const rows = state[name] as unknown as Map<string, Row>;
      const id = row['id'];
      if (typeof id !== 'string') problems.push({ field: `body:tables.${name}[${index}].id`, message: 'The row has no id.' });
      else if (rows.has(id)) problems.push({ field: `body:tables.${name}[${index}].id`, message: `${id} is the id of two rows.` });
      else rows.set(id, row);
    }
  }
  state.identity.set('identity', identity);
  state.clock.set('clock', clockAt(document.clock.mode, Date.parse(document.clock.now), realMs));
  for (const [id, row] of target.snapshots) state.snapshots.set(id, row);
  problems.push(...danglingReferences(state), ...wrongSums(state));
  if (!state.scenario.has('scenario')) problems.push({ field: 'body:tables.scenario', message: 'The world has no scenario.' });
  if (problems.length > 0) {
    throw new DomainError('INVALID_DATA', `The state cannot be used: ${problems[0]!.message}`, {
      errors: problems.slice(0, 100).map((problem) => ({ code: 'INVALID_FORMAT', params: {}, ...problem })),
    });
  }
  return state;
}

interface Problem {
  readonly field: string;
  readonly message: string;
}

/** The fields that name a row of another table. Null and absent name none. */
const references: readonly (readonly [table: TableName, path: string, target: TableName])[] = [
  ['ubos', 'accountId', 'accounts'],
  ['documents', 'accountId', 'accounts'],
  ['quotes', 'account.id', 'accounts'],
  ['quotes', 'consumedBy', 'operations'],
  ['operations', 'account.id', 'accounts'],
  ['operations', 'intent.beneficiary.id', 'beneficiaries'],
  ['operations', 'intent.targetAccount.id', 'accounts'],
  ['ledgerEntries', 'operationId', 'operations'],
  ['deliveries', 'subscriptionId', 'subscriptions'],
  ['outbox', 'messageId', 'deliveries'],
  ['outbox', 'subscriptionId', 'subscriptions'],
  ['executionLogs', 'messageId', 'deliveries'],
  ['executionLogs', 'subscriptionId', 'subscriptions'],
  ['plans', 'jobId', 'jobs'],
];

/** What the subject of a job is, by its verb. */
const jobSubjects: Readonly<Record<string, TableName>> = { step: 'plans', retry: 'deliveries', release: 'outbox' };

function danglingReferences(state: State): Problem[] {
  const problems: Problem[] = [];
  const check = (table: TableName, row: Row, path: string, target: TableName) => {
    const id = path.split('.').reduce<unknown>((value, key) => (value as Row | null | undefined)?.[key], row);
    if (id === undefined || id === null || (typeof id === 'string' && state[target].has(id))) return;
    problems.push({ field: `body:tables.${table}`, message: `${path} of row ${String(row['id'])} names no row of ${target}.` });
  };
  for (const [table, path, target] of references) {
    for (const row of state[table].values()) check(table, row as unknown as Row, path, target);
  }
  for (const job of state.jobs.values()) {
    const target = jobSubjects[job.verb];
    if (target) check('jobs', job as unknown as Row, 'subject', target);
    else problems.push({ field: 'body:tables.jobs', message: `The verb of job ${job.id} is none that there is.` });
  }
  return problems;
}

/** Entries that are not balanced, and balances that are not the sum of their postings. */
function wrongSums(state: State): Problem[] {
  const problems: Problem[] = [];
  const balances = new Map<string, Decimal>();
  for (const entry of state.ledgerEntries.values()) {
    const sums = new Map<string, Decimal>();
    for (const { account, asset, amount } of Array.isArray(entry.postings) ? entry.postings : []) {
      if (!/^-?[0-9]+(\.[0-9]+)?$/.test(String(amount))) {
        problems.push({ field: 'body:tables.ledgerEntries', message: `Entry ${entry.id} has a posting without an amount.` });
        continue;
      }
      sums.set(asset, (sums.get(asset) ?? new Decimal(0)).plus(amount));
      const id = balanceId(account, asset);
      balances.set(id, (balances.get(id) ?? new Decimal(0)).plus(amount));
    }
    for (const [asset, sum] of sums) {
      if (!sum.isZero())
        problems.push({
          field: 'body:tables.ledgerEntries',
          message: `The ${asset} postings of entry ${entry.id} sum to ${sum.toFixed()}, not to zero.`,
        });
    }
  }
  for (const id of new Set([...balances.keys(), ...state.balances.keys()])) {
    const sum = balances.get(id) ?? new Decimal(0);
    const value = state.balances.get(id)?.value ?? '0';
    if (!/^-?[0-9]+(\.[0-9]+)?$/.test(value) || !sum.equals(value))
      problems.push({ field: 'body:tables.balances', message: `Balance ${id} is ${value}, but its postings sum to ${sum.toFixed()}.` });
  }
  return problems;
}
