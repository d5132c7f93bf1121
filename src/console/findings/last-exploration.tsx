import type { JSX } from 'preact';
import type { ReportedExploration } from '../../contract/control/analysis/report.js';
import { Section } from '../parts/section.js';

/** The last search for an order of events that breaks the client. */
export function LastExploration({ exploration }: { readonly exploration: ReportedExploration }): JSX.Element {
  const { verdict, tried, failures } = exploration;
  const style = verdict === 'PASSED' ? 'good' : verdict === 'FAILED' ? 'bad' : 'warn';
  const [[singles, allSingles], [pairs, allPairs]] = [tried.singles, tried.pairs];
  return (
    <Section title="Last exploration">
      <p>
        <span class={`status ${style}`}>● {verdict.toLowerCase().replaceAll('_', ' ')}</span> tried {singles} of {allSingles} single
        deviations, {pairs} of {allPairs} pairs and {tried.triples} triples
      </p>
      <ol class="entries">
        {failures.map(({ what, how, schedules }) => (
          <li key={what}>
            {schedules === 1 ? '1 schedule' : `${schedules} schedules`}
            <div>
              <b>{what}</b>
            </div>
            <div class="dim">{how}</div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
