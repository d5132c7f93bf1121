import { timestampOf } from '../domain/context.js';
import type { Settings } from '../contract/scenario/settings.js';
import type { CalendarName } from '../contract/scenario/after.js';
import type { Calendar } from '../domain/calendars/business-days.js';
import type { SegmentDocuments } from '../domain/accounts/segment.js';
import { notFound } from '../domain/errors.js';
import type { Listing } from '../domain/lists/page.js';
import type { KeyDirectory } from '../domain/payees/holder-check.js';
import type { Pricing } from '../domain/operations/pricing.js';
import { idSeed, idSeries } from './id-series.js';
import { deriveUuid } from './ids.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { IdentityRecord } from './rows.js';
import { tableOf, type State } from './state.js';
import { placeInList, placeOf, type ListedTable, type TableName, type Tables } from './tables.js';
import type { Table } from './table.js';

/** Services that all worlds of a sandbox share. */
export interface SharedServices {
  readonly scenarios: ScenarioCatalogue;
  /** The verification documents that each customer segment requires. */
  readonly documents: SegmentDocuments;
  /** The holders of PIX keys that reference data defines. */
  readonly directory: KeyDirectory;
  /** The bank calendars. */
  readonly calendars: Readonly<Record<CalendarName, Calendar>>;
  /** Returns the settings in force in a world. */
  settings(view: View): Settings;
  /** Returns the data for prices in a world. */
  pricing(view: View): Pricing;
}

/** Read access to the state of a world at one time, and to shared services. */
export class View {
  readonly #state: State;
  readonly #at: number | { nowMs(): number };
  readonly #services: SharedServices;
  #now: string | undefined;

  /** @param at world time in Unix milliseconds, or a clock that is read when the time is first needed */
  constructor(state: State, at: number | { nowMs(): number }, services: SharedServices) {
    this.#state = state;
    this.#at = at;
    this.#services = services;
  }

  /** World time, constant during the life of this view. */
  get now(): string {
    return (this.#now ??= timestampOf(typeof this.#at === 'number' ? this.#at : this.#at.nowMs()));
  }

  get identity(): IdentityRecord {
    return this.require('identity', 'identity', 'world');
  }

  get scenarios(): ScenarioCatalogue {
    return this.#services.scenarios;
  }

  /** The verification documents that each customer segment requires. */
  get documents(): SegmentDocuments {
    return this.#services.documents;
  }

  /** The holders of PIX keys that reference data defines. */
  get directory(): KeyDirectory {
    return this.#services.directory;
  }

  /** The bank calendars. */
  get calendars(): Readonly<Record<CalendarName, Calendar>> {
    return this.#services.calendars;
  }

  /** The settings in force. */
  get settings(): Settings {
    return this.#services.settings(this);
  }

  /** The data for prices. */
  get pricing(): Pricing {
    return this.#services.pricing(this);
  }

  get<T extends TableName>(table: T, id: string): Tables[T] | undefined {
    return this.table(table).get(id);
  }

  /**
   * Returns the row with this id.
   * @param resource name of the kind of resource in the error, for example `paymentInstruction`
   * @throws DomainError RESOURCE_NOT_FOUND
   */
  require<T extends TableName>(table: T, id: string, resource: string): Tables[T] {
    const row = this.get(table, id);
    if (row === undefined) throw notFound(resource, { id });
    return row;
  }

  /** Returns all rows of a table in order of creation. */
  rows<T extends TableName>(table: T): Iterable<Tables[T]> {
    return this.table(table).values();
  }

  /** Returns the rows whose keys in an index start with `prefix`. The cost depends only on their number. */
  find<T extends TableName>(table: T, index: string, prefix: string): Iterable<Tables[T]> {
    return this.table(table).walk(index, prefix);
  }

  /** Returns the rows of a table in the order of its list. Another index limits them to keys that start with `prefix`. */
  list<T extends ListedTable>(table: T, index = 'list', prefix = ''): Listing<Tables[T]> {
    const rows = this.table(table);
    return {
      walk: (direction, from) => rows.walk(index, prefix, direction, from ? prefix + placeInList(from) : undefined),
      placeOf,
    };
  }

  /** Derives an id from a kind and a key; always the same id in one world, until a reset with fresh ids. */
  deriveId(kind: string, key: string): string {
    return deriveUuid(...this.idOrigin(), kind, key);
  }

  /** Returns the strings from which ids of the present series are derived. */
  protected idOrigin(): string[] {
    return idSeed(this.identity, this.get('counters', idSeries)?.value ?? 0);
  }

  /** Returns the number of rows of a table. */
  sizeOf(table: TableName): number {
    return this.table(table).size;
  }

  protected table<T extends TableName>(name: T): Table<Tables[T]> {
    return tableOf(this.#state, name);
  }
}
