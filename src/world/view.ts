import type { Settings } from '../contract/scenario/settings.js';
import type { SegmentDocuments } from '../domain/accounts/segment.js';
import { notFound } from '../domain/errors.js';
import type { Listing } from '../domain/lists/page.js';
import type { Pricing } from '../domain/operations/pricing.js';
import { deriveUuid } from './ids.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { IdentityRecord } from './rows.js';
import { tableOf, type State } from './state.js';
import { placeInList, placeOf, type ListedTable, type TableName, type Tables } from './tables.js';
import type { Table } from './table.js';

/** What verbs find around their world; the same for all worlds of a sandbox. */
export interface Surroundings {
  readonly scenarios: ScenarioCatalogue;
  /** The documents that each segment asks for. */
  readonly documents: SegmentDocuments;
  /** The settings in force in the world of a view. */
  settings(view: View): Settings;
  /** What prices depend on in the world of a view. */
  pricing(view: View): Pricing;
}

/** A world as it stands at an instant, and what is around it: for whoever only reads. */
export class View {
  readonly #state: State;
  readonly #at: number | { nowMs(): number };
  readonly #surroundings: Surroundings;
  #now: string | undefined;

  /** @param at the world's instant, in milliseconds since 1970, or what is asked for it when it is needed */
  constructor(state: State, at: number | { nowMs(): number }, surroundings: Surroundings) {
    this.#state = state;
    this.#at = at;
    this.#surroundings = surroundings;
  }

  /** The world's instant, the same throughout. */
  get now(): string {
    return (this.#now ??= new Date(typeof this.#at === 'number' ? this.#at : this.#at.nowMs()).toISOString());
  }

  get identity(): IdentityRecord {
    return this.require('identity', 'identity', 'world');
  }

  get scenarios(): ScenarioCatalogue {
    return this.#surroundings.scenarios;
  }

  /** The documents that each segment asks for. */
  get documents(): SegmentDocuments {
    return this.#surroundings.documents;
  }

  /** The settings in force. */
  get settings(): Settings {
    return this.#surroundings.settings(this);
  }

  /** What prices depend on. */
  get pricing(): Pricing {
    return this.#surroundings.pricing(this);
  }

  get<T extends TableName>(table: T, id: string): Tables[T] | undefined {
    return this.table(table).get(id);
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
  rows<T extends TableName>(table: T): Iterable<Tables[T]> {
    return this.table(table).values();
  }

  /** The rows that an index of the table has under keys that begin with `prefix`. Costs what it finds. */
  find<T extends TableName>(table: T, index: string, prefix: string): Iterable<Tables[T]> {
    return this.table(table).walk(index, prefix);
  }

  /** The rows of a table in the order of its list, or those under a prefix of another such index. */
  list<T extends ListedTable>(table: T, index = 'list', prefix = ''): Listing<Tables[T]> {
    const rows = this.table(table);
    return {
      walk: (direction, from) => rows.walk(index, prefix, direction, from ? prefix + placeInList(from) : undefined),
      placeOf,
    };
  }

  /** The id of a kind that `key` determines within this world; asking again gives the same. */
  deriveId(kind: string, key: string): string {
    const { seed, name } = this.identity;
    return deriveUuid(seed, name, kind, key);
  }

  /** How many rows a table has. */
  sizeOf(table: TableName): number {
    return this.table(table).size;
  }

  protected table<T extends TableName>(name: T): Table<Tables[T]> {
    return tableOf(this.#state, name);
  }
}
