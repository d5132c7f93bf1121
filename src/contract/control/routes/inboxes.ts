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
    'Use this URL as that of a subscription, at any name and port by which you reach the sandbox: what is sent there is handed over without a connection. Without `?world=` the message is for the world of the subscription that has this URL, else for the default one. It takes any body from anywhere, without a control token, and answers as its responses say, else 200.',
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
  summary: 'List what an inbox has received',
  description: 'A world keeps its newest 2,000 messages, and at most 16 Mi characters of them.',
  params,
  item: InboxMessageSchema,
  named: 'InboxMessage',
  plural: 'messages that an inbox has received',
  filters: 'messages',
});

export const awaitInboxMessagesRoute = defineRoute({
  operationId: 'awaitInboxMessages',
  method: 'get',
  path: '/_sandbox/inbox/{inboxName}/await',
  tag,
  summary: 'Wait until enough messages have arrived',
  description: 'What had arrived before counts. When time is up, `details.messages` of the error holds what came.',
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
  summary: 'Show how an inbox answers from now on',
  description: 'What is left of the list that was put there: `times` counts down with each message. Empty when it answers 200.',
  params,
  status: 200,
  response: InboxResponsesSchema,
  errors: [],
});

export const putInboxResponsesRoute = defineRoute({
  operationId: 'putInboxResponses',
  method: 'put',
  path: '/_sandbox/inbox/{inboxName}/responses',
  tag,
  summary: 'Decide how an inbox answers from now on',
  description: 'The list takes the place of what was left of an earlier one; an empty list lets the inbox answer 200 again.',
  params,
  body: InboxResponsesSchema,
  status: 200,
  response: InboxResponsesSchema,
  errors: [],
});

/** In the order of the document. */
export const inboxRoutes = [
  postToInboxRoute,
  listInboxMessagesRoute,
  awaitInboxMessagesRoute,
  getInboxResponsesRoute,
  putInboxResponsesRoute,
] as const;
