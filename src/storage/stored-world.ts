import { currentRows } from '../world/document/older-rows.js';
import type { IdentityRecord } from '../world/rows.js';
import type { Change, TableRow, WorldRows } from '../world/state.js';
import { tableNames, type TableName, type Tables } from '../world/tables.js';

type Row = Tables[TableName];

/** The rows of a world after its commits, for the next checkpoint. Uses its own copy until the world is in memory. */
export class StoredWorld {
  readonly #tables = new Map<TableName, Map<string, Row>>();
  #identity: IdentityRecord | undefined;
  /** Returns the rows of the world in memory; null while the world is not in memory. */
  #held: (() => WorldRows) | null = null;

  static of(rows: WorldRows): StoredWorld {
    const world = new StoredWorld();
    world.replace(rows);
    return world;
  }

  /** Replaces all rows. */
  replace(rows: WorldRows): void {
    this.#tables.clear();
    this.#identity = undefined;
    for (const [table, own] of rows) if (!this.#held || table === 'identity') for (const row of own) this.put(table, row);
  }

  /** After this call, reads the rows from the world in memory, which contains each change before its commit. */
  heldBy(rows: () => WorldRows): void {
    this.#held = rows;
    this.#tables.clear();
  }

  put(table: TableName, row: Row): void {
    for (const [name, each] of currentRows([table, row])) this.#put(name, each);
  }

  #put(table: TableName, row: Row): void {
    if (table === 'identity') this.#identity = row as IdentityRecord;
    if (this.#held) return;
    let rows = this.#tables.get(table);
    if (!rows) this.#tables.set(table, (rows = new Map()));
    rows.set(row.id, row);
  }

  apply(changes: readonly Change[]): void {
    for (const { table, id, row } of changes) {
      if (row !== null) this.put(table, row);
      else this.#tables.get(table)?.delete(id);
    }
  }

  /** The identity of the world; undefined if it is missing. */
  get identity(): IdentityRecord | undefined {
    return this.#identity;
  }

  /** Returns a copy of the current rows. */
  capture(): WorldRows {
    if (this.#held) return this.#held();
    return tableNames.map((name) => [name, [...(this.#tables.get(name)?.values() ?? [])]]);
  }

  *[Symbol.iterator](): Generator<TableRow> {
    if (this.#held) for (const [table, rows] of this.#held()) for (const row of rows) yield [table, row];
    else for (const [table, rows] of this.#tables) for (const row of rows.values()) yield [table, row];
  }
}
