import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema, orNull } from '../shared/common.js';
import { form, whole } from '../shared/messages/forms.js';
import { WaitMsSchema, onePageMeta, queryInteger } from '../shared/paging.js';
import { RecordedAttemptSchema } from './mirror/record.js';
import { EventTypeSchema } from '../public/webhooks.js';

/** What the control plane knows of webhooks beyond the public API. */

/** How many bytes the payload that a request gives for an event has at most, as JSON. */
const maxEventBytes = 65_536;

export const EventRequestSchema = z
  .strictObject({
    eventType: EventTypeSchema.describe('What the event is to tell of.'),
    resourceId: UuidSchema.optional().meta({
      description:
        'Whose present state is sent: an operation, a beneficiary or its payment instruction, an account. Without one, a complete example is sent, marked with the header `X-Sandbox-Synthetic: true`.',
    }),
    subscriptionId: UuidSchema.optional().meta({
      description: 'The one subscription to reach, whatever it asked for. Without it, all that asked for the event type.',
    }),
    payload: z
      .record(z.string(), z.unknown())
      .refine((payload) => new TextEncoder().encode(JSON.stringify(payload)).length <= maxEventBytes, {
        message: `expected a payload of at most ${maxEventBytes} bytes as JSON`,
        params: { code: 'OUT_OF_RANGE', params: { maximum: maxEventBytes } },
      })
      .optional()
      .meta({
        description: `Laid over the payload: objects merge, everything else replaces. At most ${maxEventBytes} bytes as JSON.`,
      }),
  })
  .openapi('EventRequest', { description: 'An event to send now, whatever has happened.', example: { eventType: 'OPERATION_COMPLETED' } });

export type EventRequest = z.output<typeof EventRequestSchema>;

export const deliveryStatuses = ['DUE', 'WAITING', 'SUCCESS', 'FAILED'] as const;

export const DeliverySchema = z
  .object({
    id: UuidSchema.meta({ description: 'The message id: X-Message-Id of every attempt.' }),
    subscriptionId: UuidSchema.describe('The subscription that the event goes to.'),
    eventType: EventTypeSchema.describe('What the event tells of.'),
    resourceId: UuidSchema.describe('Id of the operation, payment instruction or account that the event is about.'),
    payload: z.string().meta({ description: 'The body of every attempt, as text.' }),
    synthetic: z.boolean().meta({ description: 'Whether the payload is an example rather than the state of a resource.' }),
    status: z
      .enum(deliveryStatuses)
      .openapi('DeliveryStatus', {
        description:
          'DUE: to be attempted now, or under way. WAITING: the next attempt has its time. SUCCESS: the endpoint has answered 2xx. FAILED: nothing follows by itself.',
      })
      .describe('How far the delivery has come.'),
    attempts: z.number().int().meta({ description: 'How many attempts have ended.' }),
    retries: z.number().int().meta({ description: 'How many of them were retries.' }),
    causeId: z.string().meta({ description: 'Id of what led to the event, which `why` tells of.' }),
    createdAt: TimestampSchema.describe('When the event happened.'),
    updatedAt: TimestampSchema.describe('When an attempt changed anything last.'),
  })
  .openapi('Delivery', { description: 'One event on its way to one subscription.' });

export type Delivery = z.infer<typeof DeliverySchema>;

const LoggedAttemptSchema = z
  .object({
    id: UuidSchema.meta({ description: 'Id of its execution log, which `why` and the record know it by.' }),
    startedAt: TimestampSchema.describe('When it began, by the clock of the world.'),
    endedAt: TimestampSchema.describe('When it had its answer or was given up, by the clock of the world.'),
    status: z
      .enum(['SUCCESS', 'FAILED'])
      .openapi('AttemptStatus', { description: 'Whether an endpoint has answered 2xx.' })
      .describe('What it came to.'),
    httpStatus: z.number().int().meta({ description: 'The status that the endpoint answered with; 0 without an answer.' }),
    error: orNull(z.string()).meta({ description: 'What went wrong; null when it succeeded.' }),
    recorded: orNull(RecordedAttemptSchema).meta({
      description: 'What was sent and answered, how long that took, and what struck it; null when the record no longer has it.',
    }),
  })
  .openapi('LoggedAttempt', { description: 'An attempt of a delivery that has ended.' });

/** How many attempts of a delivery are shown. */
export const maxLoggedAttempts = 100;

export const DeliveryDetailSchema = DeliverySchema.extend({
  log: z
    .array(LoggedAttemptSchema)
    .max(maxLoggedAttempts)
    .meta({ description: 'Its attempts, oldest first; the latest 100 when there are more.' }),
  nextAttemptAt: orNull(TimestampSchema).meta({
    description: 'When the next attempt is made, by the clock of the world; null when none has its time.',
  }),
}).openapi('DeliveryDetail', { description: 'One event on its way to one subscription, with every attempt.' });

export type DeliveryDetail = z.infer<typeof DeliveryDetailSchema>;

