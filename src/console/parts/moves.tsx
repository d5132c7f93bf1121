import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PossibleMove, WhyEntry } from '../../contract/control/analysis/why.js';
import { kindOf, segmentOf, type KindName } from '../../contract/shared/kinds.js';
import { force } from '../api.js';
import { Button } from './button.js';
import { PaneLink } from './pane-link.js';
import { Status } from './status.js';

/** The verbs that are shown before the others of their kind: each takes a resource towards its usual end. */
const usual = ['resume', 'activate', 'complete'];
const rankOf = (verb: string): number => (usual.includes(verb) ? usual.indexOf(verb) : usual.length);

const wordOf = (verb: string): string => `${verb.charAt(0).toUpperCase()}${verb.slice(1).replaceAll('-', ' ')}`;

interface MovesProps {
  readonly kind: KindName;
  readonly id: string;
  readonly status: string | null;
  readonly possible: readonly PossibleMove[];
  /** Whether its scenario has a next step for it. */
  readonly hasNextStep?: boolean;
  /** What happened to it, of which that is shown which a move has caused. */
  readonly entries: readonly WhyEntry[];
}

/** The forced moves of something: those that are legal as buttons, the others with the reason why not; after one, what it caused. */
export function Moves({ kind, id, status, possible, hasNextStep = false, entries }: MovesProps): JSX.Element {
  const [reason, setReason] = useState({ code: '', message: '' });
  const [forced, setForced] = useState<string | null>(null);
  const own = possible.filter(({ asset }) => asset === undefined);
  const legal = new Map(own.map(({ verb, to }) => [verb, to]));
  if (hasNextStep) legal.set('next', 'what is planned next');
  const body = (verb: string) => {
    const given = destructive.has(verb) || verb === 'hold' || verb === 'require-action';
    return given && reason.code !== '' ? { reason: { code: reason.code, message: reason.message || reason.code } } : {};
  };
  const { verbs: known } = kindOf(kind);
  const destructive = new Set(known.filter(({ isDestructive }) => isDestructive).map(({ verb }) => verb));
  const verbs = known.map(({ verb }) => verb).toSorted((a, b) => rankOf(a) - rankOf(b));
  const first = verbs.find((verb) => legal.has(verb) && !destructive.has(verb));
  return (
    <>
      <div class="moves" role="group" aria-label="Forced moves">
        {verbs.map((verb) => (
          <Button
            key={verb}
            act={async () => setForced(await force(`/${segmentOf(kind)}/${id}/${verb}`, body(verb)))}
            primary={verb === first}
            destructive={destructive.has(verb)}
            impossible={legal.has(verb) ? undefined : `${wordOf(verb)} is no move from ${status ?? 'here'}.`}
          >
            {verb === 'next' ? 'Next step now' : wordOf(verb)}
          </Button>
        ))}
      </div>
      {forced !== null && <Caused by={forced} entries={entries} />}
      {verbs.some((verb) => destructive.has(verb) && legal.has(verb)) && (
        <details class="reason">
          <summary>With a reason</summary>
          <label>
            Code{' '}
            <input
              type="text"
              value={reason.code}
              placeholder="COMPLIANCE_REJECTED"
              onInput={({ currentTarget }) => setReason({ ...reason, code: currentTarget.value })}
            />
          </label>
          <label>
            Message{' '}
            <input
              type="text"
              value={reason.message}
              onInput={({ currentTarget }) => setReason({ ...reason, message: currentTarget.value })}
            />
          </label>
        </details>
      )}
    </>
  );
}

/** What a call has caused. */
function Caused({ by, entries }: { readonly by: string; readonly entries: readonly WhyEntry[] }): JSX.Element {
  const caused = entries.filter(({ cause }) => cause.id === by);
  return (
    <div class="caused" role="status">
      <PaneLink to={`calls/${by}`}>That call</PaneLink> has caused{caused.length === 0 ? ' nothing that is told here.' : ':'}
      <ul class="plain">
        {caused.map(({ kind, id, what }, index) => (
          <li key={index}>
            {kind === 'STATE' && <Status of={what} />}
            {kind === 'DELIVERY' && id !== null && <PaneLink to={`deliveries/${id}`}>{what}</PaneLink>}
            {(kind === 'LEDGER' || kind === 'ATTEMPT') && <span class="dim">{what}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
