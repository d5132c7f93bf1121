import { DomainError } from '../domain/errors.js';
import type { StateDocument } from '../contract/state-document.js';
import { clockAt } from './clock.js';
import { rowFaults, stateFaults } from './state-check.js';
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
 * @throws DomainError INVALID_DATA with every row that has not its shape; or else every reference that leads nowhere and every sum that is wrong
 */
export function importState(document: StateDocument, target: State, realMs: number): State {
  const identity = target.identity.get('identity');
  if (!identity) throw new Error('The world has no identity.');
  const tables = JSON.parse(
    JSON.stringify(document.tables).replaceAll(document.customerId, identity.customerId).replaceAll(document.companyId, identity.companyId),
  ) as Record<string, Row[]>;
  const strange: Problem[] = Object.keys(tables)
    .filter((name) => !(exported as readonly string[]).includes(name))
    .map((name) => ({ field: `body:tables.${name}`, message: `There is no table ${name}; there is ${exported.join(', ')}.` }));
  refuse([...strange, ...exported.flatMap((name) => rowProblems(name, tables[name] ?? []))]);
  const state = emptyState();
  for (const name of exported) for (const row of tables[name] ?? []) (state[name] as unknown as Map<unknown, Row>).set(row['id'], row);
  state.identity.set('identity', identity);
  state.clock.set('clock', clockAt(document.clock.mode, Date.parse(document.clock.now), realMs));
  for (const [id, row] of target.snapshots) state.snapshots.set(id, row);
  refuse(
    stateFaults(state)
      .slice(0, maxProblems)
      .map(({ table, id, field, message }) => ({
        field: place(table, id === null ? -1 : [...state[table].keys()].indexOf(id), field),
        message,
      })),
  );
  return state;
}

interface Problem {
  readonly field: string;
  readonly message: string;
}

const maxProblems = 100;

/** @throws DomainError INVALID_DATA when there are problems */
function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new DomainError('INVALID_DATA', `The state cannot be used: ${problems[0]!.message}`, {
    errors: problems.slice(0, maxProblems).map((problem) => ({ code: 'INVALID_FORMAT', params: {}, ...problem })),
  });
}

/** What is wrong with the rows of a table, each by itself, and with their ids. */
function rowProblems(table: TableName, rows: readonly Row[]): Problem[] {
  const ids = new Set<string>();
  return rows.flatMap((row, index): Problem[] => {
    const { id } = row;
    if (typeof id !== 'string') return [{ field: place(table, index, 'id'), message: `${table}[${index}]: the row has no id.` }];
    if (ids.has(id)) return [{ field: place(table, index, 'id'), message: `${table}/${id}: id: two rows have it.` }];
    ids.add(id);
    return rowFaults(table, { ...row, id }).map(({ field, message }) => ({ field: place(table, index, field), message }));
  });
}

/** Where a row of a table, or a field of it, stands in the document; the whole table for an index of -1. */
function place(table: TableName, index: number, field: string): string {
  return [`body:tables.${table}${index < 0 ? '' : `[${index}]`}`, field].filter(Boolean).join('.');
}
