import { assetDecimals, type AssetCode } from '../../contract/shared/common.js';
import { expectationOf, fieldText, mistakesOf, invalidValueIn } from '../../contract/shared/messages/issues.js';
import { namesAt, unknownFields } from '../../contract/shared/messages/known-fields.js';
import { didYouMean, maxSuggestions } from '../../contract/shared/messages/nearest.js';
import { balanceId } from '../../domain/operations/ledger.js';
import { minorUnits } from '../../domain/money.js';
import { runSync, type Interruptible } from '../../domain/interruptible.js';
import type { State } from '../state.js';
import { tableNames, tables, type Reference, type TableName, type Tables } from '../tables.js';

/** An inconsistency in a world. */
export interface StateProblem {
  /** Set if the name of a field is wrong; absent if its value is. */
  readonly code?: 'UNKNOWN_FIELD';
  readonly table: TableName;
  /** Id of the row; null if the row is missing. */
  readonly id: string | null;
  /** Field of the row, for example `states[0].status`; empty for the whole row. */
  readonly field: string;
  /** Row, field and problem as a sentence. */
  readonly message: string;
}

const problem = (table: TableName, id: string | null, field: string, what: string): StateProblem => ({
  table,
  id,
  field,
  message: `${[...(id === null ? [] : [`${table}/${id}`]), field, what].filter(Boolean).join(': ')}.`,
});

/** Returns the path and the problem of each amount that has other decimal places than its asset. */
function unscaled(value: object): [PropertyKey[], string][] {
  const found: [PropertyKey[], string][] = [];
  const { asset } = value as { asset?: unknown };
  const decimals = typeof asset === 'string' && Object.hasOwn(assetDecimals, asset) ? assetDecimals[asset as AssetCode] : null;
  for (const key of Object.keys(value)) {
    const each = (value as Record<string, unknown>)[key];
    const place = Array.isArray(value) ? Number(key) : key;
    if (typeof each === 'object' && each !== null) {
      for (const [path, what] of unscaled(each)) found.push([[place, ...path], what]);
    } else if (decimals !== null && (key === 'value' || key === 'amount') && typeof each === 'string') {
      if (each.split('.')[1]?.length !== decimals) found.push([[place], `${String(asset)} has ${decimals} decimal places; got "${each}"`]);
    }
  }
  return found;
}

/** Maximum number of unknown fields to report for a row. */
const maxUnknown = 100;

/** Returns the fields of an edited row that do not match the schema of its table. */
export function rowProblemsOf(table: TableName, row: { readonly id: string }): StateProblem[] {
  const result = tables[table].schema.safeParse(row, { reportInput: true });
  if (result.success) {
    const amounts = 'hasMoney' in tables[table] ? unscaled(row) : [];
    if (amounts.length > 0) return amounts.map(([path, what]) => problem(table, row.id, fieldText(path), what));
    return strangeFields(table, row);
  }
  return result.error.issues
    .flatMap((issue) => mistakesOf(issue))
    .map((each) => ({
      ...(each.issue.code === 'unrecognized_keys' ? ({ code: 'UNKNOWN_FIELD' } as const) : {}),
      ...problem(table, row.id, fieldText(each.issue.path), expectationOf(each.issue, invalidValueIn(row, each))),
    }));
}

/** Returns the unknown fields of a row, which would otherwise be stored and sent to clients. */
function strangeFields(table: TableName, row: { readonly id: string }): StateProblem[] {
  const { schema } = tables[table];
  return unknownFields(schema, row, maxUnknown).map((path, at) => {
    const meant = at < maxSuggestions ? didYouMean(String(path.at(-1)), namesAt(schema, row, path.slice(0, -1))) : '';
    const { message, ...rest } = problem(table, row.id, fieldText(path), `expected no such field${meant}`);
    return { code: 'UNKNOWN_FIELD', ...rest, message: message.replace('?.', '?') };
  });
}

/**
 * Returns up to `most` problems of a state whose rows match their schemas: missing rows, broken references and unbalanced ledger entries.
 * Can pause between two rows.
 */
export function* stateProblems(state: State, most: number): Interruptible<StateProblem[]> {
  const found: StateProblem[] = [];
  for (const each of allProblems(state)) {
    if (each !== null) found.push(each);
    if (found.length >= most) break;
    yield;
  }
  return found;
}

/** Yields each problem of a state, and null after each row, where the caller can pause. */
function* allProblems(state: State): Generator<StateProblem | null> {
  for (const table of ['clock', 'scenario'] as const)
    if (!state[table].has(table)) yield problem(table, null, '', `the world has no ${table}`);
  for (const table of tableNames) {
    const { references: named } = tables[table] as { references?: (row: Tables[TableName]) => readonly Reference[] };
    if (!named) continue;
    for (const row of state[table].values()) {
      for (const [field, target, id] of named(row)) {
        if (id === null || id === undefined || state[target as TableName].has(id)) continue;
        yield problem(table, row.id, field, `references ${target}/${id}, which does not exist`);
      }
      yield null;
    }
  }
  // A plan with a job needs a next step.
  for (const { id, jobId, next, steps } of state.plans.values())
    yield jobId !== null && next >= steps.length ? problem('plans', id, 'steps', 'there is no next step for the job') : null;
  yield* ledgerProblems(state);
}

/** Yields unbalanced ledger entries, and balances that are not the sum of their postings. */
function* ledgerProblems(state: State): Generator<StateProblem | null> {
  const sums = new Map<string, bigint>();
  for (const { id, postings } of state.ledgerEntries.values()) {
    const perAsset = new Map<string, bigint>();
    for (const { account, asset, amount } of postings) {
      const minor = minorUnits(amount);
      perAsset.set(asset, (perAsset.get(asset) ?? 0n) + minor);
      sums.set(balanceId(account, asset), (sums.get(balanceId(account, asset)) ?? 0n) + minor);
    }
    for (const [asset, sum] of perAsset)
      if (sum !== 0n) yield problem('ledgerEntries', id, 'postings', `the postings in ${asset} do not sum to zero`);
    yield null;
  }
  for (const { id, account, asset, value } of state.balances.values()) {
    if (id !== balanceId(account, asset)) yield problem('balances', id, 'account', `its id does not match ${account} in ${asset}`);
    const isSum = minorUnits(value) === (sums.get(id) ?? 0n);
    yield isSum ? null : problem('balances', id, 'value', `${value} is not the sum of its ledger entries`);
    sums.delete(id);
  }
  for (const [id, sum] of sums)
    yield sum === 0n ? null : problem('balances', null, '', `${id} is missing, but there are ledger entries for it`);
}

/**
 * Checks the consistency of a world whose rows match their schemas.
 * @param path file of the world
 * @throws Error naming the wrong row and field
 */
export function checkState(path: string, world: string, state: State): void {
  const fail = (what: string): never => {
    throw new Error(`${path}: World ${world}: ${what}`);
  };
  if (state.identity.get('identity')?.name !== world) fail('its identity is missing or has another name.');
  const [first] = runSync(stateProblems(state, 1));
  if (first) fail(first.message);
}
