import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema, orNull } from '../shared/common.js';
import { patternSchema, whole } from '../shared/messages/forms.js';
import { WaitMsSchema, onePageMeta, queryInteger } from '../shared/paging.js';
import { RecordedAttemptSchema } from './analysis/record.js';
import { EventTypeSchema, SentEventTypeSchema } from '../public/webhooks.js';

/** Webhook data that the public API does not show. */

/** Maximum size of an event payload in a request, in bytes of JSON. */
const maxEventBytes = 65_536;

export const EventRequestSchema = z
  .strictObject({
    eventType: EventTypeSchema.describe('Type of the event that the webhook reports.'),
    resourceId: UuidSchema.optional().meta({
      description:
        'Id of the resource of the event: an operation, a beneficiary or its payment instruction, or an account. If the present status of the resource caused this event, the original payload is sent. Otherwise the payload shows the resource in its state right after the event, with the header `X-Sandbox-Synthetic: true`. Default: a complete example is sent, also with this header.',
    }),
    subscriptionId: UuidSchema.optional().meta({
      description:
        'The only subscription to send to, even if it does not include the event type. Default: all subscriptions that include it.',
    }),
    payload: z
      .record(z.string(), z.unknown())
      .refine((payload) => new TextEncoder().encode(JSON.stringify(payload)).length <= maxEventBytes, {
        message: `expected a payload of at most ${maxEventBytes} bytes as JSON`,
        params: { code: 'OUT_OF_RANGE', params: { maximum: maxEventBytes } },
      })
      .optional()
      .meta({
        description: `Overrides parts of the payload: objects are merged, all other values replace. At most ${maxEventBytes} bytes as JSON.`,
      }),
  })
  .openapi('EventRequest', { description: 'An event to send now.', example: { eventType: 'OPERATION_COMPLETED' } });

export type EventRequest = z.output<typeof EventRequestSchema>;

export const deliveryStatuses = ['DUE', 'WAITING', 'SUCCESS', 'FAILED'] as const;

export const DeliverySchema = z
  .object({
    id: UuidSchema.meta({ description: 'Id of the delivery: X-Message-Id of every attempt.' }),
    subscriptionId: UuidSchema.describe('The subscription that receives the event.'),
    url: orNull(z.string()).describe('URL of the subscription; null if it was deleted.'),
    eventType: SentEventTypeSchema.describe('Type of the event that the webhook reports.'),
    resourceId: UuidSchema.describe('Id of the operation, payment instruction or account of the event.'),
    payload: z
      .string()
      .meta({ description: 'The body of every attempt, as a string. Fields from the effect `unknownFields` are not included.' }),
    synthetic: z
      .boolean()
      .meta({ description: 'True if the payload is an example, or shows the resource with a status that it does not have.' }),
    status: z
      .enum(deliveryStatuses)
      .openapi('DeliveryStatus', {
        description:
          'DUE: an attempt is due or in progress. WAITING: the next attempt is scheduled. SUCCESS: the endpoint responded with 2xx. FAILED: there are no more automatic attempts.',
      })
      .describe('Progress of the delivery.'),
    attempts: z.number().int().meta({ description: 'Number of attempts that have ended.' }),
    retries: z.number().int().meta({ description: 'Number of ended attempts that were retries.' }),
    nextAttemptAt: orNull(TimestampSchema).meta({
      description: 'World time of the next attempt; null if none is scheduled.',
    }),
    causeId: z.string().meta({ description: 'Id of the cause of the event, for use with `why`.' }),
    createdAt: TimestampSchema.describe('Time of the event.'),
    updatedAt: TimestampSchema.describe('Time of the last change by an attempt.'),
  })
  .openapi('Delivery', { description: 'The delivery of one event to one subscription.' });

export type Delivery = z.infer<typeof DeliverySchema>;

const LoggedAttemptSchema = z
  .object({
    id: UuidSchema.meta({ description: 'Id of the execution log, for use with `why` and the recorded requests.' }),
    startedAt: TimestampSchema.describe('World time at which the attempt started.'),
    endedAt: TimestampSchema.describe('World time at which the response arrived or the attempt failed.'),
    status: z
      .enum(['SUCCESS', 'FAILED'])
      .openapi('AttemptStatus', { description: 'SUCCESS if the endpoint responded with 2xx.' })
      .describe('Result of the attempt.'),
    httpStatus: z.number().int().meta({ description: 'HTTP status of the response; 0 if there was none.' }),
    error: orNull(z.string()).meta({ description: 'The error as a sentence; null on success.' }),
    recorded: orNull(RecordedAttemptSchema).meta({
      description: 'Request, response, duration and injected fault; null if the recording was evicted.',
    }),
  })
  .openapi('LoggedAttempt', { description: 'A finished attempt of a delivery.' });

/** Maximum number of attempts in a delivery. */
export const maxLoggedAttempts = 100;

export const DeliveryDetailSchema = DeliverySchema.extend({
  log: z.array(LoggedAttemptSchema).max(maxLoggedAttempts).meta({ description: 'Attempts, oldest first; at most the latest 100.' }),
}).openapi('DeliveryDetail', { description: 'The delivery of one event to one subscription, with all attempts.' });

