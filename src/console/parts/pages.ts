import { useEffect, useMemo, useState } from 'preact/hooks';
import type { StreamKind } from '../../contract/control/analysis/stream.js';
import { get, urlPath } from '../api.js';
import { loadQuietly, runAction } from '../notices.js';
import { useLoaded, type Loaded } from './loaded.js';
import { joinedRows, type LoadedRows, type Page } from './page-rows.js';

/** Milliseconds without typing before a search is sent. */
const typingMs = 200;

/** Returns the last value that did not change for {@link typingMs}. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The pages of a list that were loaded. */
export interface Pages<T, P extends Page<T>> extends Omit<Loaded<P>, 'value'> {
  /** The first page; null while there is no response. */
  readonly first: P | null;
  /** The rows of all loaded pages; null while there is no response. */
  readonly rows: readonly T[] | null;
  /** Loads the next page; null if there is none. */
  readonly more: (() => Promise<unknown>) | null;
}

interface PagesOptions<T> {
  /** The kinds of timeline items after which the first page is loaded again. */
  readonly kinds?: readonly StreamKind[];
  /** Minimum milliseconds between two requests for the first page. */
  readonly gapMs?: number;
  /** Returns the identity of a row. With it, the other pages stay when the first one is loaded again; without it, they are dropped. */
  readonly keyOf?: (row: T) => unknown;
  /** Whether loaded rows can change, so that the other pages are loaded again after the first one. */
  readonly canChange?: boolean;
  /** Query parameters of the requests for the other pages. */
  readonly moreQuery?: string;
}

/**
 * Loads a list a page at a time.
 * @param path with its query, without `/_sandbox` and `cursor`; null for no request
 */
export function usePages<T, P extends Page<T> = Page<T>>(
  path: string | null,
  { kinds, gapMs, keyOf, canChange = false, moreQuery = '' }: PagesOptions<T> = {},
): Pages<T, P> {
  const { value: first, ...state } = useLoaded<P>(path, kinds, gapMs);
  const [loaded, setLoaded] = useState<(LoadedRows<T> & { readonly path: string | null }) | null>(null);
  const joined = useMemo(
    () => (first === null ? null : joinedRows(first, loaded?.path === path ? loaded : null, keyOf)),
    [first, loaded, path],
  );
  const read = (cursor: string, ending?: AbortSignal) => get<Page<T>>(path + moreQuery + urlPath`&cursor=${cursor}`, ending);
  useEffect(() => {
    if (!canChange || first === null || loaded?.path !== path || loaded.first === first) return undefined;
    const ending = new AbortController();
    void loadQuietly(async () => {
      const rows = [...first.data];
      let next = first.meta.nextCursor;
      while (next !== null && rows.length < loaded.rows.length) {
        const { data, meta } = await read(next, ending.signal);
        rows.push(...data);
        next = meta.nextCursor;
      }
      setLoaded({ path, first, rows, next });
    });
    return () => ending.abort();
  }, [first, loaded, path]);
  const pages = { first, rows: joined?.rows ?? null, ...state };
  if (first === null || joined === null || joined.next === null) return { ...pages, more: null };
  const { rows, next } = joined;
  const more = () =>
    runAction(async () => {
      const { data, meta } = await read(next);
      setLoaded({ path, first, rows: [...rows, ...data], next: meta.nextCursor });
    });
  return { ...pages, more };
}
