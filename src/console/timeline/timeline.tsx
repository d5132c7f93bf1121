import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { advance, freezeOrRun } from '../clock-actions.js';
import { unchanged } from '../notices.js';
import { isPartner } from '../api.js';
import type { Item } from '../item.js';
import { Button } from '../parts/button.js';
import { shortTime } from '../parts/timestamp.js';
import { List } from '../parts/list.js';
import { resourcePane } from '../parts/resource-pane.js';
import { Empty } from '../parts/section.js';
import { timeMode } from '../parts/time.js';
import { TimeChoice } from '../parts/time-choice.js';
import { go, address, show, shownItem } from '../router.js';
import { clock, isComplete, items, status } from '../store.js';
import { useFound, useUnattributed } from './search-result.js';
import { Cells, SecondLine } from './cells.js';
import { FirstSteps } from './first-steps.js';
import { facetFields, filterOf } from './query.js';
import { noSearch } from './saved.js';
import { SearchBar } from './search-bar.js';
import { foundBy, rowKey, rowsOf, type Kinds, type Row } from './tree.js';

const kinds: readonly (readonly [Kinds, string])[] = [
  ['all', 'All'],
  ['calls', 'Calls'],
  ['webhooks', 'Webhooks'],
  ['states', 'Status changes'],
  ['jobs', 'Timers'],
];

/** Returns the path of a row in the inspector. */
function paneOf({ item: { kind, id, resource, resourceId }, operationId }: Row): string | null {
  if (operationId !== null) return resourcePane('OPERATION', operationId);
  if (kind === 'REQUEST' || kind === 'CONTROL' || kind === 'ATTEMPT') return `calls/${id}`;
  if (kind === 'DELIVERY') return resourcePane(kind, id);
  if (kind === 'FINDING') return `findings/${id}`;
  return resourceId === null ? null : resourcePane(resource, resourceId);
}

