/** A page of a list of the control API. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly nextCursor: string | null };
}

/** The rows of all pages at the time when the last of them was loaded. */
export interface LoadedRows<T> {
  /** The first page at that time. */
  readonly first: Page<T>;
  readonly rows: readonly T[];
  /** Cursor of the next page; null if there is none. */
  readonly next: string | null;
}

/**
 * Returns the rows of the first page and those of the other pages that follow it without a gap, and the cursor of the next page.
 * @param loaded the loaded pages; null if only the first one was loaded
 * @param keyOf returns the identity of a row; without it, the other pages are dropped if the first page was loaded again
 */
export function joinedRows<T>(
  first: Page<T>,
  loaded: LoadedRows<T> | null,
  keyOf?: (row: T) => unknown,
): { readonly rows: readonly T[]; readonly next: string | null } {
  if (loaded?.first === first) return loaded;
  const last = first.data.at(-1);
  const at = loaded === null || last === undefined || !keyOf ? -1 : loaded.rows.findIndex((row) => keyOf(row) === keyOf(last));
  if (loaded === null || at === -1) return { rows: first.data, next: first.meta.nextCursor };
  return { rows: [...first.data, ...loaded.rows.slice(at + 1)], next: loaded.next };
}
