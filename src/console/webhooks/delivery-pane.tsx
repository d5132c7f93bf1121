import type { JSX } from 'preact';
import type { Delivery } from '../../contract/control/deliveries.js';
import type { RecordEntry, RecordedAttempt } from '../../contract/control/mirror/record.js';
import { call } from '../api.js';
import { advance } from '../clock-bar.js';
import { Button } from '../parts/button.js';
import { useLoaded } from '../parts/loaded.js';
import { PaneLink } from '../parts/pane-link.js';
import { useShownKeys } from '../parts/shown-keys.js';
import { Facts, Section, Text } from '../parts/section.js';
import { shortTime } from '../parts/instant.js';
import { Status } from '../parts/status.js';
import { attempt, clock } from '../store.js';

const resend = (id: string) => call('POST', `/deliveries/${id}/resend`, {});

/** One event on its way to one subscription, with every attempt. */
export function DeliveryPane({ id }: { readonly id: string }): JSX.Element {
  const { value: page, error } = useLoaded<{ data: Delivery[] }>(`/deliveries?filters=${encodeURIComponent(`id[eq]=${id}`)}`, [
    'ATTEMPT',
    'DELIVERY',
    'JOB',
  ]);
  const filter = encodeURIComponent(`messageId[eq]=${id}`);
  const { value: record } = useLoaded<{ data: RecordEntry[] }>(`/requests?kind=ATTEMPT&chapter=all&limit=100&filters=${filter}`, [
    'ATTEMPT',
  ]);
  useShownKeys((key) => key === 'again' && void attempt(() => resend(id)));
  const delivery = page?.data[0];
  if (delivery === undefined)
    return <p role="status">{error ?? (page === null ? 'Loading…' : `There is no delivery ${id} in this world.`)}</p>;
  const { eventType, status, payload, resourceId, causeId, attempts, retries, synthetic, createdAt } = delivery;
  const next = clock.value?.nextTimerAt ?? null;
  const entries = (record?.data ?? []).filter((entry): entry is RecordedAttempt => entry.kind === 'ATTEMPT');
  return (
    <>
      <h2>
        {eventType}
        <Status of={status} />
      </h2>
      <div class="moves">
        <Button act={() => resend(id)} primary>
          Resend
        </Button>
        {status === 'WAITING' && next !== null && <Button act={() => advance({ to: next })}>Next timer now</Button>}
      </div>
      <Section title="Delivery">
        <Facts
          of={[
            ['message id', id],
            [
              'about',
              <PaneLink key="about" to={`why/${resourceId}`}>
                {resourceId}
              </PaneLink>,
            ],
            ['since', shortTime(createdAt)],
            ['attempts', `${attempts}, of them ${retries} retries`],
            ['cause', causeId],
            ...(synthetic ? ([['synthetic', 'an example, not the state of a resource']] as const) : []),
          ]}
        />
      </Section>
      <Section title="Attempts">
        {entries.length === 0 ? (
          <p class="dim">None that the record still has.</p>
        ) : (
          <ol class="entries">
            {entries.map((entry) => (
              <li key={entry.id}>
                <time class="mono">{entry.at === null ? '' : shortTime(entry.at)}</time>
                <div>
                  <PaneLink to={`calls/${entry.id}`}>{entry.which.toLowerCase()}</PaneLink> <Status of={String(entry.httpStatus)} />{' '}
                  <span class="dim">{entry.error ?? `${entry.durationMs} ms`}</span>
                </div>
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section title="Payload">
        <Text text={payload} label="Payload" />
      </Section>
    </>
  );
}
