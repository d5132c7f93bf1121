import { useEffect, useMemo } from 'preact/hooks';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import type { Item } from '../item.js';
import { useLoaded } from '../parts/loaded.js';

/** How often it is asked whether there are more calls that came to no world: nothing tells of them. */
const pollMs = 3000;

/** A recorded request or attempt as a row of the timeline. */
function itemOf(entry: RecordEntry): Item {
  const { id, seq, generation, test, at, startedAt, durationMs: ms } = entry;
  const place = { order: seq, id, at: at ?? startedAt, realAt: startedAt, ms, generation, test, resource: null, resourceId: null };
  if (entry.kind === 'MARK') return { ...place, kind: 'MARK', summary: entry.what, status: entry.what, causeId: null };
  if (entry.kind === 'ATTEMPT') {
    const { eventType, url, attemptKind, number, httpStatus, error, resourceId, messageId: deliveryId } = entry;
    const attempt = { deliveryId, eventType, url, attemptKind, number, httpStatus, error };
    const summary = `${eventType} to ${url}`;
    return { ...place, kind: 'ATTEMPT', summary, status: String(httpStatus), resourceId, causeId: `delivery:${deliveryId}`, attempt };
  }
  const { kind, method, path, operationId, status, code, response } = entry;
  const { outcome = null, replay = false, ruleId = null } = response ?? {};
  const request = { method, path, operationId, code, outcome, replay, ruleId };
  return { ...place, kind, summary: `${method} ${path}`, status: status === null ? null : String(status), causeId: null, request };
}

/** Whether a text is an expression of the filters of lists: `status[gte]=400`. */
export const isFilter = (text: string): boolean => /^[\w.]+\[\w+\]/.test(text.trim());

/**
 * What the record has, where that is what is wanted instead of what happens now.
 * @param filter an expression of the filters of lists; empty for none
 * @param unattributed whether calls are wanted that came to no world
 * @returns null for items as long as there is no answer, or nothing was wanted
 */
export function useAsked(filter: string, unattributed: boolean): { readonly items: readonly Item[] | null; readonly error: string | null } {
  const isAsked = filter !== '' || unattributed;
  const filters = filter === '' ? '' : `&filters=${encodeURIComponent(filter)}`;
  const path = `/requests?kind=REQUEST,CONTROL,ATTEMPT,MARK&limit=100${filters}${unattributed ? '&unattributed=true' : ''}`;
  const { value, error, reload } = useLoaded<{ data: RecordEntry[] }>(
    isAsked ? path : null,
    unattributed ? [] : ['REQUEST', 'CONTROL', 'ATTEMPT'],
  );
  useEffect(() => {
    if (!unattributed) return undefined;
    const timer = setInterval(reload, pollMs);
    return () => clearInterval(timer);
  }, [unattributed]);
  const items = useMemo(() => value?.data.map(itemOf).toReversed() ?? null, [value]);
  return { items, error };
}
