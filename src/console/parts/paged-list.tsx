import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { urlPath } from '../api.js';
import type { CountedList } from '../../contract/control/routes/lists.js';
import type { StreamKind } from '../../contract/control/analysis/stream.js';
import { go, address, shownItem } from '../router.js';
import { slowGapMs } from '../store.js';
import { isFilter } from '../timeline/query.js';
import { FilterChips, type FilterChip } from './filter-chips.js';
import { FilterField } from './filter-field.js';
import { useLoaded } from './loaded.js';
import { List } from './list.js';
import { usePages } from './pages.js';
import { grouped } from './words.js';

interface PagedListProps<T> {
  readonly label: string;
  /** Path of the list in the control API, without `/_sandbox`. */
  readonly path: `/${CountedList}`;
  /** The kinds of timeline items after which the list is loaded again. */
  readonly kinds: readonly StreamKind[];
  /** Example of a filter for the list, shown as a placeholder. */
  readonly fields: string;
  readonly columns: string;
  /** Columns at medium width. Default: `columns`. */
  readonly medium?: string;
  readonly narrow: string;
  readonly heads: readonly string[];
  /** The cells of a row. @param above the row above, undefined for the first row */
  readonly children: (row: T, above: T | undefined) => ComponentChildren;
  /** The second line of a row at narrow width. */
  readonly second?: (row: T, above: T | undefined) => ComponentChildren;
  /** Returns the path of a row in the inspector. */
  readonly pane: (row: T) => string;
  readonly choose: (row: T) => void;
  /** The content of an empty list. */
  readonly none: ComponentChildren;
  readonly chips: readonly FilterChip[];
  /** The filter of the failures in the list. */
  readonly failures: string;
  /** The content next to the filter. @param rows the visible rows */
  readonly tools?: (rows: readonly T[]) => ComponentChildren;
}

/** A list of the control API, newest first, with a filter and a button that loads older rows. */
export function PagedList<T extends { readonly id: string }>({
  label,
  path,
  kinds,
  fields,
  columns,
  medium = columns,
  narrow,
  heads,
  children,
  second,
  pane,
  choose,
  none,
  chips,
  failures,
  tools,
}: PagedListProps<T>): JSX.Element {
  const filters = address.value.query['filters'] ?? '';
  /** A text in the filter field that is not a filter. The list then stays as it is. */
  const [words, setWords] = useState<string | null>(null);
  const query = `${path}?limit=100${filters === '' ? '' : urlPath`&filters=${filters}`}`;
  const { rows: loaded, error, more } = usePages<T>(query, { kinds, keyOf: ({ id }) => id, canChange: true });
  const rows = loaded ?? [];
  const { value: count } = useLoaded<{ total: number }>(`/counts${path}${urlPath`?filters=${filters}`}`, kinds, slowGapMs);
  return (
    <>
      <div class="bar" role="toolbar" aria-label={`${label}: filter and actions`}>
        <FilterField
          placeholder={fields}
          value={words ?? filters}
          apply={(text) => {
            const isUsable = text === '' || isFilter(text);
            setWords(isUsable ? null : text);
            if (isUsable) go({ query: { filters: text } }, { replace: true });
          }}
        />
        <FilterChips chips={chips} failures={failures} />
        {words !== null && (
          <>
            <span class="bad-text" role="alert">
              This field takes filters, for example {fields}.
            </span>
            <button type="button" class="button" onClick={() => go({ screen: 'timeline', query: { q: words } })}>
              Search the timeline for “{words}”
            </button>
          </>
        )}
        {error !== null && <span class="bad-text">{error}</span>}
        <div class="standing">
          {tools?.(rows)}
          <span class="dim">
            {more !== null && `${grouped(rows.length)} of `}
            {count && grouped(count.total)}
          </span>
          {more !== null && (
            <button type="button" class="button" onClick={() => void more()}>
              More
            </button>
          )}
        </div>
      </div>
      {loaded?.length === 0 ? (
        none
      ) : (
        <List
          label={label}
          scope={query}
          rows={rows}
          keyOf={({ id }) => id}
          columns={columns}
          medium={medium}
          narrow={narrow}
          second={second}
          heads={heads}
          selected={rows.find((row) => pane(row) === shownItem.value)?.id ?? null}
          choose={choose}
        >
          {children}
        </List>
      )}
    </>
  );
}
