import type { JSX } from 'preact';
import type { z } from 'zod';
import { urlPath } from '../api.js';
import type { Finding, FindingsSchema } from '../../contract/control/analysis/findings.js';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import { publicUrl } from '../api-calls.js';
import { SideBySide } from '../call/side-by-side.js';
import { useLoaded } from '../parts/loaded.js';
import { PaneLink } from '../parts/pane-link.js';
import { Facts, Section } from '../parts/section.js';
import { shortTime } from '../parts/timestamp.js';

/** A finding: the advice, the evidence, and the first two requests side by side. */
export function FindingPane({ id }: { readonly id: string }): JSX.Element {
  const { value, error } = useLoaded<z.infer<typeof FindingsSchema>>('/findings?generation=all', ['FINDING']);
  const finding = value?.data.find((each) => each.id === id);
  if (finding === undefined)
    return <p role="status">{error ?? (value === null ? 'Loading…' : `There is no finding ${id} in this world.`)}</p>;
  const { title, advice, rule, severity, confidence, count, firstAt, lastAt, evidence, money, alternativeExplanation, state } = finding;
  return (
    <>
      <h2>
        <span class={`status ${severity === 'ERROR' ? 'bad' : 'warn'}`}>● {severity.toLowerCase()}</span> {title}
      </h2>
      {money !== undefined && (
        <p>
          <b class="bad-text">{money.map(({ asset, value: sum }) => `${sum} ${asset}`).join(', ')}</b>{' '}
          {rule.startsWith('payment.repeated') ? 'was paid a second time.' : 'moved that should not have.'}
        </p>
      )}
      <p>{advice}</p>
      <Section title="Evidence">
        <ol class="entries">
          {evidence.map(({ ref, what }, index) => (
            <li key={index}>
              <PaneLink to={`calls/${ref}`}>{ref.slice(0, 10)}</PaneLink>
              <div>{what}</div>
            </li>
          ))}
        </ol>
      </Section>
      <FirstTwo evidence={evidence} />
      <Section title="Finding">
        <Facts
          of={[
            [
              'rule',
              <a key="rule" href={`${publicUrl()}/docs/findings#${rule}`}>
                {rule}
              </a>,
            ],
            [
              'confidence',
              confidence === 'CERTAIN'
                ? 'certain: the recorded requests prove it'
                : `likely, unless: ${alternativeExplanation ?? 'a coincidence'}`,
            ],
            [
              'seen',
              count === 1 ? `once, ${shortTime(firstAt)}` : `${count} times, ${shortTime(firstAt)} to ${shortTime(lastAt, firstAt)}`,
            ],
            ['state', state.toLowerCase()],
          ]}
        />
      </Section>
    </>
  );
}

/** The first two requests of a finding side by side, with marks at the differences. */
function FirstTwo({ evidence }: { readonly evidence: Finding['evidence'] }): JSX.Element | null {
  const [first, second] = [...new Set(evidence.map(({ ref }) => ref))];
  const { value: left } = useLoaded<RecordEntry>(first === undefined ? null : urlPath`/requests/${first}`);
  const { value: right } = useLoaded<RecordEntry>(second === undefined ? null : urlPath`/requests/${second}`);
  return left === null || right === null ? null : <SideBySide left={left} right={right} />;
}
