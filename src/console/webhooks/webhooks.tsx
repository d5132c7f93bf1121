import type { JSX } from 'preact';
import type { Delivery } from '../../contract/control/deliveries.js';
import { Cell } from '../parts/list.js';
import { PagedList } from '../parts/paged-list.js';
import { shortTime } from '../parts/instant.js';
import { Empty } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { go, place, show } from '../router.js';
import { failingDeliveries } from '../store.js';
import { SignatureForm } from './signature-form.js';
import { Subscriptions } from './subscriptions.js';

/** The attempts of a delivery as dots: those that failed, and one for an answer that was good. */
const dots = ({ attempts, status }: Delivery): string =>
  status === 'SUCCESS' ? `${'○'.repeat(Math.max(0, Math.min(attempts, 8) - 1))}●` : '○'.repeat(Math.min(attempts, 8));

/** Who gets webhooks, and what became of each. */
export function Webhooks(): JSX.Element {
  const { filters } = place.value.query;
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
        none={<Empty title={filters ? 'No delivery is like that' : 'No event was sent to anybody yet'} />}
        tools={
          <>
            <button
              type="button"
              class="pill"
              aria-pressed={filters === failingDeliveries}
              onClick={() => go({ query: { filters: filters === failingDeliveries ? '' : failingDeliveries } })}
            >
              Failing
            </button>
            <SignatureForm />
          </>
        }
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
