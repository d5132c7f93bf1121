import { DeliveryDetailSchema, DeliverySchema, EventRequestSchema, FlushRequestSchema, FlushSchema, ProbeSchema } from '../deliveries.js';
import { DeliveryParams, SubscriptionParams } from '../../shared/path-params.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Webhooks';

export const listDeliveriesRoute = defineList({
  operationId: 'listDeliveries',
  path: '/_sandbox/deliveries',
  tag,
  summary: 'List webhook deliveries',
  description:
    'All deliveries of a world, newest first, with their status. A delivery is one event for one subscription. The execution logs of the subscription contain the attempts.',
  item: DeliverySchema,
  named: 'Delivery',
  plural: 'deliveries',
  filters: 'deliveries',
  client: 'world.deliveries',
  columns: { id: 'id', event: 'eventType', resource: 'resourceId', attempts: 'attempts', created: 'createdAt', status: 'status' },
});

export const getDeliveryRoute = defineRoute({
  operationId: 'getDelivery',
  method: 'get',
  path: '/_sandbox/deliveries/{deliveryId}',
  tag,
  summary: 'Get a delivery with all attempts',
  description:
    'The requests, responses and injected faults, and when the next attempt is due. Fields are null if the recording was evicted, or if recording is off.',
  params: DeliveryParams,
  status: 200,
  response: DeliveryDetailSchema,
  errors: [],
  client: 'delivery.get()',
});

export const fireEventRoute = defineRoute({
  operationId: 'fireEvent',
  method: 'post',
  path: '/_sandbox/events',
  tag,
  summary: 'Send an event now',
  description: 'Nothing else changes. The response lists the deliveries as they start. To wait for their attempts, use flush.',
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
  summary: 'Wait until no delivery attempt is open',
  description:
    'Does not wait for retries and delayed deliveries, which are sent at a later time. Fails with WAIT_TIMEOUT at the timeout. Do not call this from a webhook handler: it would wait for its own response.',
  body: FlushRequestSchema,
  status: 200,
  response: FlushSchema,
  errors: ['WAIT_TIMEOUT'],
  cli: {
    verb: 'flush',
    group: 'webhooks',
    summary: 'Wait until no webhook attempt is in progress.',
    timeout: 'timeoutMs',
    examples: [
      'crossborder-sandbox flush',
      'crossborder-sandbox flush --timeout 5s',
      'crossborder-sandbox complete @last && crossborder-sandbox flush --json',
    ],
    exits: { 4: 'attempts are still in progress' },
    line: 'No attempt is in progress; {waiting} scheduled for later.',
  },
});

export const resendDeliveryRoute = defineRoute({
  operationId: 'resendDelivery',
  method: 'post',
  path: '/_sandbox/deliveries/{deliveryId}/resend',
  tag,
  summary: 'Resend a delivery in any status',
  description: 'The message id and the bytes stay the same. There are no retries.',
  params: DeliveryParams,
  status: 200,
  response: DeliverySchema,
  errors: [],
  client: 'delivery.resend()',
  cli: {
    verb: 'resend',
    group: 'webhooks',
    summary: 'Send a delivery again, whether it succeeded or failed.',
    args: [{ name: 'id', field: 'deliveryId', idOf: 'delivery' }],
    examples: [
      'crossborder-sandbox resend @last',
      'crossborder-sandbox deliveries --quiet | crossborder-sandbox resend -',
      'crossborder-sandbox resend @last --json',
    ],
    line: '{id} {eventType} {resourceId}, {attempts#attempt}, {status}',
    id: '{id}',
  },
});

export const deleteSubscriptionRoute = defineRoute({
  operationId: 'deleteSubscription',
  method: 'delete',
  path: '/_sandbox/subscriptions/{subscriptionId}',
  tag,
  summary: 'Delete a subscription with its deliveries and logs',
  description: 'The public API has no such operation. Attempts in progress end normally; nothing more is sent.',
  params: SubscriptionParams,
  status: 204,
  response: null,
  errors: [],
  client: 'subscription.delete()',
});

export const probeSubscriptionRoute = defineRoute({
  operationId: 'probeSubscription',
  method: 'post',
  path: '/_sandbox/subscriptions/{subscriptionId}/probe',
  tag,
  summary: 'Test the connection to the endpoint of a subscription',
  description:
    'Checks from the sandbox whether the URL is allowed, the host name resolves, the port is open and the certificate is valid. The sandbox closes the connection without sending a request.',
  params: SubscriptionParams,
  status: 200,
  response: ProbeSchema,
  errors: [],
  client: 'subscription.probe()',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const deliveryRoutes = [
  fireEventRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  flushDeliveriesRoute,
  resendDeliveryRoute,
  deleteSubscriptionRoute,
  probeSubscriptionRoute,
] as const;
