import { Table, type Indexes } from './table.js';
import { tableNames, tables, type TableName, type Tables } from './tables.js';

/** The tables of a world in memory. */
export type State = { readonly [T in TableName]: Table<Tables[T]> };

/** Returns a table by name. */
export function tableOf<T extends TableName>(state: State, name: T): Table<Tables[T]> {
  return state[name];
}

/** A copy of the rows of a world, by table. */
export type WorldRows = readonly (readonly [TableName, readonly Tables[TableName][]])[];

/** Copies the row references of a state. This is fast, because rows never change. */
export function rowsOf(state: State, names: readonly TableName[] = tableNames): WorldRows {
  return names.map((name) => [name, [...state[name].values()]]);
}

/** Returns the number of rows. */
export function rowCount(state: State): number {
  let rows = 0;
  for (const name of tableNames) rows += state[name].size;
  return rows;
}

/** Returns the approximate bytes of the rows as JSON. */
export function weightOfState(state: State): number {
  let weight = 0;
  for (const name of tableNames) weight += state[name].weight;
  return weight;
}

/** A row and its table. */
export type TableRow = readonly [TableName, Tables[TableName]];

/** The put of a row; its deletion if `row` is null. */
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

/** Returns a state with these rows. */
export async function stateOf(rows: AsyncIterable<TableRow> | Iterable<TableRow>): Promise<State> {
  const state = emptyState();
  for await (const [table, row] of rows) tableOf(state, table).set(row.id, row);
  return state;
}

/** The effect of changes on a state. */
export interface Applied {
  /** The changes that undo them. */
  readonly undo: readonly Change[];
  /** Number of rows by which the state has grown. */
  readonly rows: number;
  /** Approximate bytes by which the state has grown, as JSON. */
  readonly bytes: number;
  /** Approximate bytes of the rows that were put, as JSON. */
  readonly written: number;
}

/** Applies changes in order. */
export function applyChanges(state: State, changes: readonly Change[]): Applied {
  const undo: Change[] = [];
  let [growth, bytes, written] = [0, 0, 0];
  for (let index = 0; index < changes.length; index += 1) {
    const { table, id, row } = changes[index]!;
    const rows = tableOf(state, table);
    const { size, weight, written: before } = rows;
    const stood = row === null ? rows.delete(id) : rows.set(id, row);
    growth += rows.size - size;
    bytes += rows.weight - weight;
    written += rows.written - before;
    undo.push({ table, id, row: stood ?? null });
  }
  return { undo: undo.toReversed(), rows: growth, bytes, written };
}
