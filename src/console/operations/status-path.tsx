import type { JSX } from 'preact';
import type { Kinds } from '../../contract/control/kinds.js';
import { Diagram } from '../parts/diagram.js';
import { toneOf } from '../parts/status.js';
import { inWords } from '../parts/words.js';

/** The statuses of an operation: those that it has passed through, and those that can follow. */
export function StatusPath({ kind, states }: { readonly kind: Kinds['data'][number]; readonly states: readonly string[] }): JSX.Element {
  const gone = new Set(states.slice(1).map((to, index) => `${states[index]}>${to}`));
  const now = states.at(-1);
  return (
    <Diagram
      kind={kind}
      classOf={(status) => (status === now ? `now ${toneOf(status)}` : states.includes(status) ? 'past' : '')}
      noteOf={(status) => (status === now ? ', now' : states.includes(status) ? ', passed' : '')}
    >
      {(from, to) => <span class={gone.has(`${from}>${to}`) ? 'gone' : undefined}>{inWords(to)}</span>}
    </Diagram>
  );
}
