import type { Context } from '../domain/context.js';
import type { TraceContext } from '../domain/webhooks/trace-context.js';
import { listingOf, type Listing } from '../domain/lists/page.js';
import { deriveCode } from './ids.js';
import type { Change, State } from './state.js';
import { placeOf, type ListedTable, type TableName, type Tables } from './tables.js';
import { View, type SharedServices } from './view.js';

/**
 * One change of a world: an overlay of puts and deletes, which its reads include. The state changes only when the world commits the unit;
 * an exception discards the unit, including its new ids and counters.
 */
export class UnitOfWork extends View implements Context {
  #puts = 0;
  readonly #overlay = new Map<TableName, Map<string, Tables[TableName] | null>>();

  /**
   * @param atMs world time of this unit in Unix milliseconds
   * @param causeId id of the request, rule or job that causes the changes
   * @param trace the trace context of the request that caused it; null without one
   */
  constructor(
    state: State,
    atMs: number,
    readonly causeId: string,
    services: SharedServices,
    readonly trace: TraceContext | null = null,
  ) {
    super(state, atMs, services);
  }

  override get<T extends TableName>(table: T, id: string): Tables[T] | undefined {
    const changed = this.#overlay.get(table)?.get(id);
    return changed === undefined ? super.get(table, id) : ((changed ?? undefined) as Tables[T] | undefined);
  }

  override *rows<T extends TableName>(table: T): Generator<Tables[T]> {
    const changed = this.#overlay.get(table);
    for (const row of super.rows(table)) {
      const mine = changed?.get(row.id);
      if (mine !== null) yield (mine ?? row) as Tables[T];
    }
    for (const [id, row] of changed ?? []) {
      if (row !== null && !this.table(table).has(id)) yield row as Tables[T];
    }
  }

  override *find<T extends TableName>(table: T, index: string, prefix: string): Generator<Tables[T]> {
    const changed = this.#overlay.get(table);
    for (const row of super.find(table, index, prefix)) if (!changed?.has(row.id)) yield row;
    const rows = this.table(table);
    for (const row of changed?.values() ?? []) if (row !== null && rows.hasKey(index, row as Tables[T], prefix)) yield row as Tables[T];
  }

  override list<T extends ListedTable>(table: T, index = 'list', prefix = ''): Listing<Tables[T]> {
    return this.#overlay.has(table) ? listingOf(this.find(table, index, prefix), placeOf) : super.list(table, index, prefix);
  }

  /** Returns the number of rows of a table after the changes of this unit. */
  override sizeOf(table: TableName): number {
    let size = super.sizeOf(table);
    for (const [id, row] of this.#overlay.get(table) ?? []) size += (row === null ? 0 : 1) - (this.table(table).has(id) ? 1 : 0);
    return size;
  }

  /** Whether this unit changes a table. */
  touches(table: TableName): boolean {
    return this.#overlay.has(table);
  }

  /** Number of puts, which is an upper bound for the growth in rows. */
  get puts(): number {
    return this.#puts;
  }

  /** Number of rows that this unit adds to the world. Rule counts are left out; there is one for each rule at most. */
  get growth(): number {
    let growth = 0;
    for (const [table, rows] of this.#overlay) {
      if (table === 'ruleCounts') continue;
      const before = this.table(table);
      for (const [id, row] of rows) growth += (row === null ? 0 : 1) - (before.has(id) ? 1 : 0);
    }
    return growth;
  }

  /** Returns the ids of the oldest rows, at most `most`; none if this unit does not change the table. */
  oldest(table: TableName, most: number): string[] {
    return this.touches(table) ? this.table(table).oldest(most) : [];
  }

  put<T extends TableName>(table: T, row: Tables[T]): void {
    this.#puts += 1;
    this.#changed(table).set(row.id, row);
  }

  delete(table: TableName, id: string): void {
    this.#changed(table).set(id, null);
  }

  /** Returns the next number of a kind, starting at 1. */
  count(kind: string): number {
    const value = (this.get('counters', kind)?.value ?? 0) + 1;
    this.put('counters', { id: kind, value });
    return value;
  }

  newId(kind: string): string {
    return this.deriveId(kind, String(this.count(`${kind}Id`)));
  }

  newCode(kind: string, length: number): string {
    return deriveCode(length, ...this.idOrigin(), kind, String(this.count(`${kind}Code`)));
  }

  /** Returns the changes to commit, one for each changed row. */
  changes(): Change[] {
    const changes: Change[] = [];
    for (const [table, rows] of this.#overlay) {
      for (const [id, row] of rows) {
        if (row !== null || this.table(table).has(id)) changes.push({ table, id, row });
      }
    }
    return changes;
  }

  #changed(table: TableName): Map<string, Tables[TableName] | null> {
    let rows = this.#overlay.get(table);
    if (!rows) this.#overlay.set(table, (rows = new Map()));
    return rows;
  }
}
