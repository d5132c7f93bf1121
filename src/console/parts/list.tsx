import type { ComponentChildren, JSX } from 'preact';
import { computed, signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { world } from '../router.js';

/** Height of a row in pixels: with one line, and with two. */
const heights = { one: 30, two: 48 } as const;
/** Width below which a row has a second line, equal to the width in the styles. */
const narrowWidth = 560;
/** Height of the column heads in pixels, equal to the height in the styles. */
const headHeight = 26;
/** Maximum number of rows that arrive together with an animation: more would flicker and cost whole frames. */
const maxArriving = 5;
/** Number of rendered rows above and below the visible ones. */
const margin = 8;

/** Number of new rows above the visible ones. */
const scrolledPast = signal(0);
/** Number of new rows that are held back while the pointer is over the list. */
const heldBack = signal(0);
/** Number of new rows that are not visible. */
export const newRowsAbove = computed(() => scrolledPast.value + heldBack.value);
/** Scrolls to the newest row. */
export const toTop = (): boolean => dispatchEvent(new CustomEvent('list-top'));

interface ListProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** The cells of a row. @param above the row above, undefined for the first row */
  readonly children: (row: T, above: T | undefined) => ComponentChildren;
  readonly selected: string | null;
  readonly choose: (row: T) => void;
  /** The second line of a row at narrow width, with the facts whose columns are hidden there. */
  readonly second?: ((row: T, above: T | undefined) => ComponentChildren) | undefined;
  /** Called when a key moves the focus to a row. A list with this function also scrolls to each newly selected row. */
  readonly follow?: (row: T) => void;
  /** Called for the right and left arrow keys on a row. */
  readonly unfold?: (row: T, open: boolean) => void;
  readonly classOf?: (row: T) => string;
  readonly columns: string;
  /** Columns at medium width, without the cells of the class `wider`. Default: `columns`. */
  readonly medium?: string;
  /** Columns at narrow width, without the cells of the classes `wider` and `wide`. */
  readonly narrow: string;
  /** Changes when the user has unfolded or folded rows: only then may rows appear or disappear below the pointer. */
  readonly revision?: unknown;
  /** Identifies the listed data. A new scope replaces all rows, even if the pointer is over the list. Default: the label. */
  readonly scope?: string;
  /** Returns the key of the root above a row, or of the row itself if it is a root. Default: the key of the row. */
  readonly rootOf?: (row: T) => string;
  /** Names of the columns. Prefixes: `>` for numbers, `~` if hidden at narrow width, `~~` if hidden at medium width too. */
  readonly heads?: readonly string[];
}

/** The rows of a list, which do not move while the pointer is over the list. */
interface Held<T> {
  /** The keys and the last known state of the rows, in their order. */
  readonly rows: Map<string, T>;
  readonly revision: unknown;
  readonly scope: string;
}

/** Returns the held rows in their newest state, and new rows at the end of the list. Other new rows wait. */
function heldRows<T>(held: Held<T>, rows: readonly T[], keyOf: (row: T) => string): T[] {
  const newest = new Map(rows.map((row) => [keyOf(row), row]));
  const lastKey = [...held.rows.keys()].findLast((key) => newest.has(key));
  const atEnd = lastKey === undefined ? [] : rows.slice(rows.indexOf(newest.get(lastKey)!) + 1);
  for (const key of held.rows.keys()) held.rows.set(key, newest.get(key) ?? held.rows.get(key)!);
  for (const row of atEnd) held.rows.set(keyOf(row), row);
  return [...held.rows.values()];
}

