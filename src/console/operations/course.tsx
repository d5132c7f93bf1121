import type { JSX } from 'preact';
import type { Kinds } from '../../contract/control/kinds.js';
import { Diagram } from '../parts/diagram.js';
import { toneOf } from '../parts/status.js';

/** The statuses that an operation has passed through, as a diagram and as a list for screen readers. */
export function Course({ kind, states }: { readonly kind: Kinds['data'][number]; readonly states: readonly string[] }): JSX.Element {
  const gone = new Set(states.slice(1).map((to, index) => `${states[index]}>${to}`));
  const now = states.at(-1);
  return (
    <>
      <Diagram
        kind={kind}
        classOfStatus={(status) => (status === now ? toneOf(status) : states.includes(status) ? 'past' : 'ahead')}
        classOfWay={(from, to) => (gone.has(`${from}>${to}`) ? 'gone' : '')}
      />
      <ul class="unseen" aria-label="Statuses and where they lead">
        {kind.statuses.map((status) => (
          <li key={status}>
            {status}
            {status === now ? ', now' : states.includes(status) ? ', passed' : ''}, leads to{' '}
            {kind.transitions
              .filter(({ from }) => from === status)
              .map(({ to }) => to)
              .join(', ') || 'nothing'}
          </li>
        ))}
      </ul>
    </>
  );
}
