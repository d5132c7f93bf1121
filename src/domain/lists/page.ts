import { hash } from 'node:crypto';
import type { PageMeta, PageQuery } from '../../contract/shared/paging.js';
import { invalidData } from '../errors.js';
import { parseFilter, type Predicate } from './filter.js';
import type { FilterFields } from './fields.js';
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

/** A list, of which no more is read than is asked for. */
export interface Listing<T> {
  /**
   * The items in ascending (1) or descending order, from a gap onward; from the end where it begins without one.
   * The list may change while it is walked through: each item that stays is met once.
   */
  walk(direction: 1 | -1, from: Gap | null): Iterable<T>;
  /** Where an item stands. */
  placeOf(item: T): Listed;
}

/** A page as the contract words it. */
export interface Page<V> {
  readonly data: V[];
  readonly meta: PageMeta;
}

/** All items of a list that needs no second page. */
export function onePage<V>(data: V[]): Page<V> {
  return { data, meta: { previousCursor: null, nextCursor: null, total: data.length } };
}

/**
 * What a query asks of a list, without a look at its items: a list of a resource that may not exist checks it before it looks for that.
 * @throws DomainError INVALID_FILTER_FORMAT, or INVALID_DATA on `query:cursor`
 */
export function readPageQuery<T>({ filters, cursor, sortOrder }: PageQuery, scope: string, fields: FilterFields<T>) {
  const passes: Predicate<T> = filters ? parseFilter(filters, fields) : () => true;
  const binding = `${scope}\n${sortOrder}\n${filters ?? ''}`;
  return { passes, binding, gap: cursor ? readCursor(cursor, binding) : null };
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
  const { passes, binding, gap } = readPageQuery(query, scope, fields);
  const direction = query.sortOrder === 'ASCENDING' ? 1 : -1;
  const isBackward = gap !== null && query.direction === 'PREVIOUS';

  /** Up to `count` items that pass the filter, in reading order from the gap or against it. */
  function* take(way: 1 | -1, count: number): Work<T[]> {
    const taken: T[] = [];
    for (const item of listing.walk((way * direction) as 1 | -1, gap)) {
      if (passes(item) && taken.push(item) === count) break;
      yield;
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
  const all = [...items];
  return {
    walk: (direction, from) =>
      all
        .filter((item) => !from || direction * (compare(placeOf(item), from) || -from.side) > 0)
        .toSorted((a, b) => direction * compare(placeOf(a), placeOf(b))),
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
      message: `cursor: expected \`nextCursor\` or \`previousCursor\` of a page of this list with the same sort order and filters; got "${cursor.slice(0, 60)}".`,
      field: 'query:cursor',
      params: {},
    },
  ]);
}

function checksum(place: string, binding: string): string {
  return hash('sha256', `${place}\n${binding}`, 'base64url').slice(0, 16);
}