export const ProbeSchema = z
  .object({
    subscriptionId: UuidSchema.describe('The subscription whose URL it is.'),
    url: z.string().describe('The URL that was looked at.'),
    via: z
      .enum(['NETWORK', 'INBOX', 'LISTENER'])
      .openapi('ProbeWay', {
        description:
          'NETWORK: over a connection. INBOX: to an inbox of this sandbox, within the process. LISTENER: to a listener, which is reachable while it is connected.',
      })
      .describe('The way that webhooks to it take.'),
    reachable: z
      .boolean()
      .meta({ description: 'Whether a webhook would get as far as the endpoint; what that would answer is not known.' }),
    steps: z
      .array(
        z
          .object({
            step: z
              .enum(['POLICY', 'DNS', 'CONNECT', 'TLS'])
              .openapi('ProbeStepName', {
                description:
                  'POLICY: whether the URL is one that webhooks may be sent to. DNS: the look-up of its host name. CONNECT: the connection. TLS: the handshake and the certificate.',
              })
              .describe('What was tried.'),
            ok: z.boolean().describe('Whether it went well. Nothing is tried after what did not.'),
            durationMs: z.number().meta({ description: 'How long it took, of real time.' }),
            detail: z.string().meta({ description: 'What was found: the addresses, or what is wrong and what helps.' }),
          })
          .openapi('ProbeStep', { description: 'A step on the way to an endpoint.' }),
      )
      .max(4)
      .meta({ description: 'The steps on the way, in order, up to the first that failed. None for an inbox or a listener.' }),
  })
  .openapi('Probe', { description: 'Whether the sandbox can reach the endpoint of a subscription.' });

export type Probe = z.infer<typeof ProbeSchema>;
export type ProbeStep = Probe['steps'][number];

export const FlushRequestSchema = z
  .strictObject({
    timeoutMs: whole(0, 600_000).default(60_000).meta({ description: 'How long to wait, of real time.' }),
  })
  .openapi('FlushRequest', { description: 'How long to wait for the attempts that are open.', example: { timeoutMs: 5000 } });

export const FlushSchema = z
  .object({
    waiting: z
      .number()
      .int()
      .meta({ description: 'Attempts that have their time and were not waited for: retries, and what is held back.' }),
  })
  .openapi('Flush', { description: 'What is left after all open attempts have ended.' });

export const InboxNameSchema = form(
  /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/,
  'a name of 1 to 64 letters, digits, dots, hyphens and underscores that does not begin with a dot',
  'orders',
).meta({
  description:
    'Name of the inbox, which comes to be by being used: 1 to 64 letters, digits, dots, hyphens and underscores. It does not begin with a dot, since URLs drop the segments `.` and `..`.',
  example: 'orders',
});

export const InboxMessageSchema = z
  .object({
    id: z.string().meta({ description: 'Names it within its world, as the stream does.', example: 'orders/17' }),
    headers: z.record(z.string(), z.string()).meta({ description: 'The headers of the request, by their names in lower case.' }),
    body: z.string().describe('The body of the request, as text.'),
    signatureValid: z.boolean().meta({
      description: "Whether both signatures are good for the world's credentials and at most five minutes old.",
    }),
    receivedAt: TimestampSchema.describe('When it arrived, by the clock of the world.'),
  })
  .openapi('InboxMessage', { description: 'A request that an inbox has received.' });

export type InboxMessage = z.infer<typeof InboxMessageSchema>;

export const InboxAwaitedSchema = z
  .object({
    data: z.array(InboxMessageSchema).max(2000).meta({ description: 'What has arrived so far and fits, oldest first.' }),
    meta: onePageMeta(),
  })
  .openapi('InboxAwaited', { description: 'What was waited for.' });

export const InboxAwaitQuerySchema = z.object({
  eventType: EventTypeSchema.optional().meta({
    description: 'Wait for events of this type alone; all count when left out.',
    example: 'OPERATION_COMPLETED',
  }),
  resourceId: UuidSchema.optional().meta({
    description: 'Wait for events about this alone: an id that the body names, of an operation, beneficiary, instruction or account.',
    example: 'b64c5118-f6d4-4569-84de-3908b37d019f',
  }),
  count: queryInteger(1, 1000).default(1).meta({ description: 'How many messages to wait for.' }),
  timeoutMs: WaitMsSchema,
});

export const InboxResponsesSchema = z
  .array(
    z
      .strictObject({
        status: whole(200, 599).describe('HTTP status to answer with.'),
        delayMs: whole(0, 60_000).default(0).meta({ description: 'How long to wait before answering, of real time.' }),
        times: whole(1, 1_000_000).default(1).meta({ description: 'How many messages it answers.' }),
      })
      .openapi('InboxResponse', { description: 'An answer, and how often it is given.' }),
  )
  .max(100)
  .openapi('InboxResponses', {
    description: 'How an inbox answers: each of these in order, as often as it says, and 200 after them.',
    example: [{ status: 500, times: 2 }] as never,
  });

export type InboxResponse = z.output<typeof InboxResponsesSchema>[number];
