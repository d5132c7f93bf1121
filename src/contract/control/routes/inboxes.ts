import { z } from '@hono/zod-openapi';
import { InboxAwaitQuerySchema, InboxAwaitedSchema, InboxNameSchema, InboxMessageSchema, InboxResponsesSchema } from '../deliveries.js';
import { defineList, defineRoute } from '../../shared/route.js';

const tag = 'Inboxes';

const params = z.object({ inboxName: InboxNameSchema });

export const postToInboxRoute = defineRoute({
  operationId: 'postToInbox',
  method: 'post',
  path: '/_sandbox/inbox/{inboxName}',
  tag,
  access: 'anywhere',
  summary: 'Receive a webhook',
  description:
    'Use this URL in a subscription, with any host name and port of the sandbox; the sandbox then delivers its webhooks without a network connection. Without `?world=`, the message belongs to the world of the subscription with this URL, or to the default world. Accepts any body from any sender, without a control token. Responds with the next configured response. Default: 200.',
  params,
  rawBody: true,
  status: 200,
  response: null,
  errors: ['INVALID_DATA', 'PAYLOAD_TOO_LARGE'],
});

export const listInboxMessagesRoute = defineList({
  operationId: 'listInboxMessages',
  path: '/_sandbox/inbox/{inboxName}/messages',
  tag,
  summary: 'List the messages of an inbox',
  description:
    'A world stores at most 2,000 messages and 16 Mi characters. Beyond that, the oldest messages of the fullest inbox are deleted, those without a valid signature first.',
  params,
  item: InboxMessageSchema,
  named: 'InboxMessage',
  plural: 'messages of an inbox',
  filters: 'messages',
  client: 'inbox.messages',
});

export const awaitInboxMessagesRoute = defineRoute({
  operationId: 'awaitInboxMessages',
  method: 'get',
  path: '/_sandbox/inbox/{inboxName}/await',
  tag,
  summary: 'Wait until an inbox has received enough messages',
  description: 'Earlier messages count too. At the timeout, `details.messages` of the error contains the received messages.',
  params,
  query: InboxAwaitQuerySchema,
  status: 200,
  response: InboxAwaitedSchema,
  errors: ['WAIT_TIMEOUT', 'RATE_LIMIT_EXCEEDED'],
});

export const getInboxResponsesRoute = defineRoute({
  operationId: 'getInboxResponses',
  method: 'get',
  path: '/_sandbox/inbox/{inboxName}/responses',
  tag,
  summary: 'Get the next responses of an inbox',
  description:
    'The remaining items of the configured list. `times` decreases with each message. If the list is empty, the inbox responds with 200.',
  params,
  status: 200,
  response: InboxResponsesSchema,
  errors: [],
  client: 'inbox.responses()',
});

export const putInboxResponsesRoute = defineRoute({
  operationId: 'putInboxResponses',
  method: 'put',
  path: '/_sandbox/inbox/{inboxName}/responses',
  tag,
  summary: 'Set the next responses of an inbox',
  description: 'The list replaces the rest of an earlier one. With an empty list, the inbox responds with 200.',
  params,
  body: InboxResponsesSchema,
  status: 200,
  response: InboxResponsesSchema,
  errors: [],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const inboxRoutes = [
  postToInboxRoute,
  listInboxMessagesRoute,
  awaitInboxMessagesRoute,
  getInboxResponsesRoute,
  putInboxResponsesRoute,
] as const;
