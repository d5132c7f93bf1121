import type { ComponentChildren, JSX } from 'preact';
import type { Kinds } from '../../contract/control/kinds.js';
import { inWords } from './words.js';

type Kind = Kinds['data'][number];

/** The statuses of a kind as rows, each with the statuses to which it leads. */
export function Diagram({
  kind: { statuses, transitions },
  classOf,
  noteOf,
  children,
}: {
  readonly kind: Kind;
  readonly classOf: (status: string) => string;
  /** Returns a note about a status for screen readers; empty without one. */
  readonly noteOf: (status: string) => string;
  /** A transition to another status. */
  readonly children: (from: string, to: string) => ComponentChildren;
}): JSX.Element {
  return (
    <ol class="diagram" aria-label="Statuses and where they lead">
      {statuses.map((status) => {
        const ways = transitions.filter(({ from }) => from === status);
        return (
          <li key={status} class={classOf(status)}>
            <b>
              {inWords(status)}
              <span class="unseen">{noteOf(status)}</span>
            </b>
            <span aria-hidden="true">{ways.length > 0 && '→'}</span>
            <span class="leads">
              {ways.length === 0 && 'final'}
              {ways.map(({ to }) => (
                <span key={to}>{children(status, to)}</span>
              ))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