/** A long list of rows with equal height, which renders only the visible rows. The arrow keys and j and k move the focus. */
export function List<T>({
  label,
  rows: given,
  keyOf,
  children,
  selected,
  choose,
  follow,
  unfold,
  classOf,
  columns,
  medium = columns,
  narrow,
  second,
  revision,
  scope: listed = label,
  rootOf = keyOf,
  heads,
}: ListProps<T>): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const held = useRef<Held<T> | null>(null);
  const [, redraw] = useState(0);
  const scope = `${world.value} ${listed}`;
  const holdRows = (which: readonly T[]) => (held.current = { rows: new Map(which.map((row) => [keyOf(row), row])), revision, scope });
  // A list that is loaded under the pointer holds its first rows.
  if (held.current !== null && (held.current.scope !== scope || held.current.rows.size === 0)) holdRows(given);
  if (held.current !== null && held.current.revision !== revision) {
    const roots = new Set(Array.from(held.current.rows.values(), rootOf));
    holdRows(given.filter((row) => roots.has(rootOf(row))));
  }
  const rows = held.current === null ? given : heldRows(held.current, given, keyOf);
  const waiting = given.length - rows.length;
  useEffect(() => {
    heldBack.value = held.current === null ? 0 : Math.max(0, waiting);
  }, [waiting]);
  const hold = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch' && held.current === null) holdRows(rows);
  };
  const release = () => {
    if (held.current === null) return;
    held.current = null;
    heldBack.value = 0;
    redraw((times) => times + 1);
  };
  const [view, setView] = useState({ top: 0, height: 600, width: innerWidth });
  const hasSecond = second !== undefined && view.width < narrowWidth;
  const rowHeight = hasSecond ? heights.two : heights.one;
  const scrolled = useRef(0);
  const [focused, setFocused] = useState<string | null>(selected);
  const at = focused === null ? -1 : rows.findIndex((row) => keyOf(row) === focused);

  const measure = () => {
    const { scrollTop: top, clientHeight: height, clientWidth: width } = box.current!;
    if (top === 0) scrolledPast.value = 0;
    scrolled.current = top;
    setView({ top, height, width });
  };

  useLayoutEffect(() => {
    const element = box.current!;
    const goToTop = () => {
      release();
      element.scrollTop = 0;
    };
    addEventListener('list-top', goToTop);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      scrolledPast.value = heldBack.value = 0;
      observer.disconnect();
      removeEventListener('list-top', goToTop);
      element.removeEventListener('scroll', measure);
    };
  }, []);

  // The visible rows keep their position when new rows arrive above them.
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    const scrollTop = scrolled.current; // Reading it from the element would cost a layout for each batch of rows.
    const anchor = old[Math.floor(scrollTop / rowHeight)];
    if (scrollTop === 0 || anchor === undefined || old === rows) return;
    const key = keyOf(anchor);
    const now = rows.findIndex((row) => keyOf(row) === key);
    const by = now - old.indexOf(anchor);
    if (now === -1 || by === 0) return;
    scrolledPast.value = Math.max(0, scrolledPast.value + by);
    box.current!.scrollTop = scrolled.current = scrollTop + by * rowHeight;
  }, [rows]);

  /** Whether the next render gives the selected row the focus of the browser. A row outside of the window exists only after that render. */
  const isMoving = useRef(false);
  const focus = (next: number, isMove = box.current!.contains(document.activeElement)): T | undefined => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, next))];
    if (row === undefined) return undefined;
    const element = box.current!;
    isMoving.current = isMove;
    setFocused(keyOf(row));
    const top = rows.indexOf(row) * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    const end = top + rowHeight + (heads === undefined ? 0 : headHeight);
    if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
    measure();
    return row;
  };
  const moveBy = (by: number): void => {
    const row = focus(at + by, true);
    if (row !== undefined) follow?.(row);
  };
  // The list also scrolls when it is shown after a time behind the inspector of a narrow page.
  const isHidden = view.height === 0;
  useLayoutEffect(() => {
    const index = follow === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selected);
    if (index !== -1 && !isHidden) focus(index);
  }, [selected, isHidden]);
  useLayoutEffect(() => {
    const move = ({ detail }: CustomEvent<number>) => moveBy(detail);
    addEventListener('list-move', move as EventListener);
    return () => removeEventListener('list-move', move as EventListener);
  });
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    box.current!.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });

  const press = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 15,
      PageUp: -15,
      Home: -rows.length,
      End: rows.length,
    };
    const row = rows[at];
    if (event.key in steps) moveBy(steps[event.key]!);
    else if (event.key === 'Enter' && row !== undefined) choose(row);
    else if ((event.key === 'ArrowRight' || event.key === 'ArrowLeft') && row !== undefined) unfold?.(row, event.key === 'ArrowRight');
    else return;
    event.preventDefault();
  };

  const newest = before.current[0];
  const arrived = newest === undefined ? 0 : rows.slice(0, maxArriving + 1).findIndex((row) => keyOf(row) === keyOf(newest));
  const first = Math.max(0, Math.floor(view.top / rowHeight) - margin);
  const seen = rows.slice(first, first + Math.ceil(view.height / rowHeight) + 2 * margin);
  const tabStop = at >= first && at < first + seen.length ? at : first;
  return (
    <div
      class="list"
      style={{ '--columns': columns, '--medium': medium, '--narrow': narrow }}
      ref={box}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length}
      onKeyDown={press}
      onPointerEnter={hold}
      onPointerLeave={release}
    >
      {heads !== undefined && (
        <div role="rowgroup" class="heads">
          <div role="row" class="head">
            {heads.map((head) => (
              <span
                key={head}
                role="columnheader"
                class={`${head.includes('>') ? 'number' : ''} ${head.startsWith('~~') ? 'wider' : head.includes('~') ? 'wide' : ''}`}
              >
                {head.replace(/^[>~]+/, '')}
              </span>
            ))}
          </div>
        </div>
      )}
      <div role="rowgroup" class="rows" style={{ height: `${rows.length * rowHeight}px` }}>
        {seen.map((row, index) => {
          const key = keyOf(row);
          const over = rows[first + index - 1];
          return (
            <div
              key={key}
              role="row"
              class={`row ${classOf?.(row) ?? ''} ${first + index < arrived ? 'arrives' : ''}`}
              style={{ transform: `translateY(${(first + index) * rowHeight}px)`, height: `${rowHeight}px` }}
              aria-rowindex={first + index + 1}
              aria-selected={key === selected}
              tabIndex={first + index === tabStop ? 0 : -1}
              onFocus={() => setFocused(key)}
              onClick={() => choose(row)}
            >
              {children(row, over)}
              {hasSecond && <Cell kind="second">{second(row, over)}</Cell>}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A cell of a row. */
export function Cell({ children, kind = '' }: { readonly children?: ComponentChildren; readonly kind?: string }): JSX.Element {
  return (
    <span role="gridcell" class={kind}>
      {children}
    </span>
  );
}
