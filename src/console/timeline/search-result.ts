import { useEffect, useMemo } from 'preact/hooks';
import { urlPath } from '../api.js';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import type { StreamKind, TimelineMeta } from '../../contract/control/analysis/stream.js';
import type { ErrorDetails } from '../api.js';
import type { Item } from '../item.js';
import { useLoaded } from '../parts/loaded.js';
import { usePages, useSettled } from '../parts/pages.js';

/** Milliseconds between two reads of the unattributed requests, which the stream does not send. */
const pollMs = 3000;
const pageSize = 500;
/** Minimum milliseconds between two requests for a search: each reads all stored items. */
const searchGapMs = 2000;

/** Kinds of timeline items after which a search is repeated. */
const changing: readonly StreamKind[] = ['REQUEST', 'CONTROL', 'STATE', 'DELIVERY', 'ATTEMPT', 'LEDGER', 'JOB', 'FINDING', 'WORLD'];

interface TimelinePage {
  readonly data: readonly Item[];
  readonly meta: TimelineMeta;
}

/** The result of a search in all stored data of a world. */
export interface SearchResult {
  /** The found items, newest first; null while there is no response, and without a search. */
  readonly items: readonly Item[] | null;
  readonly meta: TimelineMeta | null;
  readonly error: string | null;
  readonly details: ErrorDetails;
  /** Loads older results; null if there are none. */
  readonly more: (() => Promise<unknown>) | null;
}

/** Searches the timeline on the server. @param filter filter expression; null for no search */
export function useFound(filter: string | null): SearchResult {
  const settled = useSettled(filter);
  const filters = settled === null || settled === '' ? '' : urlPath`&filters=${settled}`;
  const path = settled === null || filter === null ? null : `/timeline?generation=all&limit=${pageSize}${filters}`;
  // While new items arrive, the older ones that were loaded stay.
  const { first, rows, error, details, more } = usePages<Item, TimelinePage>(path, {
    kinds: changing,
    gapMs: searchGapMs,
    keyOf: ({ order }) => order,
    moreQuery: '&counts=false',
  });
  return { items: rows, meta: first?.meta ?? null, error, details, more };
}

/** A recorded request as a row of the timeline. */
function itemOf(entry: RecordEntry): Item | null {
  if (entry.kind === 'MARK' || entry.kind === 'ATTEMPT') return null;
  const { id, seq, generation, test, at, startedAt, durationMs: ms } = entry;
  const place = { order: seq, id, at: at ?? startedAt, realAt: startedAt, ms, generation, test, resource: null, resourceId: null };
  const { kind, method, path, operationId, status, code, response } = entry;
  const { outcome = null, replay = false, ruleId = null } = response ?? {};
  const request = { method, path, operationId, code, outcome, replay, ruleId };
  return { ...place, kind, summary: `${method} ${path}`, status: status === null ? null : String(status), causeId: null, request };
}

/** Returns the unattributed requests, oldest first; null while there is no response. @param isWanted whether to load them */
export function useUnattributed(isWanted: boolean): { readonly items: readonly Item[] | null; readonly error: string | null } {
  const { value, error, reload } = useLoaded<{ data: RecordEntry[] }>(
    isWanted ? '/requests?kind=REQUEST,CONTROL&limit=100&unattributed=true' : null,
  );
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setInterval(reload, pollMs);
    return () => clearInterval(timer);
  }, [isWanted]);
  const items = useMemo(
    () =>
      value?.data
        .map(itemOf)
        .filter((item) => item !== null)
        .toReversed() ?? null,
    [value],
  );
  return { items, error };
}
