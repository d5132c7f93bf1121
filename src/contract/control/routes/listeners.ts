import { z } from '@hono/zod-openapi';
import { ListenQuerySchema, ListenedAttemptSchema, ListenerAnswerSchema, ListenerNameSchema } from '../listeners.js';
import { UuidSchema } from '../../shared/common.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Listeners';

const params = z.object({ listenerName: ListenerNameSchema });

export const postToListenerRoute = defineRoute({
  operationId: 'postToListener',
  method: 'post',
  path: '/_sandbox/listeners/{listenerName}',
  tag,
  access: 'anywhere',
  summary: 'Send a request to a listener',
  description:
    'Use this path in a subscription, after `internalUrl` from the status of the sandbox. Returns the response of the listener: its status, and its body as a string. Returns 503 if no listener is connected, and 408 if it does not respond within two minutes.',
  params,
  rawBody: true,
  status: 200,
  response: null,
  errors: ['PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE', 'WAIT_TIMEOUT'],
});

export const listenToAttemptsRoute = defineRoute({
  operationId: 'listenToAttempts',
  method: 'get',
  path: '/_sandbox/listeners/{listenerName}/attempts',
  tag,
  summary: 'Receive the webhooks of a listener as a stream',
  description:
    'Server-sent events until you disconnect. The first event is `ready`. The `data` of each other event is an attempt, which waits for your response until its deadline. While no client is connected, attempts fail as at a closed port. After a lost connection or a start of the sandbox, they wait for the time in the setting `listenerGrace`. A new connection with the same `session` replaces the earlier one and receives unanswered attempts again, so remember the ids of attempts in progress. Another session is rejected unless it takes over. A client that leaves 1,000 webhooks or 16 MiB unread is disconnected with a last event `end`, whose `data` has the `reason`. Its unanswered attempts get no response.',
  params,
  query: ListenQuerySchema,
  status: 200,
  eventStream: true,
  response: ListenedAttemptSchema,
  errors: ['LISTENER_TAKEN', 'RATE_LIMIT_EXCEEDED'],
});

export const respondToAttemptRoute = defineRoute({
  operationId: 'respondToAttempt',
  method: 'post',
  path: '/_sandbox/listeners/{listenerName}/attempts/{attemptId}/response',
  tag,
  summary: 'Respond to a webhook that a listener received',
  description:
    'Status, latency and error are logged as for any endpoint, and decide about retries. An attempt accepts one response. Returns 404 for an attempt that has ended or already has a response.',
  params: params.extend({
    attemptId: UuidSchema.meta({
      description: 'Id of the attempt, from the event that the listener received.',
      example: '28fce346-b290-441b-8521-3f3a341a8258',
    }),
  }),
  body: ListenerAnswerSchema,
  status: 204,
  response: null,
  errors: [],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const listenerRoutes = [postToListenerRoute, listenToAttemptsRoute, respondToAttemptRoute] as const;
