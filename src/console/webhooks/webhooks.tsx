import type { JSX } from 'preact';
import type { Delivery } from '../../contract/control/deliveries.js';
import type { Subscription } from '../../contract/public/webhooks.js';
import { eventTypes } from '../../contract/shared/event-types.js';
import { call, urlPath } from '../api.js';
import { countText } from '../notices.js';
import { DangerButton } from '../parts/button.js';
import { Id } from '../parts/id.js';
import { shortTime } from '../parts/timestamp.js';
import type { FilterChip } from '../parts/filter-chips.js';
import { Cell } from '../parts/list.js';
import { useLoaded } from '../parts/loaded.js';
import { PagedList } from '../parts/paged-list.js';
import { Empty } from '../parts/section.js';
import { address, show } from '../router.js';
import { failingDeliveries } from '../store.js';
import { DeliveryStatus } from './delivery-status.js';
import { SignatureForm } from './signature-form.js';
import { Subscriptions } from './subscriptions.js';

/** Returns a sign for each of the last eight attempts of a delivery: `✕` for a failed one, `✓` for success. */
const signs = ({ attempts, status }: Delivery): string =>
  status === 'SUCCESS' ? `${'✕'.repeat(Math.max(0, Math.min(attempts, 8) - 1))}✓` : '✕'.repeat(Math.min(attempts, 8));

/** Whether a delivery has an endpoint, and no attempt has succeeded, as in {@link failingDeliveries}. */
const isFailed = ({ status, attempts, url }: Delivery): boolean =>
  url !== null && (status === 'FAILED' || (status === 'WAITING' && attempts > 0));

/** A button that resends the failed ones of the shown deliveries, one after another, after a confirmation. */
function ResendFailed({ of }: { readonly of: readonly Delivery[] }): JSX.Element {
  const failed = of.filter(isFailed);
  const events = countText(failed.length, 'failed webhook');
  return (
    <DangerButton
      question={{
        title: `Resend ${events}`,
        text: `Each of these webhooks is sent once more to its endpoint, which has not accepted it yet: ${[...new Set(failed.map(({ url }) => url))].join(', ')}.`,
        verb: `Resend ${failed.length}`,
      }}
      act={async () => {
        for (const { id } of failed) await call('POST', urlPath`/deliveries/${id}/resend`, {});
        return `Resent ${events}. The list shows how the endpoint responded.`;
      }}
      impossible={failed.length === 0 ? 'No failed delivery is shown.' : undefined}
    >
      Resend {failed.length} failed…
    </DangerButton>
  );
}

const statuses: readonly Delivery['status'][] = ['DUE', 'WAITING', 'SUCCESS', 'FAILED'];

/** The webhook subscriptions and the deliveries. */
export function Webhooks(): JSX.Element {
  const filters = address.value.query['filters'] ?? '';
  const { value } = useLoaded<{ data: Subscription[] }>('/subscriptions?limit=100', ['REQUEST', 'WORLD', 'CONTROL']);
  const endpoints = (value?.data ?? []).map(({ id, url }) => [id, url] as const);
  const chips: readonly FilterChip[] = [
    { label: 'Status', field: 'status', values: statuses.map((status) => [status]) },
    { label: 'Kind', field: 'eventType', values: eventTypes.map((type) => [type]) },
    { label: 'Endpoint', field: 'subscriptionId', values: endpoints },
  ];
  return (
    <>
      <Subscriptions />
      <PagedList<Delivery>
        label="Deliveries"
        path="/deliveries"
        kinds={['DELIVERY', 'ATTEMPT']}
        fields="status[eq]=FAILED"
        chips={chips}
        failures={failingDeliveries}
        columns="128px minmax(168px, 1fr) minmax(0, 1fr) 88px 64px 168px"
        medium="88px minmax(168px, 1fr) minmax(0, 1fr) 168px"
        narrow="minmax(0, 1fr) max-content"
        heads={['~sent', 'event', '~endpoint', '~~about', '~~attempts', 'outcome']}
        pane={({ id }) => `deliveries/${id}`}
        choose={({ id }) => show(`deliveries/${id}`)}
        second={({ createdAt, url }, above) => `${shortTime(createdAt, above?.createdAt)} ${url ?? 'a deleted subscription'}`}
        none={<Empty title={filters ? 'No delivery matches' : 'No event was sent yet'} />}
        tools={(rows) => (
          <>
            <span class={rows.some(isFailed) ? '' : 'wide'}>
              <ResendFailed of={rows} />
            </span>
            <SignatureForm />
          </>
        )}
      >
        {(delivery, above) => (
          <>
            <Cell kind="time wide">{shortTime(delivery.createdAt, above?.createdAt)}</Cell>
            <Cell kind="what">{delivery.eventType}</Cell>
            <Cell kind="dim wide">
              <span title={delivery.url ?? undefined}>{delivery.url ?? 'a deleted subscription'}</span>
            </Cell>
            <Cell kind="wider">
              <Id of={delivery.resourceId} />
            </Cell>
            <Cell kind="wider">
              <span title={countText(delivery.attempts, 'attempt')} aria-label={countText(delivery.attempts, 'attempt')}>
                {signs(delivery)}
              </span>
            </Cell>
            <Cell>
              <DeliveryStatus delivery={delivery} />
            </Cell>
          </>
        )}
      </PagedList>
    </>
  );
}