export type DeliveryDetail = z.infer<typeof DeliveryDetailSchema>;

export const ProbeSchema = z
  .object({
    subscriptionId: UuidSchema.describe('The subscription whose URL was tested.'),
    url: z.string().describe('URL to which the sandbox tried to connect.'),
    via: z
      .enum(['NETWORK', 'INBOX', 'LISTENER'])
      .openapi('ProbeWay', {
        description:
          'NETWORK: over a connection. INBOX: to an inbox of this sandbox, in the same process. LISTENER: to a listener, which is reachable while it is connected.',
      })
      .describe('How webhooks reach the URL.'),
    reachable: z.boolean().meta({ description: 'Whether a webhook would reach the endpoint. Its response is not tested.' }),
    steps: z
      .array(
        z
          .object({
            step: z
              .enum(['POLICY', 'DNS', 'CONNECT', 'TLS'])
              .openapi('ProbeStepName', {
                description:
                  'POLICY: the URL policy allows the URL. DNS: the host name resolves. CONNECT: the connection opens. TLS: the handshake succeeds and the certificate is valid.',
              })
              .describe('Part of the connection that was tested.'),
            ok: z.boolean().describe('Whether the step succeeded. The test stops at the first failure.'),
            durationMs: z.number().meta({ description: 'Duration in milliseconds of real time.' }),
            detail: z.string().meta({ description: 'The result: the addresses, or the problem and how to fix it.' }),
          })
          .openapi('ProbeStep', { description: 'A step of a connection test.' }),
      )
      .max(4)
      .meta({ description: 'The steps in order, up to the first failed one. Empty for an inbox or a listener.' }),
  })
  .openapi('Probe', { description: 'Whether the sandbox can reach the endpoint of a subscription.' });

export type Probe = z.infer<typeof ProbeSchema>;
export type ProbeStep = Probe['steps'][number];

export const FlushRequestSchema = z
  .strictObject({
    timeoutMs: whole(0, 600_000).default(60_000).meta({ description: 'Maximum time to wait, in milliseconds of real time.' }),
  })
  .openapi('FlushRequest', { description: 'The maximum time to wait for open attempts.', example: { timeoutMs: 5000 } });

export const FlushSchema = z
  .object({
    waiting: z
      .number()
      .int()
      .meta({ description: 'Number of scheduled attempts, which flush does not wait for: retries and delayed deliveries.' }),
  })
  .openapi('Flush', { description: 'The scheduled attempts that remain after all open attempts have ended.' });

export const InboxNameSchema = patternSchema(
  /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/,
  'a name of 1 to 64 letters, digits, dots, hyphens and underscores that does not start with a dot',
  'orders',
).meta({
  description:
    'Name of the inbox: 1 to 64 letters, digits, dots, hyphens and underscores. The first use creates the inbox. The name must not start with a dot, because URLs drop the segments `.` and `..`.',
  example: 'orders',
});

export const InboxMessageSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the message within its world, as in the stream.', example: 'orders/17' }),
    headers: z.record(z.string(), z.string()).meta({ description: 'The headers of the request, by name in lower case.' }),
    body: z.string().describe('The body of the request, as a string.'),
    signatureValid: z.boolean().meta({
      description: 'True if both signatures are valid for the credentials of the world and at most five minutes old.',
    }),
    receivedAt: TimestampSchema.describe('World time at which the message arrived.'),
  })
  .openapi('InboxMessage', { description: 'A request that an inbox received.' });

export type InboxMessage = z.infer<typeof InboxMessageSchema>;

export const InboxAwaitedSchema = z
  .object({
    data: z.array(InboxMessageSchema).max(2000).meta({ description: 'The matching messages so far, oldest first.' }),
    meta: onePageMeta(),
  })
  .openapi('InboxAwaited', { description: 'The messages at the end of a wait.' });

export const InboxAwaitQuerySchema = z.object({
  eventType: SentEventTypeSchema.optional().meta({
    description: 'Wait only for events of this type. Default: all types.',
    example: 'OPERATION_COMPLETED',
  }),
  resourceId: UuidSchema.optional().meta({
    description: 'Wait only for events of this resource: the id of an operation, beneficiary, instruction or account in the body.',
    example: 'b64c5118-f6d4-4569-84de-3908b37d019f',
  }),
  count: queryInteger(1, 1000).default(1).meta({ description: 'Number of messages to wait for.' }),
  timeoutMs: WaitMsSchema,
});

export const InboxResponsesSchema = z
  .array(
    z
      .strictObject({
        status: whole(200, 599).describe('HTTP status of the response.'),
        delayMs: whole(0, 60_000).default(0).meta({ description: 'Delay before the response, in milliseconds of real time.' }),
        times: whole(1, 1_000_000).default(1).meta({ description: 'Number of messages that get this response.' }),
      })
      .openapi('InboxResponse', { description: 'A response, and how often it is used.' }),
  )
  .max(100)
  .openapi('InboxResponses', {
    description: 'The next responses of an inbox: each item in order, as often as its `times`. After them, the inbox responds with 200.',
    example: [{ status: 500, times: 2 }] as never,
  });

export type InboxResponse = z.output<typeof InboxResponsesSchema>[number];
