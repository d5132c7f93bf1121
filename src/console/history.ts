import type { PageMeta } from '../contract/shared/paging.js';
import type { RecordEntry } from '../contract/control/mirror/record.js';
import type { Why } from '../contract/control/mirror/why.js';
import { hasId } from '../contract/shared/kinds.js';
import { ApiError, get } from './api.js';
import type { Item } from './item.js';

/** An entry of the record as the stream would have told it. */
export function itemOf(entry: RecordEntry): Item {
  const { id, durationMs: ms } = entry;
  const common = { id, at: entry.at ?? entry.startedAt, realAt: entry.startedAt, ms, resource: null, resourceId: null };
  if (entry.kind === 'MARK') return { ...common, kind: 'MARK', summary: entry.what, status: null, causeId: null };
  if (entry.kind === 'ATTEMPT') {
    const { eventType, url, which, number, resourceId, causeId, messageId: deliveryId, error } = entry;
    const notes = [which === 'FIRST' ? null : `${which.toLowerCase()}, attempt ${number}`, error].filter((each) => each !== null);
    const summary = `${eventType} to ${url}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
    return { ...common, kind: 'ATTEMPT', summary, status: String(entry.httpStatus), resourceId, causeId, deliveryId };
  }
  const { kind, method, path, status, code, answer, caused } = entry;
  const notes = [code, answer?.replay ? 'replay' : null, answer && answer.fate !== 'INTACT' ? answer.fate : null].filter(Boolean);
  const { resource = null, id: resourceId = null } = caused.find((each) => hasId(each.resource)) ?? caused[0] ?? {};
  return {
    ...common,
    kind,
    summary: `${method} ${path}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`,
    status: status === null ? null : String(status),
    resource,
    resourceId,
    causeId: null,
  };
}

/** A part of what the record still has. */
export interface Past {
  /** Oldest first. */
  readonly items: readonly Item[];
  /** Where what is older goes on; null when there is none. */
  readonly older: string | null;
}

export const recordPath = (limit = 100): string => `/requests?kind=REQUEST,CONTROL,ATTEMPT,MARK&limit=${limit}`;
/** How many entries fill a screen: these are asked for first. */
const screenful = 30;

/** How many resources of a page of calls are asked what happened to them. */
const maxTraced = 20;

/** What happened to a resource, as the stream would have told it: the record has calls and attempts alone. */
function itemsOf({ id: resourceId, resource, entries }: Why): Item[] {
  return entries
    .filter(({ kind }) => kind !== 'ATTEMPT')
    .map(({ at, kind, id, what, cause }) => {
      const common = { kind, at, realAt: '', resource, resourceId, ms: null, causeId: cause.id, id: id ?? resourceId };
      if (kind === 'STATE') return { ...common, summary: `${resource} ${what}`, status: what };
      const [summary = what, status = null] = kind === 'DELIVERY' ? what.split(', ') : [];
      return { ...common, summary, status };
    });
}

/** Puts what has no real time of its own behind what happened before it by the clock of the world. */
function placed(calls: readonly Item[], others: readonly Item[]): Item[] {
  const rest = others.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const all: Item[] = [];
  let { realAt = '' } = calls[0] ?? {};
  for (const call of calls) {
    while (rest[0] !== undefined && rest[0].at < call.at) all.push({ ...rest.shift()!, realAt });
    ({ realAt } = call);
    all.push(call);
  }
  return [...all, ...rest.map((item) => ({ ...item, realAt }))];
}

/** What the record still has of the world that is open: a screenful at first. @param older where an earlier part ended */
export async function history(signal: AbortSignal, older: string | null): Promise<Past> {
  const { data, meta } = await get<{ data: RecordEntry[]; meta: PageMeta }>(
    older === null ? recordPath(screenful) : `${recordPath()}&cursor=${encodeURIComponent(older)}`,
    signal,
  );
  return { items: data.map(itemOf).toReversed(), older: meta.nextCursor };
}

/** The same with what happened to the resources that these calls made or changed, of the newest of them. */
export async function traced({ items, older }: Past, signal: AbortSignal): Promise<Past> {
  const ids = new Set(items.toReversed().map(({ resource, resourceId }) => (hasId(resource) ? resourceId : null)));
  const whys = await Promise.all(
    [...ids]
      .filter((id) => id !== null)
      .slice(0, maxTraced)
      .map((id) =>
        get<Why>(`/why/${id}`, signal).catch((error: unknown) => (error instanceof ApiError ? null : Promise.reject(error as Error))),
      ),
  );
  return {
    items: placed(
      items,
      whys.flatMap((why) => (why === null ? [] : itemsOf(why))),
    ),
    older,
  };
}
