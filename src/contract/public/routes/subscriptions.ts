import { PageQuerySchema, pageSchema } from '../../shared/paging.js';
import { ExecutionLogParams, SubscriptionParams } from '../../shared/path-params.js';
import { ExecutionLogSchema, SubscriptionRequestSchema, SubscriptionSchema } from '../webhooks.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Webhooks';

export const createSubscriptionRoute = defineRoute({
  operationId: 'createSubscription',
  method: 'post',
  path: '/api/subscriptions',
  tag,
  summary: 'Subscribe a URL to events',
  body: SubscriptionRequestSchema,
  status: 201,
  response: SubscriptionSchema,
  errors: [],
});

export const listSubscriptionsRoute = defineRoute({
  operationId: 'listSubscriptions',
  method: 'get',
  path: '/api/subscriptions',
  tag,
  summary: 'List subscriptions',
  query: PageQuerySchema,
  status: 200,
  response: pageSchema(SubscriptionSchema).openapi('SubscriptionPage'),
  errors: ['INVALID_FILTER_FORMAT'],
});

export const getSubscriptionRoute = defineRoute({
  operationId: 'getSubscription',
  method: 'get',
  path: '/api/subscriptions/{subscriptionId}',
  tag,
  summary: 'Get a subscription',
  params: SubscriptionParams,
  status: 200,
  response: SubscriptionSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

export const listExecutionLogsRoute = defineRoute({
  operationId: 'listExecutionLogs',
  method: 'get',
  path: '/api/subscriptions/{subscriptionId}/executionLogs',
  tag,
  summary: 'List delivery attempts',
  params: SubscriptionParams,
  query: PageQuerySchema,
  status: 200,
  response: pageSchema(ExecutionLogSchema).openapi('ExecutionLogPage'),
  errors: ['INVALID_FILTER_FORMAT', 'RESOURCE_NOT_FOUND'],
});

export const getExecutionLogRoute = defineRoute({
  operationId: 'getExecutionLog',
  method: 'get',
  path: '/api/subscriptions/{subscriptionId}/executionLogs/{executionLogId}',
  tag,
  summary: 'Get a delivery attempt',
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
  description: 'Makes one new attempt with the same message id and the same bytes. No retries follow.',
  params: ExecutionLogParams,
  status: 202,
  response: null,
  errors: ['RESOURCE_NOT_FOUND', 'DELIVERY_NOT_FAILED'],
});
