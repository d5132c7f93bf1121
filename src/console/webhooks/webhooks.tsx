import type { JSX } from 'preact';
import type { z } from 'zod';
import { useState } from 'preact/hooks';
import type { Delivery, Probe } from '../../contract/control/deliveries.js';
import type { SubscriptionSchema } from '../../contract/public/webhooks.js';
import { call } from '../api.js';
import { Button } from '../parts/button.js';
import { Cell } from '../parts/list.js';
import { useLoaded } from '../parts/loaded.js';
import { PagedList } from '../parts/paged-list.js';
import { shortTime } from '../parts/instant.js';
import { Empty } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { show } from '../router.js';
import { SignatureForm } from './signature-form.js';

type Subscription = z.infer<typeof SubscriptionSchema>;

/** The attempts of a delivery as dots: those that failed, and one for an answer that was good. */
const dots = ({ attempts, status }: Delivery): string =>
  status === 'SUCCESS' ? `${'○'.repeat(Math.max(0, Math.min(attempts, 8) - 1))}●` : '○'.repeat(Math.min(attempts, 8));

/** Who gets webhooks, and what became of each. */
export function Webhooks(): JSX.Element {
  return (
    <>
      <Subscriptions />
      <PagedList<Delivery>
        label="Deliveries"
        path="/deliveries"
        kinds={['DELIVERY', 'ATTEMPT']}
        fields="status[eq]=FAILED"
        columns="92px minmax(120px, 1fr) 84px 92px 112px"
        narrow="84px minmax(0, 1fr) 96px"
        heads={['sent', 'event', '~about', '~attempts', 'outcome']}
        pane={({ id }) => `deliveries/${id}`}
        choose={({ id }) => show(`deliveries/${id}`)}
        none={<Empty title="No event was sent to anybody yet" />}
        tools={<SignatureForm />}
      >
        {(delivery) => (
          <>
            <Cell kind="time">{shortTime(delivery.createdAt)}</Cell>
            <Cell kind="what">{delivery.eventType}</Cell>
            <Cell kind="mono wide">{delivery.resourceId.slice(0, 8)}</Cell>
            <Cell kind="wide">
              <span aria-label={`${delivery.attempts} attempts`}>{dots(delivery)}</span>
            </Cell>
            <Cell>
              <Status of={delivery.status} />
            </Cell>
          </>
        )}
      </PagedList>
    </>
  );
}

function Subscriptions(): JSX.Element {
  const { value, reload } = useLoaded<{ data: Subscription[] }>('/subscriptions?limit=100', ['REQUEST', 'WORLD', 'CONTROL']);
  const [probes, setProbes] = useState<Readonly<Record<string, Probe>>>({});
  if (value === null) return <p role="status" />;
  if (value.data.length === 0) {
    return (
      <Empty title="Nobody has subscribed to events">
        <p>
          POST /api/subscriptions with the URL of your endpoint, or with that of an inbox here:{' '}
          <code>{`${location.origin}/_sandbox/inbox/orders`}</code>. The command line connects one on your machine:{' '}
          <code>crossborder-sandbox listen --forward-to localhost:3000/webhooks</code>.
        </p>
      </Empty>
    );
  }
  const probe = async (id: string) => {
    const result = await call<Probe>('POST', `/subscriptions/${id}/probe`, {});
    setProbes((now) => ({ ...now, [id]: result }));
  };
  return (
    <ul class="cards" aria-label="Subscriptions">
      {value.data.map(({ id, url, resources, allowRetry }) => (
        <li key={id}>
          <b class="mono">{url}</b>{' '}
          <span class="dim">
            {resources.map(({ name, events }) => `${events.length} of ${name.toLowerCase()}`).join(', ')},{' '}
            {allowRetry ? 'with retries' : 'without retries'}
          </span>
          <span class="space" />
          <Button act={() => probe(id)}>Probe</Button>
          <Button act={() => call('DELETE', `/subscriptions/${id}`).then(reload)} destructive>
            Remove
          </Button>
          {probes[id] !== undefined && <ProbeResult probe={probes[id]} />}
        </li>
      ))}
    </ul>
  );
}

function ProbeResult({ probe: { reachable, steps, via } }: { readonly probe: Probe }): JSX.Element {
  return (
    <p role="status" class="probe">
      <Status of={reachable ? 'SUCCESS' : 'FAILED'} word={reachable ? 'reachable' : 'not reachable'} />{' '}
      {steps.length === 0
        ? `An ${via.toLowerCase()} of this sandbox.`
        : steps.map(({ step, ok, detail }) => `${step.toLowerCase()}: ${ok ? 'ok' : 'no'}, ${detail}`).join(' · ')}
    </p>
  );
}
