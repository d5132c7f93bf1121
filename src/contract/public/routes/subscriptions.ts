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
    'From now on each event of these resources is POSTed to the URL; what happened before is not sent. Any 2xx in time counts as received. Verify X-Message-Signature before anything else.',
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
  description: "The customer's subscriptions, newest first, with the events that each gets.",
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
  description: 'The subscription with the events that it gets, spelt out.',
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
  description: 'Each attempt to deliver an event to the subscription, newest first: what was sent, what came back, and what went wrong.',
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
  description: 'One attempt to deliver an event: what was sent, what came back, and what went wrong.',
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
    'Makes one new attempt with the same message id and the same bytes, which is logged like any other. No retries follow. Only an attempt that has failed can be resent.',
  params: ExecutionLogParams,
  status: 202,
  response: null,
  errors: ['RESOURCE_NOT_FOUND', 'DELIVERY_NOT_FAILED'],
});

/** In the order of the document. */
export const subscriptionRoutes = [
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  listExecutionLogsRoute,
  getExecutionLogRoute,
  resendExecutionLogRoute,
] as const;
