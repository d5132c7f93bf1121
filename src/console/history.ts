import type { PageMeta } from '../contract/shared/paging.js';
import { get, urlPath } from './api.js';
import type { Item } from './item.js';

/** A part of the timeline. */
export interface TimelinePart {
  /** Oldest first. */
  readonly items: readonly Item[];
  /** Cursor of the next older part; null if there is none. */
  readonly older: string | null;
}

/** Number of items that fill a screen. The first request reads only these. */
const screenful = 50;
const pageSize = 500;

/** Reads a part of the timeline of the open world. @param older cursor from the newer part; null for the first screen */
export async function readTimelinePart(signal: AbortSignal, older: string | null): Promise<TimelinePart> {
  const place = older === null ? `limit=${screenful}` : urlPath`limit=${pageSize}&cursor=${older}`;
  const { data, meta } = await get<{ data: Item[]; meta: PageMeta }>(`/timeline?generation=all&counts=false&${place}`, signal);
  return { items: data.toReversed(), older: meta.nextCursor };
}
