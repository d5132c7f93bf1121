import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Replay as ReplayFile } from '../../contract/control/analysis/replay.js';
import { countText } from '../notices.js';
import type { Item } from '../item.js';
import { shortTime } from '../parts/timestamp.js';
import { Cell, List } from '../parts/list.js';
import { Empty, Facts } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { TimeChoice } from '../parts/time-choice.js';
import { timeOf } from '../parts/time.js';
import { go, address } from '../router.js';
import { ItemWords, outcomeOf } from '../timeline/cells.js';
import { isFailure } from '../timeline/tree.js';
import { chooseReplay } from './choose-file.js';
import { Command, commandFor } from './command.js';
import { closeReplay, moveTo, openedReplay, position, type OpenReplay } from './opened.js';
import { effectText, type ReplayRow } from './rows.js';
import { grouped } from '../parts/words.js';

/** A replay file as a timeline that the user can only read. */
export function Replay(): JSX.Element {
  const now = openedReplay.value;
  // The rows identify the file: another file with the same name is a new timeline.
  const files = useRef({ rows: now?.rows, count: 0 });
  if (files.current.rows !== now?.rows) files.current = { rows: now?.rows, count: files.current.count + 1 };
  return now === null ? <NoFile /> : <Steps key={files.current.count} of={now} />;
}

function NoFile(): JSX.Element {
  return (
    <Empty title="No replay file is open">
      <p>
        A replay file has the requests and webhooks of a failed test. The vitest and Jest runners write one for each failed test in CI, and{' '}
        <code>crossborder-sandbox replay save</code> writes one for any world. So does “Save the replay file” below the calls of an
        operation.
      </p>
      <p>Drop a file like pays-out.replay.json on this page, or choose it. The file stays in this browser.</p>
      <p>
        <button type="button" class="button primary" onClick={chooseReplay}>
          Open a replay file…
        </button>
      </p>
    </Empty>
  );
}

/** The filters of the steps: value in the address, title, and the steps that it shows. */
const filters: readonly (readonly [string, string, (row: ReplayRow) => boolean])[] = [
  ['', 'All', () => true],
  ['calls', 'Calls', ({ step }) => step !== null && step.kind !== 'ATTEMPT'],
  ['webhooks', 'Webhooks', ({ step }) => step?.kind === 'ATTEMPT'],
];

/** Width of a digit in pixels. */
const digitWidth = 8;

const countOfSteps = (rows: readonly ReplayRow[]): number => rows.filter(({ step }) => step !== null).length;

/** Milliseconds after the last key press before the inspector shows the selected row. Each row changes the address, and browsers reject very frequent changes. */
const restMs = 80;

function Steps({ of: { name, file, rows } }: { readonly of: OpenReplay }): JSX.Element {
  const { query } = address.value;
  const [kinds, , suits] = filters.find(([value]) => value === query['kinds']) ?? filters[0]!;
  const failuresOnly = query['failures'] === 'only';
  const visible = useMemo(
    () => rows.filter((row) => suits(row) && (!failuresOnly || row.isFailure || isFailure(row.item))),
    [rows, suits, failuresOnly],
  );
  const { beganAt: at, realAt } = file.world;
  const numberWidth = String(file.steps.length).length * digitWidth + 4;
  const showFailures = () => go({ query: { failures: failuresOnly ? '' : 'only' } });
  const following = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const choose = ({ key }: ReplayRow) => {
    clearTimeout(following.current);
    moveTo(key, true);
  };
  const follow = ({ key }: ReplayRow) => {
    clearTimeout(following.current);
    following.current = setTimeout(() => moveTo(key), restMs);
  };
  useEffect(() => {
    const press = ({ detail }: CustomEvent<string>) => detail === 'failures' && showFailures();
    addEventListener('timeline-key', press as EventListener);
    return () => removeEventListener('timeline-key', press as EventListener);
  });
  useEffect(() => {
    document.querySelector<HTMLElement>('.list [tabindex="0"]')?.focus({ preventScroll: true });
    return () => clearTimeout(following.current);
  }, []);
  return (
    <>
      <div class="note-bar" role="note">
        <span class="grow">
          A replay file, read only: <b>{name}</b>
        </span>
        {!file.complete && <Status of="ON_HOLD" word={`cut from step ${cutFrom(file)}`} />}
        <button type="button" class="button" onClick={chooseReplay}>
          Open another…
        </button>
        <button type="button" class="button" onClick={closeReplay}>
          Close the file
        </button>
      </div>
      <Content name={name} file={file} />
      <div class="bar" role="toolbar" aria-label="Filters of the steps">
        {filters.map(([value, title]) => (
          <button key={value} type="button" class="pill" aria-pressed={kinds === value} onClick={() => go({ query: { kinds: value } })}>
            {title}
          </button>
        ))}
        <button type="button" class="pill" aria-pressed={failuresOnly} onClick={showFailures}>
          Failures <kbd>e</kbd>
        </button>
        <span class="standing">
          <span class="dim">
            {visible.length < rows.length && `${grouped(countOfSteps(visible))} of `}
            {countText(file.steps.length, 'step')}
          </span>
          <TimeChoice />
        </span>
      </div>
      {visible.length === 0 ? (
        <Empty title={rows.length === 0 ? 'The file has no steps' : 'No step matches'} />
      ) : (
        <List
          label="Steps of the replay file"
          rows={visible}
          keyOf={({ key }) => key}
          columns={`${numberWidth}px 128px minmax(0, 1fr) 168px 60px`}
          medium={`${numberWidth}px 88px minmax(0, 1fr) 140px 60px`}
          narrow={`${numberWidth}px 66px minmax(0, 1fr) 100px`}
          scope={`${kinds} ${failuresOnly}`}
          selected={position()}
          choose={choose}
          follow={follow}
        >
          {(row, above) => <Cells row={row} above={above?.item ?? { at, realAt }} />}
        </List>
      )}
    </>
  );
}

