import { quoted } from '../../contract/shared/messages/quoted.js';
import { hash } from 'node:crypto';
import type { PageMeta, PageQuery } from '../../contract/shared/paging.js';
import { invalidData } from '../errors.js';
import { parseFilter, type Predicate } from './filter.js';
import type { FilterFields } from './fields.js';
import type { Interruptible } from '../interruptible.js';

/** The sort key of an item: time of creation, then sequence number. */
export interface SortKey {
  readonly createdAt: string;
  readonly seq: number;
}

/** A position directly before (-1) or after (1) an item, in ascending order. The item may be deleted by now. */
export interface ListPosition extends SortKey {
  readonly side: -1 | 1;
}

/** A list that is read lazily. */
export interface Listing<T> {
  /**
   * Iterates in ascending (1) or descending order, starting at `from`; if `from` is null, at the first item in this order. The list may
   * change during the iteration: each remaining item is visited once.
   */
  walk(direction: 1 | -1, from: ListPosition | null): Iterable<T>;
  /** Returns the sort key of an item. */
  placeOf(item: T): SortKey;
}

/** A page as responses show it. */
export interface Page<V> {
  readonly data: V[];
  readonly meta: PageMeta;
}

/** Returns all items as a single page. */
export function onePage<V>(data: V[]): Page<V> {
  return { data, meta: { previousCursor: null, nextCursor: null, total: data.length } };
}

/**
 * Parses the query of a list without reading its items. Endpoints call it before they check that the parent resource exists.
 * @throws DomainError INVALID_FILTER_FORMAT, or INVALID_DATA for `query:cursor`
 */
export function readPageQuery<T>({ filters, cursor, sortOrder }: PageQuery, scope: string, fields: FilterFields<T>) {
  const passes: Predicate<T> = filters ? parseFilter(filters, fields) : () => true;
  const binding = `${scope}\n${sortOrder}\n${filters ?? ''}`;
  return { passes, binding, gap: cursor ? readCursor(cursor, binding) : null };
}

/**
 * Returns one page of a list, by cursor. Yields after each item, because a filter may scan many items for few matches.
 *
 * A cursor marks the position next to an item. Paging forward and back therefore visits each item exactly once, even if items are added
 * meanwhile. The cursor is bound to its list (`scope`), sort order and filter.
 *
 * @param view returns an item as responses show it
 * @throws DomainError INVALID_FILTER_FORMAT, or INVALID_DATA for `query:cursor`
 */
export function* pageOf<T, V>(
  listing: Listing<T>,
  query: PageQuery,
  scope: string,
  fields: FilterFields<T>,
  view: (item: T) => V,
): Interruptible<Page<V>> {
  const { passes, binding, gap } = readPageQuery(query, scope, fields);
  const direction = query.sortOrder === 'ASCENDING' ? 1 : -1;
  const isBackward = gap !== null && query.direction === 'PREVIOUS';

  /** Collects up to `count` items that match the filter, in reading order from the gap (1) or against it (-1). */
  function* take(way: 1 | -1, count: number): Interruptible<T[]> {
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

/** Creates a list from items in any order. */
export function listingOf<T>(items: Iterable<T>, placeOf: (item: T) => SortKey): Listing<T> {
  const all = [...items];
  return {
    walk: (direction, from) =>
      all
        .filter((item) => !from || direction * (compare(placeOf(item), from) || -from.side) > 0)
        .toSorted((a, b) => direction * compare(placeOf(a), placeOf(b))),
    placeOf,
  };
}

function compare(a: SortKey, b: SortKey): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.seq - b.seq;
}

function writeCursor(gap: ListPosition, binding: string): string {
  const place = `${gap.createdAt}~${gap.seq}~${gap.side}`;
  return Buffer.from(`${place}~${checksum(place, binding)}`).toString('base64url');
}

function readCursor(cursor: string, binding: string): ListPosition {
  const [createdAt = '', seq = '', side = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('~');
  const gap: ListPosition = { createdAt, seq: Number(seq), side: side === '1' ? 1 : -1 };
  if (cursor === writeCursor(gap, binding)) return gap;
  throw invalidData([
    {
      code: 'INVALID_FORMAT',
      message: `cursor: expected \`nextCursor\` or \`previousCursor\` of a page of this list with the same sort order and filters; got "${quoted(cursor, 60)}".`,
      field: 'query:cursor',
      params: {},
    },
  ]);
}

function checksum(place: string, binding: string): string {
  return hash('sha256', `${place}\n${binding}`, 'base64url').slice(0, 16);
}
