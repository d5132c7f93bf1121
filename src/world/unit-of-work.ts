import type { Context } from '../domain/context.js';
import type { Flows } from '../domain/operations/flows.js';
import { notFound } from '../domain/errors.js';
import { listingOf, type Listing } from '../domain/lists/page.js';
import { deriveCode, deriveUuid } from './ids.js';
import {
  placeInList,
  placeOf,
  type Change,
  type IdentityRecord,
  type ListedTable,
  type State,
  type TableName,
  type Tables,
} from './state.js';
import type { Table } from './table.js';

/**
 * One change of a world: an overlay of puts and deletes over its state.
 * Nothing reaches the state until the world commits it; throwing drops it, ids and counters included.
 */
export class UnitOfWork implements Context {
  readonly #state: State;
  readonly #overlay = new Map<TableName, Map<string, Tables[TableName] | null>>();

  readonly #atMs: number;
  #now: string | undefined;

  /**
   * @param atMs the world's instant, for everything in this unit, in milliseconds since 1970
   * @param causeId what led to it
   */
  constructor(
    state: State,
    atMs: number,
    readonly causeId: string,
  ) {
    this.#state = state;
    this.#atMs = atMs;
  }

  /** The world's instant, the same throughout the unit. */
  get now(): string {
    return (this.#now ??= new Date(this.#atMs).toISOString());
  }

  get identity(): IdentityRecord {
    return this.require('identity', 'identity', 'world');
  }

  get<T extends TableName>(table: T, id: string): Tables[T] | undefined {
    const changed = this.#overlay.get(table)?.get(id);
    if (changed !== undefined) return (changed ?? undefined) as Tables[T] | undefined;
    return this.#table(table).get(id);
  }

  /**
   * The row with this id.
   * @param resource what a client calls it: `paymentInstruction`
   * @throws DomainError RESOURCE_NOT_FOUND
   */
  require<T extends TableName>(table: T, id: string, resource: string): Tables[T] {
    const row = this.get(table, id);
    if (row === undefined) throw notFound(resource, { id });
    return row;
  }

  /** All rows of a table, in the order of creation. */
  *rows<T extends TableName>(table: T): Generator<Tables[T]> {
    const changed = this.#overlay.get(table);
    for (const [id, row] of this.#table(table)) {
      const mine = changed?.get(id);
      if (mine !== null) yield (mine ?? row) as Tables[T];
    }
    for (const [id, row] of changed ?? []) {
      if (row !== null && !this.#state[table].has(id)) yield row as Tables[T];
    }
  }

  /** The rows that an index of the table has under keys that begin with `prefix`. Costs what it finds. */
  *find<T extends TableName>(table: T, index: string, prefix: string): Generator<Tables[T]> {
    const rows = this.#table(table);
    const changed = this.#overlay.get(table);
    for (const row of rows.walk(index, prefix)) if (!changed?.has(row.id)) yield row;
    for (const row of changed?.values() ?? []) if (row !== null && rows.hasKey(index, row as Tables[T], prefix)) yield row as Tables[T];
  }

  /** The rows of a table in the order of its list, or those under a prefix of another such index. */
  list<T extends ListedTable>(table: T, index = 'list', prefix = ''): Listing<Tables[T]> {
    const rows = this.#table(table);
    if (this.#overlay.has(table)) return listingOf(this.find(table, index, prefix), placeOf);
    return {
      walk: (direction, from) => rows.walk(index, prefix, direction, from ? prefix + placeInList(from) : undefined),
      placeOf,
    };
  }

  /** What settled operations moved, as far as it is committed. */
  get flows(): Flows {
    return this.#state.operations.flows;
  }

  /** The ids of the oldest rows of a table, at most so many; none when this unit does not touch the table. */
  oldest(table: TableName, most: number): string[] {
    return this.#overlay.has(table) ? this.#state[table].oldest(most) : [];
  }

  /** How many rows a table has with what this unit adds, less what it deletes. */
  sizeOf(table: TableName): number {
    let { size } = this.#state[table];
    for (const [id, row] of this.#overlay.get(table) ?? []) size += (row === null ? 0 : 1) - (this.#state[table].has(id) ? 1 : 0);
    return size;
  }

  put<T extends TableName>(table: T, row: Tables[T]): void {
    this.#changed(table).set(row.id, row);
  }

  delete(table: TableName, id: string): void {
    this.#changed(table).set(id, null);
  }

  /** The next number of a kind, from 1. */
  count(kind: string): number {
    const value = (this.get('counters', kind)?.value ?? 0) + 1;
    this.put('counters', { id: kind, value });
    return value;
  }

  newId(kind: string): string {
    return this.deriveId(kind, String(this.count(`${kind}Id`)));
  }

  newCode(kind: string, length: number): string {
    const { seed, name } = this.identity;
    return deriveCode(length, seed, name, kind, String(this.count(`${kind}Code`)));
  }

  deriveId(kind: string, key: string): string {
    const { seed, name } = this.identity;
    return deriveUuid(seed, name, kind, key);
  }

  /** What to commit: each touched row once. */
  changes(): Change[] {
    const changes: Change[] = [];
    for (const [table, rows] of this.#overlay) {
      for (const [id, row] of rows) {
        if (row !== null || this.#state[table].has(id)) changes.push({ table, id, row });
      }
    }
    return changes;
  }

  #table<T extends TableName>(name: T): Table<Tables[T]> {
    return this.#state[name] as unknown as Table<Tables[T]>;
  }

  #changed(table: TableName): Map<string, Tables[TableName] | null> {
    let rows = this.#overlay.get(table);
    if (!rows) this.#overlay.set(table, (rows = new Map()));
    return rows;
  }
}