const cutFrom = ({ cutFrom: first, steps }: ReplayFile): number => first ?? steps.length + 1;

/** The facts about a file, which the user can fold. They are folded at first where they would hide the steps. */
function Content({ name, file: { test, world, madeBy, complete, steps, cutFrom: cut } }: Pick<OpenReplay, 'name' | 'file'>): JSX.Element {
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['test', test.name],
    ['test file', test.file],
    ['failure', test.failure],
    ['runner', test.runner],
    ['commit', test.commit && <code>{test.commit}</code>],
    ['run', test.runUrl && <WebLink to={test.runUrl} />],
    ['world', `${world.name}, seed ${world.seed}, scenario ${world.scenario}${world.base === 'created' ? '' : ', from an exported state'}`],
    ['made by', `crossborder-sandbox ${madeBy.version}`],
    ['complete', complete ? `yes, ${grouped(steps.length)} steps` : `no: step ${cut ?? steps.length + 1} and the later ones are missing`],
    ['continue', <Command key="continue" text={commandFor(name, '--at-failure')} />],
  ];
  return (
    <details class="held" open={innerWidth >= 720}>
      <summary>Content of the file</summary>
      <Facts of={facts.filter(([, value]) => value !== undefined && value !== null && value !== '')} />
    </details>
  );
}

/** An address from the file as a link, in a new tab: this page would lose the file. Other addresses than those of the web are text. */
function WebLink({ to }: { readonly to: string }): JSX.Element {
  const isWeb = /^https?:\/\//i.test(to) && URL.canParse(to);
  return isWeb ? (
    <a href={to} target="_blank" rel="noreferrer">
      {to}
    </a>
  ) : (
    <>{to}</>
  );
}

/** The cells of a row. @param above the times of the row above, or of the beginning of the file */
function Cells({ row, above }: { readonly row: ReplayRow; readonly above: Pick<Item, 'at' | 'realAt'> }): JSX.Element {
  const { key, item, step, finding, isFailure: isAtFailure } = row;
  const time = timeOf(item);
  const effect = step && effectText(step);
  return (
    <>
      <Cell kind="number dim">{step === null ? '' : key}</Cell>
      <Cell kind="time">
        <span title={time}>{shortTime(time, timeOf(above))}</span>
      </Cell>
      <Cell kind="what">
        {isAtFailure && <span class="status bad marker">● failure</span>}
        {step === null ? (
          <span class="words" title={item.summary}>
            {item.summary}
          </span>
        ) : (
          <ItemWords item={item} />
        )}
        {effect !== null && (
          <span class="status warn" title={effect}>
            ▲ {effect}
          </span>
        )}
        {finding !== null && finding.count > 1 && <span class="times">× {finding.count}</span>}
      </Cell>
      <Cell kind="outcome">{outcomeOf({ item, nextAt: null }, null)}</Cell>
      <Cell kind="number wide">{item.ms === null ? '' : `${item.ms} ms`}</Cell>
    </>
  );
}
