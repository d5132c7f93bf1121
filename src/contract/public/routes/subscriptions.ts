import { ExecutionLogParams, SubscriptionParams } from '../../shared/path-params.js';
import { ExecutionLogSchema, SubscriptionRequestSchema, SubscriptionSchema } from '../webhooks.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Webhooks';

export const createSubscriptionRoute = defineRoute({
  operationId: 'createSubscription',
  method: 'post',
  path: '/api/subscriptions',
  tag,
  summary: 'Subscribe a URL to events',
  description:
    'The sandbox POSTs each new event of these resources to the URL. Earlier events are not sent. Any 2xx response within the timeout confirms receipt. Verify X-Message-Signature before you trust an event.',
  body: SubscriptionRequestSchema,
  status: 201,
  location: '/api/subscriptions/{id}',
  response: SubscriptionSchema,
  errors: [],
});

export const listSubscriptionsRoute = defineList({
  operationId: 'listSubscriptions',
  path: '/api/subscriptions',
  tag,
  summary: 'List subscriptions',
  description: 'The subscriptions of the customer, newest first, with the events of each.',
  item: SubscriptionSchema,
  named: 'Subscription',
  plural: 'subscriptions',
  filters: 'subscriptions',
});

export const getSubscriptionRoute = defineRoute({
  operationId: 'getSubscription',
  method: 'get',
  path: '/api/subscriptions/{subscriptionId}',
  tag,
  summary: 'Get a subscription',
  description: 'The subscription with the full list of its events.',
  params: SubscriptionParams,
  status: 200,
  response: SubscriptionSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

export const listExecutionLogsRoute = defineList({
  operationId: 'listExecutionLogs',
  path: '/api/subscriptions/{subscriptionId}/executionLogs',
  tag,
  summary: 'List delivery attempts',
  description:
    'All attempts to deliver events to the subscription, newest first, with the body that was sent, the response status and the error.',
  params: SubscriptionParams,
  item: ExecutionLogSchema,
  named: 'ExecutionLog',
  plural: 'delivery attempts',
  filters: 'executionLogs',
  errors: ['RESOURCE_NOT_FOUND'],
});

export const getExecutionLogRoute = defineRoute({
  operationId: 'getExecutionLog',
  method: 'get',
  path: '/api/subscriptions/{subscriptionId}/executionLogs/{executionLogId}',
  tag,
  summary: 'Get a delivery attempt',
  description: 'One attempt to deliver an event, with the body that was sent, the response status and the error.',
  params: ExecutionLogParams,
  status: 200,
  response: ExecutionLogSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

export const resendExecutionLogRoute = defineRoute({
  operationId: 'resendExecutionLog',
  method: 'post',
  path: '/api/subscriptions/{subscriptionId}/executionLogs/{executionLogId}/resend',
  tag,
  summary: 'Resend a failed delivery',
  description:
    'Makes one new attempt with the same message id and the same bytes, and logs it. There are no retries. Only a failed attempt can be resent.',
  params: ExecutionLogParams,
  status: 202,
  response: null,
  errors: ['RESOURCE_NOT_FOUND', 'DELIVERY_NOT_FAILED'],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const subscriptionRoutes = [
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  listExecutionLogsRoute,
  getExecutionLogRoute,
  resendExecutionLogRoute,
] as const;