/** All events of the open world, newest first, each with its effects. */
export function Timeline(): JSX.Element {
  const { query } = address.value;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [from, setFrom] = useState(0);
  const [paused, setPaused] = useState<readonly Item[] | null>(null);
  const text = query['q'] ?? '';
  const isUnattributed = query['kinds'] === 'unattributed';
  const isSearch = !isUnattributed && (text.trim() !== '' || query['find'] === 'on' || facetFields.some((field) => query[field]));
  const search = isSearch ? filterOf(text, query) : null;
  const found = useFound(search);
  const unattributed = useUnattributed(isUnattributed);
  const isAsked = isUnattributed || isSearch;
  const asked = isUnattributed ? unattributed : found;
  const foundKeys = useMemo(
    () => (isSearch && search !== '' && found.items !== null ? new Set(found.items.map(foundBy)) : null),
    [isSearch, search, found.items],
  );
  const filter = {
    kinds: (kinds.find(([name]) => name === query['kinds'])?.[0] ?? 'all') satisfies Kinds,
    failuresOnly: query['failures'] === 'only',
    fold: query['reads'] !== 'all',
    found: foundKeys,
    isComplete: isComplete.value || isAsked,
  };
  const here = paused ?? items.value;
  const seen = useMemo(() => {
    if (isUnattributed)
      return (unattributed.items ?? []).filter(({ summary }) => summary.toLowerCase().includes(text.trim().toLowerCase()));
    if (!isSearch || found.items === null) return here;
    // Adds the loaded items, so that results are shown with their causes and effects.
    const all = new Map([...found.items, ...here].map((item) => [item.order, item]));
    return [...all.values()].toSorted((a, b) => a.order - b.order);
  }, [isUnattributed, unattributed.items, isSearch, found.items, here, text]);
  const rows = useMemo(
    () => rowsOf(from === 0 ? seen : seen.filter(({ realAt }) => Date.parse(realAt) >= from), toggled, filter),
    [seen, toggled, from, filter.kinds, filter.failuresOnly, filter.fold, filter.found, filter.isComplete],
  );
  const onlyFailures = () => go({ query: { failures: filter.failuresOnly ? '' : 'only' } });
  const fromHere = () => setFrom((now) => (now === 0 ? Date.now() : 0));
  const pause = () => setPaused((now) => (now === null ? items.peek() : null));
  useEffect(() => {
    const press = ({ detail }: CustomEvent<string>) => {
      if (detail === 'failures') onlyFailures();
      else if (detail === 'from-here') fromHere();
      else if (detail === 'pause') pause();
    };
    addEventListener('timeline-key', press as EventListener);
    return () => removeEventListener('timeline-key', press as EventListener);
  });
  const unfold = (row: Row, isOpen: boolean) => {
    if (row.isOpen === isOpen || !row.hasMore) return;
    const next = new Set(toggled);
    const key = rowKey(row);
    if (!next.delete(key)) next.add(key);
    setToggled(next);
  };
  if (status.value !== null && items.value.length === 0 && !isAsked) return <FirstSteps />;
  const selected = shownItem.value === null ? undefined : rows.find((row) => paneOf(row) === shownItem.value);
  const hidden = paused === null ? 0 : items.value.length - paused.length;
  const only = (name: string) => go({ query: { kinds: name === 'all' ? '' : name } });
  return (
    <>
      <div class="bar scrolls" role="toolbar" aria-label="Timeline filters">
        {kinds.map(([name, title]) => (
          <button key={name} type="button" class="pill" aria-pressed={!isUnattributed && filter.kinds === name} onClick={() => only(name)}>
            {title}
          </button>
        ))}
        {!isPartner() && (
          <button type="button" class="pill" aria-pressed={isUnattributed} onClick={() => only(isUnattributed ? 'all' : 'unattributed')}>
            Unknown client
          </button>
        )}
        <label>
          <input type="checkbox" checked={filter.failuresOnly} onChange={onlyFailures} /> Only failures <kbd>e</kbd>
        </label>
        <button type="button" class="pill" aria-pressed={isSearch} onClick={() => go({ query: isSearch ? noSearch : { find: 'on' } })}>
          Find
        </button>
        {isUnattributed && asked.error !== null && <span class="bad-text">{asked.error}</span>}
        <span class="standing">
          <label class="quiet">
            <input type="checkbox" checked={filter.fold} onChange={() => go({ query: { reads: filter.fold ? 'all' : '' } })} /> Fold
            repeated GETs
          </label>
          <button type="button" class="quiet" aria-pressed={from !== 0} onClick={fromHere}>
            {from === 0 ? 'Show only new' : 'Show all'} <kbd>x</kbd>
          </button>
          <button type="button" class="quiet" aria-pressed={paused !== null} onClick={pause}>
            {paused === null ? 'Pause' : `Go on${hidden > 0 ? ` (${hidden} new)` : ''}`} <kbd>p</kbd>
          </button>
          <TimeChoice />
        </span>
      </div>
      {isSearch && <SearchBar found={found} />}
      <FrozenNote />
      {rows.length === 0 && (isAsked ? asked.items !== null : items.value.length > 0) ? (
        from === 0 ? (
          <NoRows isUnattributed={isUnattributed} />
        ) : (
          <Empty title={`Nothing new since ${shortTime(new Date(from).toISOString()).slice(0, -2)}`}>
            <button type="button" class="button" onClick={fromHere}>
              Show all
            </button>
          </Empty>
        )
      ) : (
        <List
          label="Timeline"
          heads={[
            isUnattributed || timeMode.value === 'real' ? 'real time' : 'world time',
            'what happened',
            '~~waterfall',
            '~outcome',
            '~~>took',
          ]}
          rows={rows}
          keyOf={rowKey}
          columns="128px minmax(0, 1fr) minmax(96px, 14%) 168px 60px"
          medium="88px minmax(0, 1fr) 160px"
          narrow="60px minmax(0, 1fr)"
          scope={`${from} ${paused === null} ${JSON.stringify({ ...filter, found: search, isComplete: true })}`}
          revision={toggled}
          rootOf={(row) => rowKey(row.root ?? row)}
          selected={selected === undefined ? null : rowKey(selected)}
          choose={(row) => {
            const pane = paneOf(row);
            if (pane !== null) show(pane);
            unfold(row, true);
          }}
          unfold={unfold}
          second={(row) => <SecondLine row={row} />}
          classOf={({ depth }) => (depth > 0 ? 'below' : '')}
        >
          {(row, above) => <Cells row={row} above={above} toggle={() => unfold(row, !row.isOpen)} />}
        </List>
      )}
    </>
  );
}

/** Says that timers wait because the clock is frozen, the most frequent reason why an operation hangs. */
function FrozenNote(): JSX.Element | null {
  const { mode, nextTimerAt, pendingTimers } = clock.value ?? {};
  if (mode !== 'FROZEN' || !nextTimerAt) return null;
  return (
    <div class="note-bar" role="note">
      <span>
        The clock is frozen, and {pendingTimers === 1 ? 'a timer is' : `${pendingTimers} timers are`} pending: nothing continues until you
        advance the clock.
      </span>
      <span class="wide">
        <Button act={() => advance({ to: nextTimerAt })} done={unchanged}>
          Advance to the next timer
        </Button>
      </span>
      <span class="wide">
        <Button act={freezeOrRun} done={unchanged}>
          Let it run
        </Button>
      </span>
    </div>
  );
}

function NoRows({ isUnattributed }: { readonly isUnattributed: boolean }): JSX.Element {
  return isUnattributed ? (
    <Empty title="No requests of unknown clients">
      <p>This list shows requests whose token belongs to no world: a token of a deleted world, an invalid token, or no token.</p>
    </Empty>
  ) : (
    <Empty title="No event matches">
      <button type="button" class="button" onClick={() => go({ query: noSearch })}>
        Show everything
      </button>
    </Empty>
  );
}
