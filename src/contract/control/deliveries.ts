import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema } from '../shared/common.js';
import { PageMetaSchema, pageSchema } from '../shared/paging.js';
import { EventTypeSchema } from '../public/webhooks.js';

/** What the control plane knows of webhooks beyond the public API. */

export const EventRequestSchema = z
  .strictObject({
    eventType: EventTypeSchema,
    resourceId: UuidSchema.optional().meta({
      description:
        'Whose present state is sent: an operation, a beneficiary or its payment instruction, an account. Without one, a complete example is sent, marked with the header `X-Sandbox-Synthetic: true`.',
    }),
    subscriptionId: UuidSchema.optional().meta({
      description: 'The one subscription to reach, whatever it asked for. Without it, all that asked for the event type.',
    }),
    payload: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Laid over the payload: objects merge, everything else replaces.' }),
  })
  .openapi('EventRequest', { example: { eventType: 'OPERATION_COMPLETED' } });

export type EventRequest = z.output<typeof EventRequestSchema>;

export const deliveryStatuses = ['DUE', 'WAITING', 'SUCCESS', 'FAILED'] as const;

export const DeliverySchema = z
  .object({
    id: UuidSchema.meta({ description: 'The message id: X-Message-Id of every attempt.' }),
    subscriptionId: UuidSchema,
    eventType: EventTypeSchema,
    resourceId: UuidSchema,
    payload: z.string().meta({ description: 'The body of every attempt, as text.' }),
    synthetic: z.boolean().meta({ description: 'Whether the payload is an example rather than the state of a resource.' }),
    status: z.enum(deliveryStatuses).meta({
      description: 'DUE: to be attempted now, or under way. WAITING: the next attempt has its time. FAILED: nothing follows by itself.',
    }),
    attempts: z.number().int().meta({ description: 'Attempts that have ended.' }),
    retries: z.number().int().meta({ description: 'Retries among them.' }),
    causeId: z.string().meta({ description: 'What led to the event.' }),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  })
  .openapi('Delivery', { description: 'One event on its way to one subscription.' });

export type Delivery = z.infer<typeof DeliverySchema>;

export const DeliveryPageSchema = pageSchema(DeliverySchema).openapi('DeliveryPage');

export const FlushRequestSchema = z
  .strictObject({
    timeoutMs: z.number().int().min(0).max(600_000).default(60_000).meta({ description: 'How long to wait, of real time.' }),
  })
  .openapi('FlushRequest', { example: { timeoutMs: 5000 } });

export const FlushSchema = z
  .object({
    waiting: z
      .number()
      .int()
      .meta({ description: 'Attempts that have their time and were not waited for: retries, and what is held back.' }),
  })
  .openapi('Flush');

export const InboxNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/)
  .meta({ description: 'Any name: letters, digits, dots, hyphens and underscores.', example: 'orders' });

export const InboxMessageSchema = z
  .object({
    headers: z.record(z.string(), z.string()).meta({ description: 'By their names in lower case.' }),
    body: z.string(),
    signatureValid: z.boolean().meta({
      description: "Whether both signatures are good for the world's credentials and at most five minutes old.",
    }),
    receivedAt: TimestampSchema,
  })
  .openapi('InboxMessage');

export type InboxMessage = z.infer<typeof InboxMessageSchema>;

export const InboxPageSchema = pageSchema(InboxMessageSchema).openapi('InboxPage');

export const InboxAwaitedSchema = z
  .object({
    data: z.array(InboxMessageSchema).max(2000).meta({ description: 'What has arrived so far and fits, oldest first.' }),
    meta: PageMetaSchema,
  })
  .openapi('InboxAwaited');

export const InboxAwaitQuerySchema = z.object({
  eventType: EventTypeSchema.optional(),
  resourceId: UuidSchema.optional().meta({
    description: 'An id that the body names: of the operation, beneficiary, instruction or account.',
  }),
  count: z.coerce.number().int().min(1).max(1000).default(1).meta({ description: 'How many messages to wait for.' }),
  timeoutMs: z.coerce.number().int().min(0).max(60_000).default(10_000).meta({ description: 'How long to wait, of real time.' }),
});

export const InboxResponsesSchema = z
  .array(
    z
      .strictObject({
        status: z.number().int().min(200).max(599),
        delayMs: z.number().int().min(0).max(60_000).default(0).meta({ description: 'How long to wait before answering, of real time.' }),
        times: z.number().int().min(1).max(1_000_000).default(1).meta({ description: 'How many messages it answers.' }),
      })
      .openapi('InboxResponse'),
  )
  .max(100)
  .openapi('InboxResponses', { description: 'Answers in order; after them, 200.', example: [{ status: 500, times: 2 }] as never });

export type InboxResponse = z.output<typeof InboxResponsesSchema>[number];
