import type { ComponentChildren, JSX } from 'preact';
import type { Item } from '../item.js';
import { Id } from '../parts/id.js';
import { shortTime, spanText } from '../parts/timestamp.js';
import { Cell } from '../parts/list.js';
import { Status } from '../parts/status.js';
import { timeMode, timeOf } from '../parts/time.js';
import { movedText } from '../parts/words.js';
import { findings } from '../store.js';
import { summaryOfGroup, spanOfAll, type OperationGroup } from './groups.js';
import type { Row } from './tree.js';
import { Bar } from './waterfall.js';

/** Returns the notes on a request: error code, replay, undelivered response. */
function notesOf({ code, replay, outcome }: NonNullable<Item['request']>): string[] {
  return [code, replay ? 'replay' : null, outcome === 'DELIVERED' ? null : outcome].filter((each) => each !== null);
}

/** Returns the notes on an attempt: kind and number unless it is the first, and its error. */
function notesOfAttempt({ attemptKind, number, error }: NonNullable<Item['attempt']>): string[] {
  const isUsual = attemptKind === 'FIRST' && number === 1;
  return [isUsual ? null : `${attemptKind.toLowerCase()}, attempt ${number}`, error].filter((each) => each !== null);
}

/** Returns the findings whose last evidence is the item of a row or in its group. */
function findingsOf({ item, operationId, within }: Row) {
  const shows = (ref: string | undefined) => ref === item.id || (operationId !== null && within!().some(({ id }) => id === ref));
  return findings.value.filter(({ evidence }) => shows(evidence.at(-1)?.ref));
}

/** Returns the time of an item since the beginning of its group, for example `+12 s`. */
function offsetText(item: Item, within: readonly Item[]): string {
  const mode = timeMode.value;
  return `+${spanText(Date.parse(mode === 'real' ? item.realAt : item.at) - spanOfAll(within, mode).from)}`;
}

/** An operation in one line: type, amounts and payee. */
function GroupWords({ group: { operationId, facts } }: { readonly group: OperationGroup }): JSX.Element {
  return (
    <span class="words">
      <b>{facts === null ? 'operation' : facts.type.toLowerCase()}</b> {facts !== null && <span class="money">{movedText(facts)}</span>}{' '}
      <Id of={operationId} />
      {facts?.payee && <span class="wide"> → {facts.payee}</span>}
    </span>
  );
}

/** An item in one line. */
export function ItemWords({ item }: { readonly item: Item }): JSX.Element {
  const { request, attempt, kind } = item;
  const [what, notes] = request
    ? [request.path, notesOf(request)]
    : attempt
      ? [`${attempt.eventType} to ${attempt.url}`, notesOfAttempt(attempt)]
      : [item.summary, []];
  return (
    <span class="words" title={what}>
      {request === undefined ? (
        <span class="kind">{what.startsWith(kindWords[kind]) ? '' : `${kindWords[kind]} `}</span>
      ) : (
        <b class="mono">{request.method} </b>
      )}
      {what}
      {notes.length > 0 && <span class="note"> ({notes.join(', ')})</span>}
    </span>
  );
}

/** Outcomes that are shown in other words than those of the API. */
const outcomeWords: Readonly<Record<string, string>> = {
  'RULE HIT': 'applied',
  'FAULT HIT': 'applied',
  'RULE PASSED': 'not applied',
  'FAULT PASSED': 'not applied',
  'FINDING WITHDRAWN': 'finding dropped',
};

/** Returns the outcome of a row; null without one. */
export function outcomeOf(
  { item: { kind, status, request }, nextAt }: Pick<Row, 'item' | 'nextAt'>,
  group: OperationGroup | null,
): ComponentChildren {
  if (group !== null) return group.status !== null && <Status of={group.status} />;
  if (status === null) return null;
  if (kind === 'JOB') return <span class="dim mono">at {shortTime(status)}</span>;
  if (request?.outcome === 'LOST') return <Status of="LOST" word={`${status}, lost`} />;
  if (kind === 'DELIVERY' && nextAt !== null) return <Status of="FAILED" word={`failed, next ${shortTime(nextAt).slice(0, -2)}`} />;
  return <Status of={status} word={outcomeWords[`${kind} ${status}`]} />;
}

