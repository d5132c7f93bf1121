import type { ComponentChildren, JSX } from 'preact';
import type { ReplayAttempt, ReplayCall, ReplayStep } from '../../contract/control/analysis/replay.js';
import { docsUrl, publicUrl } from '../api-calls.js';
import { longTimestamp } from '../parts/timestamp.js';
import { Facts, Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { Command, commandFor } from './command.js';
import { moveTo, openedReplay, type OpenReplay } from './opened.js';
import type { ReplayRow } from './rows.js';
import { grouped } from '../parts/words.js';

/** A row of the open replay file: a step with its request and response, or a finding at the end. */
export function RowPane({ id }: { readonly id: string }): JSX.Element {
  const now = openedReplay.value;
  const index = now?.rows.findIndex(({ key }) => key === id) ?? -1;
  if (now === null) return <p role="status">No replay file is open.</p>;
  const row = now.rows[index];
  return row === undefined ? (
    <p role="status">
      The file {now.name} has no step {id}.
    </p>
  ) : (
    <Row of={now} row={row} index={index} />
  );
}

function Row({
  of: { name, file, rows },
  row,
  index,
}: {
  readonly of: OpenReplay;
  readonly row: ReplayRow;
  readonly index: number;
}): JSX.Element {
  const { step, item, finding, key } = row;
  const by = (change: number) => rows[index + change];
  return (
    <>
      <div class="moves steps-bar">
        <MoveButton to={by(-1)}>Previous</MoveButton>
        <MoveButton to={by(1)}>Next</MoveButton>
        <span class="dim">{step === null ? 'at the end' : `step ${key} of ${grouped(file.steps.length)}`}</span>
      </div>
      {step === null ? (
        <h2>{item.summary}</h2>
      ) : step.kind === 'ATTEMPT' ? (
        <Attempt step={step} row={row} />
      ) : (
        <Call step={step} row={row} />
      )}
      {finding !== null && (
        <Section title="Finding">
          <Facts
            of={[
              ['rule', <NewTab key="rule" to={`${publicUrl()}/docs/findings#${encodeURIComponent(finding.rule)}`} words={finding.rule} />],
              ['severity', finding.severity.toLowerCase()],
              ['seen', finding.count === 1 ? 'once' : `${finding.count} times`],
              ['state', finding.state.toLowerCase()],
            ]}
          />
        </Section>
      )}
      {row.isFailure && file.test.failure !== undefined && (
        <Section title="Failure of the test">
          <Text text={file.test.failure} label="Failure of the test" />
        </Section>
      )}
      {step !== null && (
        <Section title="Continue from here">
          <p class="dim">Starts a sandbox in the state after this step:</p>
          <Command text={commandFor(name, '--until', key)} />
        </Section>
      )}
    </>
  );
}

function MoveButton({ to, children }: { readonly to: ReplayRow | undefined; readonly children: ComponentChildren }): JSX.Element {
  return (
    <button type="button" class="button" aria-disabled={to === undefined} onClick={() => to !== undefined && moveTo(to.key, true)}>
      {children}
    </button>
  );
}

/** A link to the documentation, in a new tab: this page would lose the file. */
function NewTab({ to, words }: { readonly to: string; readonly words: string }): JSX.Element {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
}

type Fact = readonly [string, ComponentChildren] | false;

const timeFact = ({ item: { at, realAt } }: ReplayRow): Fact => ['at', `${longTimestamp(at)} (real ${longTimestamp(realAt)})`];

/** The effect of a rule or a fault on a step. */
const Effect = ({ of: { effect } }: { readonly of: ReplayStep }): JSX.Element | null =>
  effect && (
    <Section title="Effect">
      <Text text={JSON.stringify(effect)} label="Effect" />
    </Section>
  );

const shownFacts = (facts: readonly Fact[]) => facts.filter((fact) => fact !== false);

function Call({ step, row }: { readonly step: ReplayCall; readonly row: ReplayRow }): JSX.Element {
  const { kind, method, url, operationId, version, headers, body, response, connection, endsAfter } = step;
  const isControl = kind === 'CONTROL';
  const facts: readonly Fact[] = [
    ['kind', isControl ? 'control call' : 'call'],
    [
      'operation',
      operationId === null ? 'not in the contract' : <NewTab key="operation" to={docsUrl(isControl, operationId)} words={operationId} />,
    ],
    timeFact(row),
    ['took', `${response.ms} ms`],
    ['connection', String(connection ?? '—')],
    version !== null && ['version', version],
    endsAfter !== undefined && ['overlapped', `the response came after step ${endsAfter}`],
  ];
  const responseFacts: readonly Fact[] = [
    ['status', <Status key="status" of={String(response.status)} />],
    response.code !== null && ['code', <code key="code">{response.code}</code>],
    ['outcome', response.outcome === 'DELIVERED' ? 'delivered' : <Status key="outcome" of={response.outcome} />],
    ['SHA-256', response.sha256 === null ? 'not compared: runs may differ' : <code key="hash">{response.sha256}</code>],
  ];
  return (
    <>
      <h2>
        <span class="mono">{method}</span> {url}
        <Status of={String(response.status)} />
      </h2>
      <Section title="Call">
        <Facts of={shownFacts(facts)} />
      </Section>
      <Effect of={step} />
      <Section title="Headers of the request">
        {Object.keys(headers).length === 0 ? <p class="dim">none</p> : <Facts of={Object.entries(headers)} />}
      </Section>
      {body !== null && (
        <Section title={`Request, ${body.bytes} bytes`}>
          {body.file && <Facts of={Object.entries(body.file).map(([name, value]) => [name, String(value)])} />}
          {body.text !== '' && <Text text={body.text} label="Request body" />}
        </Section>
      )}
      <Section title={response.body === undefined ? 'Response, without its body' : 'Response'}>
        <Facts of={shownFacts(responseFacts)} />
        {response.body !== undefined && <Text text={response.body} label="Response body" />}
      </Section>
    </>
  );
}

function Attempt({ step, row }: { readonly step: ReplayAttempt; readonly row: ReplayRow }): JSX.Element {
  const { eventType, url, attemptKind, number, messageId, subscription, toInbox, sha256, sent, response } = step;
  const { status, error, location, body, ms } = response;
  return (
    <>
      <h2>
        {eventType}
        <Status of={String(status)} />
      </h2>
      <Section title="Attempt">
        <Facts
          of={shownFacts([
            ['to', `${url}${toInbox ? ' (inbox)' : ''}`],
            timeFact(row),
            ['kind', `${attemptKind.toLowerCase()}, attempt ${number}`],
            ['took', `${ms} ms`],
            ['error', error ?? 'none'],
            ['delivery', messageId],
            ['subscription', subscription === 0 ? 'deleted' : `number ${subscription} in order of creation`],
            location !== null && ['location', location],
            ['SHA-256', <code key="hash">{sha256}</code>],
          ])}
        />
      </Section>
      <Effect of={step} />
      {sent !== undefined && (
        <Section title="Webhook">
          <Text text={sent} label="Body of the webhook" />
        </Section>
      )}
      {body !== null && (
        <Section title="Response">
          <Text text={body} label="Response of the endpoint" />
        </Section>
      )}
    </>
  );
}
