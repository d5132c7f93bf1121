import { DeliveryDetailSchema, DeliverySchema, EventRequestSchema, FlushRequestSchema, FlushSchema, ProbeSchema } from '../deliveries.js';
import { DeliveryParams, SubscriptionParams } from '../../shared/path-params.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Webhooks';

export const listDeliveriesRoute = defineList({
  operationId: 'listDeliveries',
  path: '/_sandbox/deliveries',
  tag,
  summary: 'List deliveries: one event to one subscription each',
  description:
    'All deliveries of a world, newest first, with how far each has come. The attempts are in the execution logs of the subscription.',
  item: DeliverySchema,
  named: 'Delivery',
  plural: 'deliveries',
  filters: 'deliveries',
});

export const getDeliveryRoute = defineRoute({
  operationId: 'getDelivery',
  method: 'get',
  path: '/_sandbox/deliveries/{deliveryId}',
  tag,
  summary: 'Show a delivery with every attempt',
  description:
    'What was sent, answered and struck, and when the next attempt is due. What the record has dropped to make room is null, as is everything where nothing is recorded.',
  params: DeliveryParams,
  status: 200,
  response: DeliveryDetailSchema,
  errors: [],
});

export const fireEventRoute = defineRoute({
  operationId: 'fireEvent',
  method: 'post',
  path: '/_sandbox/events',
  tag,
  summary: 'Send an event on demand',
  description: 'Nothing else changes. The answer lists the deliveries as they set out; flush waits for their attempts.',
  body: EventRequestSchema,
  status: 200,
  response: listDeliveriesRoute.response,
  errors: [],
});

export const flushDeliveriesRoute = defineRoute({
  operationId: 'flushDeliveries',
  method: 'post',
  path: '/_sandbox/deliveries/flush',
  tag,
  summary: 'Wait until no attempt is open',
  description:
    'Retries and deliveries that are held back have their own time and are not waited for. WAIT_TIMEOUT when the time is over; a handler of webhooks that calls this waits for itself.',
  body: FlushRequestSchema,
  status: 200,
  response: FlushSchema,
  errors: ['WAIT_TIMEOUT'],
});

export const resendDeliveryRoute = defineRoute({
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

export const deleteSubscriptionRoute = defineRoute({
  operationId: 'deleteSubscription',
  method: 'delete',
  path: '/_sandbox/subscriptions/{subscriptionId}',
  tag,
  summary: 'Delete a subscription with its deliveries and logs',
  description: 'The public API has no such call. Attempts under way end; nothing more is sent.',
  params: SubscriptionParams,
  status: 204,
  response: null,
  errors: [],
});

export const probeSubscriptionRoute = defineRoute({
  operationId: 'probeSubscription',
  method: 'post',
  path: '/_sandbox/subscriptions/{subscriptionId}/probe',
  tag,
  summary: 'Try whether the sandbox can reach the endpoint of a subscription',
  description:
    'From where the sandbox runs: whether the URL is allowed, its name known, the port open, the certificate good. The connection is closed again; nothing is sent over it.',
  params: SubscriptionParams,
  status: 200,
  response: ProbeSchema,
  errors: [],
});

/** In the order of the document. */
export const deliveryRoutes = [
  fireEventRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  flushDeliveriesRoute,
  resendDeliveryRoute,
  deleteSubscriptionRoute,
  probeSubscriptionRoute,
] as const;
