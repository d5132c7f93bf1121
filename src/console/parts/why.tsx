import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PossibleMove, Why, WhyEntry } from '../../contract/control/mirror/why.js';
import { call } from '../api.js';
import { Button } from './button.js';
import { shortTime } from './instant.js';
import { PaneLink } from './pane-link.js';
import { Section } from './section.js';
import { Status } from './status.js';

/** The verbs that a kind of resource knows, in the order in which they are shown. */
const verbsOf: Readonly<Record<string, readonly string[]>> = {
  operations: ['resume', 'complete', 'fail', 'process', 'hold', 'require-action', 'next'],
  'payment-instructions': ['approve', 'reject'],
  beneficiaries: ['approve', 'reject'],
  documents: ['approve', 'reject'],
  ubos: ['approve', 'reject'],
  accounts: ['activate', 'open', 'reject', 'close'],
};

const destructive = new Set(['fail', 'reject', 'close', 'freeze', 'deactivate']);

const wordOf = (verb: string): string => `${verb.charAt(0).toUpperCase()}${verb.slice(1).replaceAll('-', ' ')}`;

/** The forced moves of something: those that are legal as buttons, the others with the reason why not. */
export function Moves({
  noun,
  id,
  status,
  possible,
  isWaiting,
}: {
  /** The part of the path of its control calls. */
  readonly noun: string;
  readonly id: string;
  readonly status: string | null;
  readonly possible: readonly PossibleMove[];
  /** Whether a planned step is left. */
  readonly isWaiting: boolean;
}): JSX.Element {
  const [reason, setReason] = useState({ code: '', message: '' });
  const own = possible.filter(({ asset }) => asset === undefined);
  const legal = new Map(own.map(({ verb, to }) => [verb, to]));
  if (isWaiting) legal.set('next', 'what is planned next');
  const body = (verb: string) => {
    const given = destructive.has(verb) || verb === 'hold' || verb === 'require-action';
    return given && reason.code !== '' ? { reason: { code: reason.code, message: reason.message || reason.code } } : {};
  };
  const verbs = verbsOf[noun] ?? [];
  const first = verbs.find((verb) => legal.has(verb) && !destructive.has(verb));
  return (
    <>
      <div class="moves" role="group" aria-label="Forced moves">
        {verbs.map((verb) => (
          <Button
            key={verb}
            act={() => call('POST', `/${noun}/${id}/${verb}`, body(verb))}
            primary={verb === first}
            destructive={destructive.has(verb)}
            impossible={legal.has(verb) ? undefined : `${wordOf(verb)} is no move from ${status ?? 'here'}.`}
          >
            {verb === 'next' ? 'Next step now' : wordOf(verb)}
          </Button>
        ))}
      </div>
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

/** What led to something, with a way there when it is a call. */
function Cause({ of: { id, kind, summary } }: { readonly of: WhyEntry['cause'] }): JSX.Element {
  if (kind !== 'REQUEST' && kind !== 'CONTROL') return <span class="dim">{summary}</span>;
  return <PaneLink to={`calls/${id}`}>{summary}</PaneLink>;
}

/** How something came to be as it is, and what is planned for it. */
export function WhySections({ why }: { readonly why: Why }): JSX.Element {
  const { plan } = why;
  const of = (...kinds: WhyEntry['kind'][]) => why.entries.filter(({ kind }) => kinds.includes(kind));
  return (
    <>
      <Section title="Why">
        <ol class="entries">
          {of('STATE').map(({ at, what, reason, cause }) => (
            <li key={`${at}${what}`}>
              <time class="mono">{shortTime(at)}</time>
              <div>
                <Status of={what} /> by <Cause of={cause} />
                {reason !== null && (
                  <p class="dim">
                    <code>{reason.code}</code> {reason.message}
                  </p>
                )}
              </div>
            </li>
          ))}
        </ol>
      </Section>
      {plan !== null && (
        <Section title="Plan">
          <p>
            rule <b>{plan.rule}</b> <span class="dim">{plan.scenario}</span>
          </p>
          <ol class="entries">
            {plan.steps.map(({ after, what, outcome, skippedIn }, index) => (
              <li key={index}>
                <span class="mono">{after}</span>
                <div>
                  {what} <span class="dim">{skippedIn === null ? outcome.toLowerCase() : `skipped: not legal in ${skippedIn}`}</span>
                </div>
              </li>
            ))}
          </ol>
          {plan.isWaiting && <p class="dim">The rest waits until it is forced.</p>}
        </Section>
      )}
      {of('DELIVERY', 'ATTEMPT').length > 0 && (
        <Section title="Webhooks">
          <ol class="entries">
            {of('DELIVERY', 'ATTEMPT').map(({ at, kind, id, what }) => (
              <li key={`${at}${id}${what}`}>
                <time class="mono">{shortTime(at)}</time>
                <div>{kind === 'DELIVERY' && id !== null ? <PaneLink to={`deliveries/${id}`}>{what}</PaneLink> : what}</div>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {of('LEDGER').length > 0 && (
        <Section title="Ledger">
          <ol class="entries">
            {of('LEDGER').map(({ at, id, what }) => (
              <li key={id}>
                <time class="mono">{shortTime(at)}</time>
                <div>{what}</div>
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}
