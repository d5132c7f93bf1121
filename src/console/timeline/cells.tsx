import type { JSX } from 'preact';
import type { Item } from '../item.js';
import { shortTime } from '../parts/instant.js';
import { Cell } from '../parts/list.js';
import { Status } from '../parts/status.js';
import { findings } from '../store.js';
import type { Row } from './tree.js';

/** What is remarkable about a request. */
function notesOf({ code, replay, outcome }: NonNullable<Item['request']>): string[] {
  return [code, replay ? 'replay' : null, outcome === 'DELIVERED' ? null : outcome].filter((each) => each !== null);
}

/** What is remarkable about an attempt. */
function notesOfAttempt({ attemptKind, number, error }: NonNullable<Item['attempt']>): string[] {
  const isUsual = attemptKind === 'FIRST' && number === 1;
  return [isUsual ? null : `${attemptKind.toLowerCase()}, attempt ${number}`, error].filter((each) => each !== null);
}

/** What a row of the timeline shows. */
export function Cells({
  row: { item, depth, hasMore, isOpen, times, isLast },
  toggle,
}: {
  readonly row: Row;
  readonly toggle: () => void;
}): JSX.Element {
  const { request, attempt } = item;
  const method = request?.method ?? null;
  const [what, notes] = request
    ? [request.path, notesOf(request)]
    : attempt
      ? [`${attempt.eventType} to ${attempt.url}`, notesOfAttempt(attempt)]
      : [item.summary, []];
  const finding = findings.value.find(({ evidence }) => evidence.at(-1)?.ref === item.id);
  const isLost = request?.outcome === 'LOST';
  return (
    <>
      <Cell kind="time">{depth === 0 && <span title={item.at}>{shortTime(item.at)}</span>}</Cell>
      <Cell kind="fold">
        {depth > 0 && <span aria-hidden="true">{`${'  '.repeat(depth - 1)}${isLast ? '└' : '├'}`}</span>}
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
      </Cell>
      <Cell kind="what">
        <span class="words">
          {method === null ? (
            <span class="kind">{what.startsWith(kindWords[item.kind]) ? '' : `${kindWords[item.kind]} `}</span>
          ) : (
            <b class="mono">{method} </b>
          )}
          {what}
          {notes.length > 0 && <span class="note"> ({notes.join(', ')})</span>}
        </span>
        {finding !== undefined && <span class={`status ${finding.severity === 'ERROR' ? 'bad' : 'warn'}`}>● {finding.title}</span>}
        {times > 1 && <span class="times">× {times}</span>}
      </Cell>
      <Cell kind="outcome">
        {item.kind === 'JOB' && item.status !== null && <span class="dim mono">at {shortTime(item.status)}</span>}
        {item.kind !== 'JOB' && isLost && <Status of="LOST" word={`${item.status}, lost`} />}
        {item.kind !== 'JOB' && !isLost && item.status !== null && <Status of={item.status} />}
      </Cell>
      <Cell kind="number wide">{item.ms === null ? '' : `${Math.round(item.ms)} ms`}</Cell>
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
