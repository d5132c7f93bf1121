import { useEffect, useRef, useState } from 'preact/hooks';
import type { StreamKind } from '../../contract/control/analysis/stream.js';
import { ApiError, get, type ErrorDetails } from '../api.js';
import { changes, throttled, restarts } from '../store.js';

export interface Loaded<T> {
  readonly value: T | null;
  readonly error: string | null;
  /** Details of the error, for example the invalid field of a filter. */
  readonly details: ErrorDetails;
  readonly reload: () => void;
}

/**
 * Returns the response to a GET of the control API, and repeats the request after new timeline items of the given kinds.
 * @param path without `/_sandbox`; null for no request
 * @param gapMs minimum milliseconds between two requests; larger for slow ones
 */
export function useLoaded<T>(path: string | null, kinds: readonly StreamKind[] = [], gapMs = 500): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; value: T | null; error: string | null; details?: ErrorDetails }>({
    path,
    value: null,
    error: null,
  });
  const [asked, setAsked] = useState(0);
  const happened = kinds.reduce((sum, kind) => sum + (changes.value[kind] ?? 0), restarts.value);
  const again = useRef(() => {});
  useEffect(() => {
    if (path === null) return undefined;
    const ending = new AbortController();
    const ask = async () => {
      try {
        const value = await get<T>(path, ending.signal);
        setState({ path, value, error: null });
      } catch (error) {
        if (ending.signal.aborted) return;
        // Loaded data stays while the sandbox does not respond: the header shows that the connection is lost.
        if (error instanceof ApiError) setState({ path, value: null, error: error.message, details: error.details });
        else {
          const lost = 'The sandbox does not respond.';
          setState((before) => ({ path, value: before.path === path ? before.value : null, error: lost }));
        }
      }
    };
    again.current = throttled(ask, gapMs);
    void ask();
    return () => {
      again.current = () => {};
      ending.abort();
    };
  }, [path]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) again.current();
    isFirst.current = false;
  }, [happened, asked]);
  const isOld = state.path !== path;
  return {
    value: isOld ? null : state.value,
    error: isOld ? null : state.error,
    details: isOld ? {} : (state.details ?? {}),
    reload: () => setAsked((times) => times + 1),
  };
}
