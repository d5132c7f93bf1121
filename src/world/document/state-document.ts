import { DomainError } from '../../domain/errors.js';
import type { StateDocument } from '../../contract/control/state-document.js';
import type { Work } from '../../domain/work.js';
import { clockAt } from '../clock.js';
import { exportedTables, type StateCapture } from './capture.js';
import { rowFaults, stateFaults } from './state-check.js';
import { emptyState, type State } from '../state.js';
import type { TableName } from '../tables.js';

type Row = Record<string, unknown>;

/** A state as the text of one {@link StateDocument}, piece by piece. */
export function* documentText({ tables, ...head }: StateCapture): Generator<string> {
  yield `${JSON.stringify({ version: 1, ...head } satisfies Omit<StateDocument, 'tables'>).slice(0, -1)},"tables":{`;
  let tableMark = '';
  for (const [name, rows] of tables) {
    yield `${tableMark}${JSON.stringify(name)}:[`;
    tableMark = ',';
    let mark = '';
    for (const row of rows) {
      yield mark + JSON.stringify(row);
      mark = ',';
    }
    yield ']';
  }
  yield '}}';
}

/**
 * The state that a document describes, for a world whose identity stays. The customer and the company of the document
 * become those of the world, wherever they stand. The work can be held up between two rows.
 * @param realNow the real time, from which a running clock goes on, in milliseconds since 1970
 * @throws DomainError INVALID_DATA with every row that has not its shape; or else every reference that leads nowhere and every sum that is wrong
 */
export function* importState(document: StateDocument, target: State, realNow: () => number): Work<State> {
  const identity = target.identity.get('identity');
  if (!identity) throw new Error('The world has no identity.');
  const strange: Problem[] = Object.keys(document.tables)
    .filter((name) => !(exportedTables as readonly string[]).includes(name))
    .map((name) => ({ field: `body:tables.${name}`, message: `There is no table ${name}; there is ${exportedTables.join(', ')}.` }));
  const problems = [...strange];
  const state = emptyState();
  for (const name of exportedTables) {
    const ids = new Set<string>();
    for (const [index, theirs] of (document.tables[name] ?? []).entries()) {
      const text = JSON.stringify(theirs);
      const row: unknown = JSON.parse(
        text.replaceAll(document.customerId, identity.customerId).replaceAll(document.companyId, identity.companyId),
      );
      const found = rowProblems(name, row, index, ids);
      if (found.length > 0) problems.push(...found);
      else if (problems.length === 0) (state[name] as unknown as Map<unknown, Row>).set((row as Row)['id'], row as Row);
      yield;
    }
  }
  refuse(problems);
  const startClock = () => state.clock.set('clock', clockAt(document.clock.mode, Date.parse(document.clock.now), realNow()));
  state.identity.set('identity', identity);
  startClock();
  const faults = yield* stateFaults(state);
  refuse(
    faults.slice(0, maxProblems).map(({ table, id, field, message }) => ({
      field: place(table, id === null ? -1 : [...state[table].keys()].indexOf(id), field),
      message,
    })),
  );
  startClock(); // No time has passed while it was looked at.
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

/** What is wrong with a row of a table by itself, and with its id, which becomes one of `ids`. */
function rowProblems(table: TableName, row: unknown, index: number, ids: Set<string>): Problem[] {
  const id = (row as Row | null)?.['id'];
  if (typeof id !== 'string') return [{ field: place(table, index, 'id'), message: `${table}[${index}]: the row has no id.` }];
  if (ids.has(id)) return [{ field: place(table, index, 'id'), message: `${table}/${id}: id: two rows have it.` }];
  ids.add(id);
  return rowFaults(table, row as Row & { id: string }).map(({ field, message }) => ({ field: place(table, index, field), message }));
}

/** Where a row of a table, or a field of it, stands in the document; the whole table for an index of -1. */
function place(table: TableName, index: number, field: string): string {
  return [`body:tables.${table}${index < 0 ? '' : `[${index}]`}`, field].filter(Boolean).join('.');
}
