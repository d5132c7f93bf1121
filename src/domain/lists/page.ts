import { hash } from 'node:crypto';
import type { PageMeta, PageQuery } from '../../contract/shared/common.js';
import { invalidData } from '../errors.js';
import { readFilter } from './filter.js';
import type { FilterFields } from './fields.js';
import { KnownValues } from '../known-values.js';
import type { Work } from '../work.js';

/** What a list is sorted by: the instant of creation, then the place in the order of creation. */
export interface Listed {
  readonly createdAt: string;
  readonly seq: number;
}

/** A place between items: just before (-1) or just after (1) where an item stands, or stood. Sides are those of the ascending order. */
export interface Gap extends Listed {
  readonly side: -1 | 1;
}

/** Tells the slots of the next so many items; of none when no more are left. The list may change from one time to the next. */
export type Walk = (most: number) => readonly number[];

/** A list whose items stand in slots, and of which no more is read than is asked for. */
export interface Listing<T> {
  readonly known: KnownValues<T>;
  /** Walks through the items in ascending (1) or descending order, from a gap onward; from the end where it begins without one. */
  walk(direction: 1 | -1, from: Gap | null): Walk;
  /** Where an item stands. */
  placeOf(item: T): Listed;
}

/** How many items are judged at one go at most, where all is known of them, and where they have to be looked at. */
const atOneGo = { known: 64, new: 16 } as const;

/** A page as the contract words it. */
export interface Page<V> {
  readonly data: V[];
  readonly meta: PageMeta;
}

/**
 * What a query asks of a list, without a look at its items: a list of a resource that may not exist checks it before it looks for that.
 * @throws DomainError INVALID_FILTER_FORMAT, or INVALID_DATA on `query:cursor`
 */
export function readPageQuery<T>({ filters, cursor, sortOrder }: PageQuery, scope: string, fields: FilterFields<T>) {
  const filter = filters ? readFilter(filters, fields) : () => (slots: readonly number[]) => slots;
  const binding = `${scope}\n${sortOrder}\n${filters ?? ''}`;
  return { filter, binding, gap: cursor ? readCursor(cursor, binding) : null };
}

/**
 * One page of a list, by cursor. A filter may leave little of many items, so that the work can be held up between two of them.
 *
 * A cursor marks the gap beside an item rather than the item, so that walking forward and back visits each item
 * exactly once, whatever is added meanwhile. It is bound to its list (`scope`), sort order and filter.
 *
 * @param view the item as the response shows it
 * @throws DomainError INVALID_FILTER_FORMAT, or INVALID_DATA on `query:cursor`
 */
export function* pageOf<T, V>(
  listing: Listing<T>,
  query: PageQuery,
  scope: string,
  fields: FilterFields<T>,
  view: (item: T) => V,
): Work<Page<V>> {
  const { filter, binding, gap } = readPageQuery(query, scope, fields);
  const { known } = listing;
  const passes = filter(known);
  const direction = query.sortOrder === 'ASCENDING' ? 1 : -1;
  const isBackward = gap !== null && query.direction === 'PREVIOUS';

  /** Up to `count` items that pass the filter, in reading order from the gap or against it. */
  function* take(way: 1 | -1, count: number): Work<T[]> {
    const taken: T[] = [];
    const next = listing.walk((way * direction) as 1 | -1, gap);
    let most = query.filters ? 1 : count;
    for (let slots = next(most); slots.length > 0; slots = next(most)) {
      const { looks } = known;
      const passing = passes(slots);
      const looked = known.looks - looks;
      most = Math.min(most * 2, looked > 0 ? atOneGo.new : atOneGo.known);
      for (const slot of passing) {
        taken.push(known.item(slot));
        if (taken.length === count) return taken;
      }
      // Each that had to be looked at counts as a step.
      for (let steps = Math.max(looked, 1); steps > 0; steps -= 1) yield;
    }
    return taken;
  }
  const found = yield* take(isBackward ? -1 : 1, query.limit + 1);
  const hasMore = found.length > query.limit;
  const hasOther = gap !== null && (yield* take(isBackward ? 1 : -1, 1)).length > 0;
  const shown = found.slice(0, query.limit);
  if (isBackward) shown.reverse();

  const cursorBeside = (item: T | undefined, side: 1 | -1): string | null => {
    if (item === undefined) return gap && writeCursor(gap, binding);
    const { createdAt, seq } = listing.placeOf(item);
    return writeCursor({ createdAt, seq, side: (side * direction) as 1 | -1 }, binding);
  };
  return {
    data: shown.map((item) => view(item)),
    meta: {
      previousCursor: (isBackward ? hasMore : hasOther) ? cursorBeside(shown[0], -1) : null,
      nextCursor: (isBackward ? hasOther : hasMore) ? cursorBeside(shown.at(-1), 1) : null,
      total: shown.length,
    },
  };
}

/** Items in any order as a list. */
export function listingOf<T>(items: Iterable<T>, placeOf: (item: T) => Listed): Listing<T> {
  const sorted = [...items].toSorted((a, b) => compare(placeOf(a), placeOf(b)));
  return {
    known: new KnownValues<T>((slot) => sorted[slot]!),
    walk: (direction, from) => {
      const isBeyond = (slot: number) => !from || direction * (compare(placeOf(sorted[slot]!), from) || -from.side) > 0;
      const slots = [...sorted.keys()].filter(isBeyond);
      if (direction === -1) slots.reverse();
      return (most) => slots.splice(0, most);
    },
    placeOf,
  };
}

function compare(a: Listed, b: Listed): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.seq - b.seq;
}

function writeCursor(gap: Gap, binding: string): string {
  const place = `${gap.createdAt}~${gap.seq}~${gap.side}`;
  return Buffer.from(`${place}~${checksum(place, binding)}`).toString('base64url');
}

function readCursor(cursor: string, binding: string): Gap {
  const [createdAt = '', seq = '', side = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('~');
  const gap: Gap = { createdAt, seq: Number(seq), side: side === '1' ? 1 : -1 };
  if (cursor === writeCursor(gap, binding)) return gap;
  throw invalidData([
    {
      code: 'INVALID_FORMAT',
      message: 'The cursor is damaged, or comes from another list, sort order or filter.',
      field: 'query:cursor',
      params: {},
    },
  ]);
}

function checksum(place: string, binding: string): string {
  return hash('sha256', `${place}\n${binding}`, 'base64url').slice(0, 16);
}
