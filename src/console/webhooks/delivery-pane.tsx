import type { JSX } from 'preact';
import type { DeliveryDetail } from '../../contract/control/deliveries.js';
import { curlOf } from '../../contract/shared/curl.js';
import { call, urlPath } from '../api.js';
import { advance } from '../clock-actions.js';
import { runAction, unchanged } from '../notices.js';
import { Button, CopyButton } from '../parts/button.js';
import { shortTime } from '../parts/timestamp.js';
import { useLoaded } from '../parts/loaded.js';
import { PaneLink } from '../parts/pane-link.js';
import { Facts, Section, Text } from '../parts/section.js';
import { useShownKeys } from '../parts/shown-keys.js';
import { Status } from '../parts/status.js';
import { effectWords } from '../scenarios/fault-words.js';
import { DeliveryStatus } from './delivery-status.js';

type LoggedAttempt = DeliveryDetail['log'][number];

const resend = (id: string) => call('POST', urlPath`/deliveries/${id}/resend`, {});

/** Returns the number and the kind of an attempt in words. */
const attemptWords = ({ attemptKind, number }: NonNullable<LoggedAttempt['recorded']>): string =>
  attemptKind === 'RESEND' ? 'resend on request' : `attempt ${number}${attemptKind === 'DUPLICATE' ? ', a copy by a rule' : ''}`;

/** Returns the last attempt as a curl command, with its recorded headers. */
function lastAttempt({ payload, log }: DeliveryDetail): string {
  const recorded = log.at(-1)?.recorded;
  const headers = Object.entries(recorded?.headers ?? {}).filter(([name]) => name !== 'host' && name !== 'content-length');
  return curlOf({ method: 'POST', url: recorded?.url ?? 'https://your-endpoint.example', headers, body: payload });
}

/** The delivery of one event to one subscription: each attempt with its error, and the next attempt. */
export function DeliveryPane({ id }: { readonly id: string }): JSX.Element {
  const { value: delivery, error } = useLoaded<DeliveryDetail>(urlPath`/deliveries/${id}`, ['ATTEMPT', 'DELIVERY', 'JOB']);
  useShownKeys((key) => {
    if (key === 'again') void runAction(() => resend(id), 'Resent the event.');
    else if (key === 'curl' && delivery !== null)
      void runAction(() => navigator.clipboard.writeText(lastAttempt(delivery)), 'Copied the last attempt as curl.');
  });
  if (delivery === null) return <p role="status">{error ?? 'Loading…'}</p>;
  const { eventType, status, payload, resourceId, causeId, attempts, retries, synthetic, createdAt, log, nextAttemptAt } = delivery;
  return (
    <>
      <h2>
        {eventType}
        <DeliveryStatus delivery={delivery} />
      </h2>
      <div class="moves">
        <Button act={() => resend(id)} done={`Resent ${eventType}.`} primary={nextAttemptAt === null}>
          Resend
        </Button>
        {nextAttemptAt !== null && (
          <Button act={() => advance({ to: nextAttemptAt })} done={unchanged} primary>
            Next attempt now
          </Button>
        )}
        {log.length > 0 && <CopyButton text={() => lastAttempt(delivery)}>Copy as curl</CopyButton>}
      </div>
      <Section title="Attempts">
        <ol class="entries">
          {log.toReversed().map((logged, index, all) => (
            <Attempt key={logged.id} logged={logged} above={all[index - 1]?.endedAt} />
          ))}
        </ol>
        {log.length === 0 && <p class="dim">No attempt has ended yet.</p>}
        {nextAttemptAt !== null && <p>The next attempt is at {shortTime(nextAttemptAt)}, world time.</p>}
        {nextAttemptAt === null && status === 'FAILED' && <p class="dim">No further attempt follows.</p>}
      </Section>
      <Section title="Delivery">
        <Facts
          of={[
            ['to', delivery.url ?? 'a subscription that was deleted'],
            ['message id', id],
            [
              'about',
              <PaneLink key="about" to={`why/${resourceId}`}>
                {resourceId}
              </PaneLink>,
            ],
            ['since', shortTime(createdAt)],
            ['attempts', retries === 0 ? String(attempts) : `${attempts}, of which ${retries} ${retries === 1 ? 'retry' : 'retries'}`],
            [
              'cause',
              /^(req|ctl)_/.test(causeId) ? (
                <PaneLink key="cause" to={`calls/${causeId}`}>
                  {causeId}
                </PaneLink>
              ) : (
                causeId
              ),
            ],
            ...(synthetic ? ([['synthetic', 'an example, not the state of a resource']] as const) : []),
          ]}
        />
      </Section>
      <Section title={`Sent, ${new TextEncoder().encode(payload).length} bytes`}>
        <Text text={payload} label="Payload" />
      </Section>
    </>
  );
}

/** An attempt with the response of the endpoint, and the effect that a rule had on the attempt, if they are recorded. @param above end of the attempt above */
function Attempt({ logged, above }: { readonly logged: LoggedAttempt; readonly above: string | undefined }): JSX.Element {
  const { id, endedAt, httpStatus, error, recorded } = logged;
  const answer = recorded?.response?.text ?? '';
  return (
    <li>
      <time class="mono">{shortTime(endedAt, above)}</time>
      <div>
        <Status of={String(httpStatus)} />{' '}
        {recorded === null ? (
          <span class="dim">{error ?? 'no longer recorded'}</span>
        ) : (
          <>
            <PaneLink to={`calls/${id}`}>{attemptWords(recorded)}</PaneLink> <span class="dim">{recorded.durationMs ?? 0} ms</span>
            {error !== null && <p class="bad-text">{error}</p>}
            {recorded.effect !== null && <p>A rule or a fault applied: the webhook {effectWords(recorded.effect)}.</p>}
            {answer !== '' && (
              <pre class="answered" tabIndex={0} role="region" aria-label="Response of the endpoint">
                {answer}
              </pre>
            )}
          </>
        )}
      </div>
    </li>
  );
}
