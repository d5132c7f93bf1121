import type { JSX } from 'preact';
import type { Report } from '../../contract/control/analysis/report.js';
import { Button } from '../parts/button.js';
import { shortTime } from '../parts/timestamp.js';
import { PaneLink } from '../parts/pane-link.js';
import { Section } from '../parts/section.js';

/** The last comparison of the client's own records with the world. @param reload loads the comparison again */
export function LastReconciliation({
  last,
  reload,
}: {
  readonly last: Report['reconciliations'][number];
  readonly reload: () => void;
}): JSX.Element {
  const { verdict, matched, count, pending, asOf, differences, unexplained } = last;
  const style = verdict === 'AGREED' ? 'good' : verdict === 'DIFFERENT' ? 'bad' : 'warn';
  return (
    <Section title="Last reconciliation">
      <p>
        <span class={`status ${style}`}>● {verdict.toLowerCase()}</span> {matched} rows without a difference, {count} differences, {pending}{' '}
        pending, as of {shortTime(asOf)}{' '}
        <Button act={() => Promise.resolve(reload())} done={null}>
          Reload
        </Button>
      </p>
      {unexplained.map(({ value: sum, asset }) => (
        <p key={asset}>
          Unexplained: <b class="bad-text">{`${sum} ${asset}`}</b>
        </p>
      ))}
      <ol class="entries">
        {differences.map(({ kind, suspect, operation, what, advice, evidence }, index) => (
          <li key={index}>
            {operation === null ? 'no operation' : <PaneLink to={`operations/${operation}`}>{operation.slice(0, 8)}</PaneLink>}
            <div>
              <b>{kind}</b> {what}
            </div>
            <div class="dim">
              {suspect === null ? '' : `${suspect}: ${evidence?.what ?? ''} `}
              {advice}
            </div>
          </li>
        ))}
      </ol>
      {count > differences.length && <p>And {count - differences.length} more.</p>}
    </Section>
  );
}
