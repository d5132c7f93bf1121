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
  summary: 'Hand something to a listener',
  description:
    'The URL that a subscription names; in front of it stands `internalUrl` of the status. The answer is what the listener answers with: its status, and its body as text. Where none is connected it is 503, and where none answers in two minutes 408.',
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
  summary: 'Receive the webhooks of a listener, wherever you are',
  description:
    'Server-sent events until you hang up: the `data` of each is an attempt, which waits for your answer until its own deadline; the first event is `ready`. While nobody is connected, attempts fail like at a closed port. After a lost connection, and after a start of the sandbox, they wait for as long as the setting `listenerGrace` says. The same `session` takes the place of its earlier connection and gets again what it has not answered: keep the ids of attempts that you are working on. Another one is refused unless it takes over. A reader that leaves 1,000 webhooks or 16 MiB unread is disconnected with a last event `end`, whose `data` has the `reason`; what waited for it gets no answer.',
  params,
  query: ListenQuerySchema,
  status: 200,
  eventStream: true,
  response: ListenedAttemptSchema,
  errors: ['LISTENER_TAKEN', 'RATE_LIMIT_EXCEEDED'],
});

export const answerAttemptRoute = defineRoute({
  operationId: 'answerAttempt',
  method: 'post',
  path: '/_sandbox/listeners/{listenerName}/attempts/{attemptId}/answer',
  tag,
  summary: 'Answer a webhook that a listener has received',
  description:
    'Status, latency and error are noted as those of an endpoint, and retries follow from them. An attempt is answered once; one that is over, or answered, is not found.',
  params: params.extend({
    attemptId: UuidSchema.meta({
      description: 'Id of the attempt, as the listener received it.',
      example: '28fce346-b290-441b-8521-3f3a341a8258',
    }),
  }),
  body: ListenerAnswerSchema,
  status: 204,
  response: null,
  errors: [],
});

/** In the order of the document. */
export const listenerRoutes = [postToListenerRoute, listenToAttemptsRoute, answerAttemptRoute] as const;
