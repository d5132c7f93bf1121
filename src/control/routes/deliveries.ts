import { PageQuerySchema } from '../../contract/shared/common.js';
import { DeliveryPageSchema, DeliverySchema, EventRequestSchema, FlushSchema } from '../../contract/control/deliveries.js';
import { DeliveryParams, SubscriptionParams } from '../../contract/shared/path-params.js';
import { deliveryView, type DeliveryRecord } from '../../domain/webhooks/delivery.js';
import { instantFilters } from '../../domain/lists/common-fields.js';
import { decimal, flag, text, type FilterFields } from '../../domain/lists/fields.js';
import { deleteSubscription } from '../../services/webhooks/delete-subscription.js';
import { fireEvent } from '../../services/webhooks/fire-event.js';
import { resendDelivery } from '../../services/webhooks/resend-delivery.js';
import { page } from '../../web/page.js';
import { defineRoute } from '../../web/route.js';
import { nextTurn } from '../../world/turns.js';
import type { ControlPlane } from '../plane.js';

const tag = 'Webhooks';

const fireEventRoute = defineRoute({
  operationId: 'fireEvent',
  method: 'post',
  path: '/_sandbox/events',
  tag,
  summary: 'Send an event on demand',
  description: 'Nothing else changes. The answer lists the deliveries as they set out; flush waits for their attempts.',
  body: EventRequestSchema,
  status: 200,
  response: DeliveryPageSchema,
  errors: [],
});

const listDeliveries = defineRoute({
  operationId: 'listDeliveries',
  method: 'get',
  path: '/_sandbox/deliveries',
  tag,
  summary: 'List deliveries: one event to one subscription each',
  query: PageQuerySchema,
  status: 200,
  response: DeliveryPageSchema,
  errors: ['INVALID_FILTER_FORMAT'],
});

const flushDeliveries = defineRoute({
  operationId: 'flushDeliveries',
  method: 'post',
  path: '/_sandbox/deliveries/flush',
  tag,
  summary: 'Wait until no attempt is open',
  description: 'Retries and deliveries that are held back have their own time and are not waited for.',
  status: 200,
  response: FlushSchema,
  errors: [],
});

const resendDeliveryRoute = defineRoute({
  operationId: 'resendDelivery',
  method: 'post',
  path: '/_sandbox/deliveries/{deliveryId}/resend',
  tag,
  summary: 'Send a delivery once more, whatever became of it',
  description: 'The message id and the bytes stay the same. No retries follow.',
  params: DeliveryParams,
  status: 200,
  response: DeliverySchema,
  errors: [],
});

const deleteSubscriptionRoute = defineRoute({
  operationId: 'deleteSubscription',
  method: 'delete',
  path: '/_sandbox/subscriptions/{subscriptionId}',
  tag,
  summary: 'Delete a subscription with its deliveries and logs',
  params: SubscriptionParams,
  status: 204,
  response: null,
  errors: [],
});

/** The fields that deliveries can be filtered by. */
export const deliveryFilters: FilterFields<DeliveryRecord> = {
  id: text(({ id }) => id),
  subscriptionId: text(({ subscriptionId }) => subscriptionId),
  eventType: text(({ eventType }) => eventType),
  resourceId: text(({ resourceId }) => resourceId),
  status: text(({ status }) => status),
  attempts: decimal(({ attempts }) => attempts),
  retries: decimal(({ retries }) => retries),
  synthetic: flag(({ synthetic }) => synthetic),
  causeId: text(({ causeId }) => causeId),
  ...instantFilters,
};

export function serveDeliveries(plane: ControlPlane): void {
  const { deliverer } = plane.sandbox;
  plane.serve(fireEventRoute, async ({ body, write }) => {
    const deliveries = await write((uow) => fireEvent(uow, body));
    return { data: deliveries.map(deliveryView), meta: { previousCursor: null, nextCursor: null, total: deliveries.length } };
  });
  plane.serve(listDeliveries, ({ world, query }) =>
    world().read((uow) => page(uow.list('deliveries'), query, `${uow.identity.name}/deliveries`, deliveryFilters, deliveryView)),
  );
  plane.serve(flushDeliveries, async ({ world }) => {
    const target = world();
    await deliverer.flush(target);
    return { waiting: [...target.state.jobs.values()].filter(({ verb }) => verb !== 'step').length };
  });
  plane.serve(resendDeliveryRoute, ({ params: { deliveryId: id }, write }) =>
    write((uow) => deliveryView(resendDelivery(uow, { messageId: id }))),
  );
  plane.serve(deleteSubscriptionRoute, async ({ params: { subscriptionId }, write }) => {
    while (!(await write((uow) => deleteSubscription(uow, { subscriptionId })))) await nextTurn();
  });
}
