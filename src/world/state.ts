import { Table, type Indexes } from './table.js';
import { tableNames, tables, type TableName, type Tables } from './tables.js';

/** The tables of a world in memory. */
export type State = { readonly [T in TableName]: Table<Tables[T]> };

/** A table of a state by its name. */
export function tableOf<T extends TableName>(state: State, name: T): Table<Tables[T]> {
  return state[name];
}

/** The rows of a world at an instant, by table. */
export type WorldRows = readonly (readonly [TableName, readonly Tables[TableName][]])[];

/** Notes the rows of a state, which may change afterwards. Rows never change, so this is quick. */
export function rowsOf(state: State, names: readonly TableName[] = tableNames): WorldRows {
  return names.map((name) => [name, [...state[name].values()]]);
}

/** How many rows a state has. */
export function rowCount(state: State): number {
  let rows = 0;
  for (const name of tableNames) rows += state[name].size;
  return rows;
}

/** About how many bytes the rows of a state take as JSON. */
export function weightOfState(state: State): number {
  let weight = 0;
  for (const name of tableNames) weight += state[name].weight;
  return weight;
}

/** One row, with its table. */
export type TableRow = readonly [TableName, Tables[TableName]];

/** One row put, or deleted when `row` is null. */
export interface Change {
  readonly table: TableName;
  readonly id: string;
  readonly row: Tables[TableName] | null;
}

export function emptyState(): State {
  const made = tableNames.map((name) => {
    const { indexes } = tables[name] as { indexes?: Indexes<{ id: string }> };
    return [name, new Table(indexes)];
  });
  return Object.fromEntries(made) as State;
}

/** A state of these rows. */
export async function stateOf(rows: AsyncIterable<TableRow> | Iterable<TableRow>): Promise<State> {
  const state = emptyState();
  for await (const [table, row] of rows) tableOf(state, table).set(row.id, row);
  return state;
}

/** Applies changes to a state, in order. @returns the changes that take them back */
export function applyChanges(state: State, changes: readonly Change[]): Change[] {
  const before: Change[] = [];
  for (const { table, id, row } of changes) {
    const rows = tableOf(state, table);
    const stood = row === null ? rows.delete(id) : rows.set(id, row);
    before.push({ table, id, row: stood ?? null });
  }
  return before.toReversed();
}