interface CellsProps {
  readonly row: Row;
  /** The row above; undefined for the first row. */
  readonly above: Row | undefined;
  readonly toggle: () => void;
}

/** Returns the group of a row that stands for an operation; null for other rows. */
const groupOf = ({ operationId, within }: Row): OperationGroup | null =>
  operationId === null ? null : summaryOfGroup(operationId, within!());

/** What went wrong in a row, and how many equal rows it stands for. */
function Marks({ row, group }: { readonly row: Row; readonly group: OperationGroup | null }): JSX.Element {
  const {
    item: { status },
    times,
  } = row;
  return (
    <>
      {group?.problems.map((problem) => (
        <span key={problem} class="status bad problem" title={problem}>
          ✕ {problem}
        </span>
      ))}
      {findingsOf(row).map(({ id, severity, title }) => (
        <span key={id} class={`status ${severity === 'ERROR' ? 'bad' : 'warn'}`} title={title}>
          ● {title}
        </span>
      ))}
      {times > 1 && <span class="times">{status?.startsWith('2') ? `× ${times}` : `and ${times - 1} more with ${status}`}</span>}
    </>
  );
}

/** The second line of a row at narrow width. */
export function SecondLine({ row }: { readonly row: Row }): JSX.Element {
  const group = groupOf(row);
  return (
    <>
      {outcomeOf(row, group)} <Marks row={row} group={group} />
    </>
  );
}

/** The cells of a row of the timeline. */
export function Cells({ row, above, toggle }: CellsProps): JSX.Element {
  const { item, depth, hasMore, isOpen, isLast } = row;
  const within = row.within?.() ?? null;
  const group = groupOf(row);
  const time = timeOf(item);
  const dated = above?.root ?? above; // A row below another one shows no date.
  const isInGroup = within !== null && depth > 0;
  return (
    <>
      <Cell kind="time">
        {depth === 0 && <span title={time}>{shortTime(time, dated && timeOf(dated.item))}</span>}
        {isInGroup && (
          <span class="offset" title={time}>
            {offsetText(item, within)}
          </span>
        )}
      </Cell>
      <Cell kind="what">
        <span class="fold" style={{ width: `${24 + Math.min(depth, 6) * 16}px` }}>
          {depth > 0 && <span aria-hidden="true">{isLast ? '└' : '├'}</span>}
          {hasMore && (
            <button
              type="button"
              tabIndex={-1}
              aria-expanded={isOpen}
              aria-label={isOpen ? 'Fold' : 'Unfold'}
              onClick={(event) => (event.stopPropagation(), toggle())}
            >
              {isOpen ? '▾' : '▸'}
            </button>
          )}
        </span>
        {group === null ? <ItemWords item={item} /> : <GroupWords group={group} />}
        <span class="marks wide">
          <Marks row={row} group={group} />
        </span>
      </Cell>
      <Cell kind="waterfall wider">
        {within !== null && (isOpen || depth > 0) && <Bar item={item} within={within} status={group?.status ?? item.status} />}
      </Cell>
      <Cell kind="outcome wide">{outcomeOf(row, group)}</Cell>
      <Cell kind="number wider">{lengthText(row)}</Cell>
    </>
  );
}

/** Returns the duration of a request, an attempt or a whole operation. */
function lengthText({ item: { ms }, operationId, within }: Row): string {
  if (operationId !== null) {
    const { from, to } = spanOfAll(within!(), timeMode.value);
    return spanText(to - from);
  }
  return ms === null ? '' : `${Math.round(ms)} ms`;
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
