import { currentRows } from '../world/document/older-rows.js';
import type { IdentityRecord } from '../world/rows.js';
import type { Change, TableRow, WorldRows } from '../world/state.js';
import { tableNames, type TableName, type Tables } from '../world/tables.js';

type Row = Tables[TableName];

/** The rows of a world as its commits have left them, for the next checkpoint. They are the ones that the world itself has. */
export class StoredWorld {
  readonly #tables = new Map<TableName, Map<string, Row>>();

  static of(rows: WorldRows): StoredWorld {
    const world = new StoredWorld();
    world.replace(rows);
    return world;
  }

  /** Puts these rows in the place of all. */
  replace(rows: WorldRows): void {
    this.#tables.clear();
    for (const [table, own] of rows) for (const row of own) this.put(table, row);
  }

  put(table: TableName, row: Row): void {
    for (const [name, each] of currentRows([table, row])) this.#put(name, each);
  }

  #put(table: TableName, row: Row): void {
    let rows = this.#tables.get(table);
    if (!rows) this.#tables.set(table, (rows = new Map()));
    rows.set(row.id, row);
  }

  apply(changes: readonly Change[]): void {
    for (const { table, id, row } of changes) {
      if (row === null) this.#tables.get(table)?.delete(id);
      else this.put(table, row);
    }
  }

  /** Whose world it is; undefined when its identity is missing. */
  get identity(): IdentityRecord | undefined {
    return this.#tables.get('identity')?.get('identity') as IdentityRecord | undefined;
  }

  /** The rows as they are now, whatever becomes of them. */
  capture(): WorldRows {
    return tableNames.map((name) => [name, [...(this.#tables.get(name)?.values() ?? [])]]);
  }

  *[Symbol.iterator](): Generator<TableRow> {
    for (const [table, rows] of this.#tables) for (const row of rows.values()) yield [table, row];
  }
}
