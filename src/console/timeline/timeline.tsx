import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Cell, List } from '../parts/list.js';
import { shortTime } from '../parts/instant.js';
import { Status } from '../parts/status.js';
import type { Item } from '../item.js';
import { go, place, show, shown } from '../router.js';
import { items, status } from '../store.js';
import { FirstSteps } from './first-steps.js';
import { rowsOf, type Kinds, type Row } from './tree.js';

const kinds: readonly (readonly [Kinds, string])[] = [
  ['all', 'All'],
  ['calls', 'Calls'],
  ['webhooks', 'Webhooks'],
  ['states', 'States'],
  ['jobs', 'Timers'],
];

/** What the inspector can show of an item. */
function paneOf({ kind, id, resource, resourceId }: Item): string | null {
  if (kind === 'REQUEST' || kind === 'CONTROL') return `calls/${id}`;
  if (kind === 'ATTEMPT') return `calls/${id}`;
  if (kind === 'DELIVERY') return `deliveries/${id}`;
  if (kind === 'FINDING') return `findings/${id}`;
  if (resource === 'OPERATION' && resourceId !== null) return `operations/${resourceId}`;
  if (resource === 'ACCOUNT' && resourceId !== null) return `accounts/${resourceId}`;
  return resourceId === null ? null : `why/${resourceId}`;
}

/** All that happened in the world that is open, newest first, with what each thing caused. */
export function Timeline(): JSX.Element {
  const { query } = place.value;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [from, setFrom] = useState(0);
  const [paused, setPaused] = useState<readonly Item[] | null>(null);
  const filter = {
    kinds: (kinds.find(([name]) => name === query['kinds'])?.[0] ?? 'all') satisfies Kinds,
    failuresOnly: query['failures'] === 'only',
    fold: query['reads'] !== 'all',
    text: query['q'] ?? '',
  };
  const seen = paused ?? items.value;
  const rows = useMemo(
    () => rowsOf(from === 0 ? seen : seen.filter(({ realAt }) => Date.parse(realAt) >= from), open, filter),
    [seen, open, from, filter.kinds, filter.failuresOnly, filter.fold, filter.text],
  );
  useEffect(() => {
    const press = ({ detail }: CustomEvent<string>) => {
      if (detail === 'failures') go({ query: { failures: filter.failuresOnly ? '' : 'only' } });
      else if (detail === 'from-here') setFrom((now) => (now === 0 ? Date.now() : 0));
      else if (detail === 'pause') setPaused((now) => (now === null ? items.peek() : null));
    };
    addEventListener('timeline-key', press as EventListener);
    return () => removeEventListener('timeline-key', press as EventListener);
  });
  const unfold = ({ key }: Row, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(key);
    else next.delete(key);
    setOpen(next);
  };
  if (status.value !== null && items.value.length === 0) return <FirstSteps />;
  const hidden = paused === null ? 0 : items.value.length - paused.length;
  return (
    <>
      <div class="bar" role="toolbar" aria-label="What is shown">
        {kinds.map(([name, title]) => (
          <button
            key={name}
            type="button"
            class="pill"
            aria-pressed={filter.kinds === name}
            onClick={() => go({ query: { kinds: name === 'all' ? '' : name } })}
          >
            {title}
          </button>
        ))}
        <button
          type="button"
          class="pill"
          aria-pressed={filter.failuresOnly}
          onClick={() => go({ query: { failures: filter.failuresOnly ? '' : 'only' } })}
        >
          Failures <kbd>e</kbd>
        </button>
        <span class="space" />
        <button type="button" class="quiet" aria-pressed={filter.fold} onClick={() => go({ query: { reads: filter.fold ? 'all' : '' } })}>
          {filter.fold ? 'reads folded' : 'all reads'}
        </button>
        <button type="button" class="quiet" aria-pressed={from !== 0} onClick={() => setFrom(from === 0 ? Date.now() : 0)}>
          {from === 0 ? 'from here on' : 'from the beginning'} <kbd>x</kbd>
        </button>
        <button type="button" class="quiet" aria-pressed={paused !== null} onClick={() => setPaused(paused === null ? items.peek() : null)}>
          {paused === null ? 'pause' : `go on${hidden > 0 ? ` (${hidden} new)` : ''}`} <kbd>p</kbd>
        </button>
      </div>
      <List
        label="Timeline"
        rows={rows}
        keyOf={({ key }) => key}
        columns="82px 26px minmax(0, 1fr) 150px 64px"
        selected={rows.find(({ item }) => paneOf(item) === shown.value)?.key ?? null}
        choose={(row) => {
          const pane = paneOf(row.item);
          if (pane !== null) show(pane);
          if (row.hasMore && !row.isOpen) unfold(row, true);
        }}
        unfold={unfold}
        classOf={({ item, depth }) => `${item.kind.toLowerCase()} ${depth > 0 ? 'below' : ''}`}
      >
        {(row) => <Cells row={row} toggle={() => unfold(row, !row.isOpen)} />}
      </List>
    </>
  );
}

function Cells({
  row: { item, depth, hasMore, isOpen, times, isLast },
  toggle,
}: {
  readonly row: Row;
  readonly toggle: () => void;
}): JSX.Element {
  const [, method = null, rest = item.summary] = /^(GET|POST|PUT|PATCH|DELETE) (.*)$/s.exec(item.summary) ?? [];
  const branch = depth === 0 ? '' : `${' '.repeat(depth - 1)}${isLast ? '└' : '├'}`;
  return (
    <>
      <Cell kind="time">{depth === 0 ? shortTime(item.at) : ''}</Cell>
      <Cell kind="fold">
        {hasMore ? (
          <button
            type="button"
            tabIndex={-1}
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Fold' : 'Unfold'}
            onClick={(event) => (event.stopPropagation(), toggle())}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        ) : (
          <span aria-hidden="true">{branch}</span>
        )}
      </Cell>
      <Cell kind="what">
        {method === null ? <span class="kind">{kindWords[item.kind]} </span> : <b class="mono">{method} </b>}
        {rest}
        {times > 1 && <span class="times"> × {times}</span>}
      </Cell>
      <Cell>
        {item.status !== null &&
          (item.kind === 'JOB' ? <span class="dim mono">at {shortTime(item.status)}</span> : <Status of={item.status} />)}
      </Cell>
      <Cell kind="number">{item.ms === null ? '' : `${Math.round(item.ms)} ms`}</Cell>
    </>
  );
}

const kindWords: Record<Item['kind'], string> = {
  REQUEST: 'call',
  CONTROL: 'control',
  RULE: 'rule',
  JOB: 'timer',
  STATE: 'state',
  DELIVERY: 'event',
  ATTEMPT: 'webhook',
  LEDGER: 'ledger',
  INBOX: 'inbox',
  FAULT: 'fault',
  CLOCK: 'clock',
  SCENARIO: 'scenario',
  FINDING: 'finding',
  WORLD: 'world',
  MARK: 'mark',
};
