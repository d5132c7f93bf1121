import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Probe } from '../../contract/control/deliveries.js';
import type { RecordEntry } from '../../contract/control/analysis/record.js';
import type { Subscription } from '../../contract/public/webhooks.js';
import { call, urlPath } from '../api.js';
import { canSend, callAsCurl, send, type ApiCall } from '../api-calls.js';
import { runAction } from '../notices.js';
import { Button, CopyButton, DangerButton } from '../parts/button.js';
import { entryTime } from '../parts/timestamp.js';
import { useLoaded } from '../parts/loaded.js';
import { PaneLink } from '../parts/pane-link.js';
import { Empty } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { inWords } from '../parts/words.js';
import { status } from '../store.js';
import { withSnapshot } from '../undo.js';

/** The webhook subscriptions: whether each endpoint is reachable, and its last response. */
export function Subscriptions(): JSX.Element {
  const { value, reload } = useLoaded<{ data: Subscription[] }>('/subscriptions?limit=100', ['REQUEST', 'WORLD', 'CONTROL']);
  const [isAdding, setAdding] = useState(false);
  if (value === null) return <p role="status" />;
  if (value.data.length === 0) {
    return (
      <Empty title="There are no subscriptions">
        <p>
          Subscribe your endpoint, an inbox of this sandbox, or an application on your machine with{' '}
          <code>crossborder-sandbox listen --forward-to localhost:3000/webhooks</code>:
        </p>
        <SubscribeForm done={reload} />
      </Empty>
    );
  }
  return (
    <ul class="cards" aria-label="Subscriptions">
      {value.data.map((subscription) => (
        <Card key={subscription.id} subscription={subscription} removed={reload} />
      ))}
      <li>
        {isAdding ? (
          <SubscribeForm done={() => (setAdding(false), reload())} />
        ) : (
          <button type="button" class="button" onClick={() => setAdding(true)}>
            Subscribe…
          </button>
        )}
      </li>
    </ul>
  );
}

function Card({
  subscription: { id, url, resources, allowRetry },
  removed,
}: {
  readonly subscription: Subscription;
  readonly removed: () => void;
}): JSX.Element {
  const [probe, setProbe] = useState<Probe | null>(null);
  const last = urlPath`/requests?kind=ATTEMPT&limit=1&filters=${`subscriptionId[eq]=${id}`}`;
  const { value } = useLoaded<{ data: RecordEntry[] }>(last, ['ATTEMPT']);
  const [answered] = value?.data ?? [];
  return (
    <li>
      <span class="grow">
        <b class="mono">{url}</b>{' '}
        <span class="dim">
          events: {resources.map(({ name, events }) => `${inWords(name)} (${events.length})`).join(', ')};{' '}
          {allowRetry ? 'with retries' : 'without retries'}
        </span>
        {answered?.kind === 'ATTEMPT' && (
          <>
            {' '}
            <span class="dim">· last response</span> <Status of={String(answered.httpStatus)} />{' '}
            <PaneLink to={`calls/${answered.id}`}>{entryTime(answered)}</PaneLink>
          </>
        )}
      </span>
      <span class="acts">
        <Button
          act={async () => {
            setProbe(await call<Probe>('POST', urlPath`/subscriptions/${id}/probe`, {}));
          }}
          done={null}
        >
          Test connection
        </Button>
        <DangerButton
          label={`Remove the subscription of ${url}`}
          question={{
            title: `Remove the subscription of ${url}`,
            text: 'The endpoint gets no more events, and its deliveries are deleted. A snapshot is taken first, so you can undo this.',
            verb: 'Remove the subscription',
          }}
          act={async () => {
            const outcome = await withSnapshot('remove', `Removed the subscription of ${url}.`, () =>
              call('DELETE', urlPath`/subscriptions/${id}`),
            );
            removed();
            return outcome;
          }}
        >
          Remove…
        </DangerButton>
      </span>
      {probe !== null && <ProbeResult probe={probe} />}
    </li>
  );
}

/** Subscribes a URL to all events, as the client of the world does. */
function SubscribeForm({ done }: { readonly done: () => void }): JSX.Element {
  const [url, setUrl] = useState(`${status.value?.internalUrl ?? location.origin}/_sandbox/inbox/orders`);
  const body = JSON.stringify({ url, includeAll: true, allowRetry: true });
  const subscribe: ApiCall = { plane: 'public', method: 'POST', path: '/api/subscriptions', body, key: crypto.randomUUID() };
  const run = () =>
    runAction(async () => {
      const { status: answered, text } = await send(subscribe);
      if (answered >= 400) throw new Error(text);
      done();
    }, `Subscribed ${url} to all events.`);
  return (
    <form class="moves" onSubmit={(event) => (event.preventDefault(), void run())}>
      <input
        type="url"
        class="url"
        aria-label="URL of the endpoint"
        value={url}
        onInput={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      {canSend() && (
        <button type="submit" class="button primary">
          Subscribe
        </button>
      )}
      <CopyButton text={() => callAsCurl(subscribe)}>Copy as curl</CopyButton>
    </form>
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
