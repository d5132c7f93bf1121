import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ScenarioTrial, ScenarioTrials } from '../../contract/control/scenario-files.js';
import { countText } from '../notices.js';
import { shortTime } from '../parts/timestamp.js';
import { PaneLink } from '../parts/pane-link.js';
import { resourcePane } from '../parts/resource-pane.js';

/** Returns the path of a tried request, attempt or resource in the inspector; null if the inspector cannot show it. */
function paneOf({ on, id }: ScenarioTrial): string | null {
  if (on === 'REQUEST' || on === 'DELIVERY') return `calls/${id}`;
  return on === 'ASSET' ? null : resourcePane(on, id);
}

/** The result of trying a scenario on past requests, attempts and resources. */
export function Trials({ of: { scenario, data } }: { readonly of: ScenarioTrials }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const matched = data.filter((each) => each.scenario === scenario);
  const rows = isWhole ? data : matched;
  return (
    <>
      <p role="status">
        Rules of {scenario} would have matched {matched.length} of {countText(data.length, 'past event')}.
      </p>
      {data.length > matched.length && (
        <label>
          <input type="checkbox" checked={isWhole} onChange={({ currentTarget }) => setWhole(currentTarget.checked)} /> Show the others too
        </label>
      )}
      {rows.length > 0 && (
        <table class="trials">
          <thead>
            <tr>
              <th scope="col">on</th>
              <th scope="col">at</th>
              <th scope="col">past event</th>
              <th scope="col">would have matched</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((trial, index) => {
              const { on, id, at, summary, rule, scenario: of } = trial;
              const pane = paneOf(trial);
              return (
                <tr key={`${on}${id}`}>
                  <td class="mono">{on}</td>
                  <td class="mono">{shortTime(at, rows[index - 1]?.at)}</td>
                  <td>{pane === null ? summary : <PaneLink to={pane}>{summary}</PaneLink>}</td>
                  <td>
                    {rule === null ? <span class="dim">no rule</span> : rule}{' '}
                    {of !== null && of !== scenario && <span class="dim">of {of}</span>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </>
  );
}
