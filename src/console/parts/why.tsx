import { afterText } from '../../contract/scenario/after-text.js';
import type { JSX } from 'preact';
import type { Why, WhyEntry } from '../../contract/control/analysis/why.js';
import { call, urlPath } from '../api.js';
import { Button } from './button.js';
import { shortTime } from './timestamp.js';
import { PaneLink } from './pane-link.js';
import { Section } from './section.js';
import { Status } from './status.js';
import { inWords } from './words.js';
import { withShortIds } from './uuids.js';

/** The cause of an entry, with a link if it is a request. */
function Cause({ of: { id, kind, summary } }: { readonly of: WhyEntry['cause'] }): JSX.Element {
  if (kind !== 'REQUEST' && kind !== 'CONTROL') return <span class="dim">{summary}</span>;
  return <PaneLink to={`calls/${id}`}>{withShortIds(summary)}</PaneLink>;
}

/** The statuses of a delivery in words. */
const deliveryWords: Readonly<Record<string, string>> = { SUCCESS: 'delivered', FAILED: 'failed', WAITING: 'waits', DUE: 'is sent' };

/** A sent event with its delivery status, and a button that resends it. */
function Event({ id, what }: { readonly id: string; readonly what: string }): JSX.Element {
  const [type = what, status = '', more = ''] = what.split(', ');
  return (
    <>
      <PaneLink to={`deliveries/${id}`}>{type}</PaneLink> <Status of={status} word={deliveryWords[status]} /> {more}{' '}
      <Button act={() => call('POST', urlPath`/deliveries/${id}/resend`, {})} done={`Resent ${type}.`} label={`Resend ${type}`}>
        Resend
      </Button>
    </>
  );
}

/** The history of a resource, and the steps that are planned for it. */
export function WhySections({ why }: { readonly why: Why }): JSX.Element {
  const { plan, notes } = why;
  const of = (...kinds: WhyEntry['kind'][]) => why.entries.filter(({ kind }) => kinds.includes(kind));
  /** A step counts as past too if the resource ended before the step, so the history decides. A payment is in no history. */
  const outcomeText = (what: string, outcome: string): string => {
    if (outcome !== 'PAST' || what === 'pay') return inWords(outcome);
    return of('STATE').some((entry) => entry.what === what) ? 'done' : 'not executed';
  };
  return (
    <>
      <Section title="Why">
        <ol class="entries">
          {of('STATE').map(({ at, what, reason, cause }, index, all) => (
            <li key={`${at}${what}`}>
              <time class="mono">{shortTime(at, all[index - 1]?.at)}</time>
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
      {notes.length > 0 && (
        <Section title="Notes">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Section>
      )}
      {of('REQUEST').length > 0 && (
        <Section title="Requests">
          <ol class="entries">
            {of('REQUEST').map(({ at, id, what }, index, all) => (
              <li key={`${at}${id}${what}`}>
                <time class="mono">{shortTime(at, all[index - 1]?.at)}</time>
                <div>{id === null ? what : <PaneLink to={`calls/${id}`}>{what}</PaneLink>}</div>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {plan !== null && (
        <Section title="Plan">
          <p>
            rule <b>{plan.rule}</b> <span class="dim">{plan.scenario}</span>
          </p>
          <ol class="entries">
            {plan.steps.map(({ after, what, outcome, skippedIn }, index) => (
              <li key={index}>
                <span class="mono">{afterText(after)}</span>
                <div>
                  {what}{' '}
                  <span class="dim">
                    {skippedIn === null ? outcomeText(what, outcome) : `skipped: not possible while ${inWords(skippedIn)}`}
                  </span>
                </div>
              </li>
            ))}
          </ol>
          {plan.isWaiting && <p class="dim">The remaining steps wait until you force them.</p>}
        </Section>
      )}
      {of('DELIVERY', 'ATTEMPT').length > 0 && (
        <Section title="Webhooks">
          <ol class="entries">
            {of('DELIVERY', 'ATTEMPT').map(({ at, kind, id, what }, index, all) => (
              <li key={`${at}${id}${what}`}>
                <time class="mono">{shortTime(at, all[index - 1]?.at)}</time>
                <div>{kind === 'DELIVERY' && id !== null ? <Event id={id} what={what} /> : what}</div>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {of('LEDGER').length > 0 && (
        <Section title="Ledger">
          <ol class="entries">
            {of('LEDGER').map(({ at, id, what }, index, all) => (
              <li key={id}>
                <time class="mono">{shortTime(at, all[index - 1]?.at)}</time>
                <div>{withShortIds(what)}</div>
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}
