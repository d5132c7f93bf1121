import type { PageMeta } from '../contract/shared/paging.js';
import { get } from './api.js';
import type { Item } from './item.js';

/** A part of the timeline. */
export interface Past {
  /** Oldest first. */
  readonly items: readonly Item[];
  /** Where older items are; null if there are none. */
  readonly older: string | null;
}

/** How many items fill a screen: these are requested first. */
const screenful = 30;
const pageSize = 500;

/** Reads a part of the timeline of the open world: a screenful at first. @param older where an earlier part ended */
export async function history(signal: AbortSignal, older: string | null): Promise<Past> {
  const place = older === null ? `limit=${screenful}` : `limit=${pageSize}&cursor=${encodeURIComponent(older)}`;
  const { data, meta } = await get<{ data: Item[]; meta: PageMeta }>(`/timeline?generation=all&counts=false&${place}`, signal);
  return { items: data.toReversed(), older: meta.nextCursor };
}
