import type { JSX } from 'preact';
import type { Timer } from '../contract/control/timers.js';
import { advance } from './clock-actions.js';
import { unchanged } from './notices.js';
import { Button } from './parts/button.js';
import { shortId } from './parts/id.js';
import { shortTime } from './parts/timestamp.js';
import { useLoaded } from './parts/loaded.js';
import { PaneLink } from './parts/pane-link.js';
import { resourcePane } from './parts/resource-pane.js';
import { inWords } from './parts/words.js';

/** Maximum number of shown timers. */
const shownTimers = 10;

/** The next timers of the world and their effects. */
export function NextTimers(): JSX.Element {
  const { value } = useLoaded<{ data: Timer[]; total: number }>('/timers', ['JOB', 'CLOCK', 'STATE', 'ATTEMPT', 'WORLD']);
  const first = value?.data.slice(0, shownTimers) ?? [];
  return (
    <>
      {first.length === 0 && <p class="dim">No timer is pending.</p>}
      <ol class="entries">
        {first.map(({ dueAt, kind, resource, id, what }, index) => (
          <li key={`${dueAt}${id}`}>
            <time class="mono">{shortTime(dueAt, first[index - 1]?.dueAt)}</time>
            <div>
              {resource === 'DELIVERY' && `${kind === 'RETRY' ? 'retry' : 'delayed attempt'} of the `}
              <PaneLink to={resourcePane(resource, id)}>
                {resource === 'DELIVERY' ? 'webhook' : inWords(resource)} {shortId(id)}
              </PaneLink>
              {resource === 'DELIVERY' ? ': ' : what === 'pay' ? ' is ' : ' becomes '}
              <b>{what === 'pay' ? 'paid' : what}</b>{' '}
              <Button act={() => advance({ to: dueAt })} done={unchanged} label={`Run now: go to ${dueAt}`}>
                Run now
              </Button>
            </div>
          </li>
        ))}
      </ol>
      {value !== null && value.total > first.length && <p class="dim">and {value.total - first.length} more</p>}
    </>
  );
}
