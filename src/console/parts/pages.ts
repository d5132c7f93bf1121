import { useEffect, useMemo, useState } from 'preact/hooks';
import type { StreamKind } from '../../contract/control/analysis/stream.js';
import { get } from '../api.js';
import { runAction } from '../notices.js';
import { useLoaded, type Loaded } from './loaded.js';

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

/** A page of a list of the control API. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly nextCursor: string | null };
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

interface PagesOptions {
  /** The kinds of timeline items after which the first page is loaded again. */
  readonly kinds?: readonly StreamKind[];
  /** Minimum milliseconds between two requests for the first page. */
  readonly gapMs?: number;
  /** True to keep the other pages when the first one is loaded again. */
  readonly keepsMore?: boolean;
  /** Query parameters of the requests for the other pages. */
  readonly moreQuery?: string;
}

/**
 * Loads a list a page at a time.
 * @param path with its query, without `/_sandbox` and `cursor`; null for no request
 */
export function usePages<T, P extends Page<T> = Page<T>>(
  path: string | null,
  { kinds, gapMs, keepsMore = false, moreQuery = '' }: PagesOptions = {},
): Pages<T, P> {
  const { value: first, ...loaded } = useLoaded<P>(path, kinds, gapMs);
  /** The first page or path to which the further pages belong; a change of it drops them. */
  const scope = keepsMore ? path : first;
  const [others, setOthers] = useState<{ scope: unknown; rows: readonly T[]; next: string | null }>({ scope: null, rows: [], next: null });
  const known = others.scope === scope && first !== null ? others : { rows: [], next: first?.meta.nextCursor ?? null };
  const more = () =>
    runAction(async () => {
      const { data, meta } = await get<Page<T>>(`${path}${moreQuery}&cursor=${encodeURIComponent(known.next!)}`);
      setOthers({ scope, rows: [...known.rows, ...data], next: meta.nextCursor });
    });
  const rows = useMemo(() => (first === null ? null : [...first.data, ...known.rows]), [first, others, path]);
  return { first, rows, ...loaded, more: known.next === null ? null : more };
}
