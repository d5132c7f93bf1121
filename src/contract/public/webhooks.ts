import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema } from '../shared/common.js';
import { eventTypes, futureEventTypes, resourceEvents, resourceNames, type EventType, type ResourceName } from '../shared/event-types.js';
import { expected } from '../shared/messages/forms.js';
import { elementsOf, fieldsOf, rule, requiredUnless } from '../shared/rule.js';

export const EventTypeSchema = z.enum(eventTypes).openapi('EventType', {
  description:
    'Type of event: an operation was requested or ended, a payment instruction was created or reviewed, or an asset of an account was activated.',
});
export const SentEventTypeSchema = z.enum([...eventTypes, ...futureEventTypes]).openapi('SentEventType', {
  description:
    'Type of a webhook: an event type of the payments API, or one that the payments API does not define, from the effect `unknownEvent`.',
});
export const ResourceNameSchema = z.enum(resourceNames).openapi('ResourceName', {
  description:
    'Resource of the events: OPERATION has the OPERATION events, BENEFICIARY those of payment instructions, ACCOUNT has ASSET_ACTIVATED.',
});

const SubscriptionResourceRequestSchema = rule(
  z.object({
    name: ResourceNameSchema.describe('The resource. A request can contain each resource once.'),
    events: z
      .array(EventTypeSchema)
      .max(eventTypes.length)
      .optional()
      .meta({ description: 'Events to send, each at most once. Default, also if empty: all events of the resource.' }),
  }),
  (raw, report) => {
    const { name, events } = fieldsOf(raw);
    const own: readonly unknown[] | undefined = resourceNames.includes(name as ResourceName)
      ? resourceEvents[name as ResourceName]
      : undefined;
    const seen = new Set<unknown>();
    for (const [index, event] of elementsOf(events, eventTypes.length).entries()) {
      if (!eventTypes.includes(event as EventType)) continue;
      if (own && !own.includes(event)) {
        report('INVALID_ENUM', ['events', index], `expected one of ${own.join(', ')}, the events of ${String(name)}`, { allowed: own });
      } else if (seen.has(event)) {
        report('DUPLICATE_ENTRY', ['events', index], 'expected each event once', { duplicate: event });
      }
      seen.add(event);
    }
  },
).openapi('SubscriptionResourceRequest', { description: 'Events of one resource to subscribe to.' });

/** Maximum length of the URL of a subscription, in characters. */
export const maxUrlLength = 2048;

/**
 * The request for a subscription. The URL policy, a setting of the sandbox, also checks `url`.
 * With `includeAll`, `resources` is ignored, even if it is invalid.
 */
const SubscriptionFieldsSchema = rule(
  z.object({
    url: z
      .string({ error: expected('a URL', 'https://hooks.example.com/crossborder') })
      .max(maxUrlLength)
      .meta({
        format: 'uri',
        minLength: 1,
        description:
          'URL to POST events to. The URL policy of the sandbox decides whether it must be https and public, or may be a local host.',
        example: 'https://hooks.example.com/crossborder',
      }),
    includeAll: z.boolean().default(false).describe('If true, all events of all resources are sent and `resources` is ignored.'),
    resources: z
      .array(SubscriptionResourceRequestSchema)
      .min(1)
      .max(resourceNames.length)
      .optional()
      .meta({ description: 'Resources to subscribe to, each at most once. Required unless includeAll is true.' }),
    allowRetry: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether failed deliveries are retried. Default settings: three retries, 5 s apart.' }),
  }),
  (raw, report) => {
    const { includeAll, resources } = fieldsOf(raw);
    if (includeAll === true) return;
    if (resources === undefined) {
      report(
        'REQUIRED',
        ['resources'],
        'expected a list of resources with their events, for example [{"name":"OPERATION","events":["OPERATION_COMPLETED"]}], or includeAll: true',
      );
      return;
    }
    const seen = new Set<unknown>();
    for (const [index, resource] of elementsOf(resources, resourceNames.length).entries()) {
      const { name } = fieldsOf(resource);
      if (!ResourceNameSchema.safeParse(name).success) continue;
      if (seen.has(name)) {
        report('DUPLICATE_ENTRY', ['resources', index, 'name'], 'expected each resource once', {
          duplicate: name,
        });
      }
      seen.add(name);
    }
  },
);

export const SubscriptionRequestSchema = z
  .preprocess((raw) => {
    const { resources, ...others } = fieldsOf(raw);
    return others['includeAll'] === true && resources !== undefined ? others : raw;
  }, SubscriptionFieldsSchema)
  .openapi('SubscriptionRequest', {
    description: 'Events to send to a URL.',
    ...requiredUnless('includeAll', 'resources'),
  });

export type SubscriptionRequest = z.output<typeof SubscriptionRequestSchema>;

export const SubscriptionSchema = z
  .object({
    id: UuidSchema.describe('Id of the subscription. Use it to list its delivery attempts.'),
    companyId: z.string().describe('The company of the events, sent as X-Company-Id.'),
    url: z.string().meta({ format: 'uri', description: 'URL to which events are POSTed.' }),
    resources: z
      .array(
        z
          .object({
            name: ResourceNameSchema.describe('Kind of resource that sends the events.'),
            events: z.array(EventTypeSchema).max(eventTypes.length).describe('All events of the resource that are sent.'),
          })
          .openapi('SubscriptionResource', { description: 'Events of one resource in a subscription.' }),
      )
      .max(resourceNames.length)
      .describe('All resources and events that are sent. `includeAll` is expanded here.'),
    allowRetry: z.boolean().describe('Whether failed deliveries are retried.'),
    createdAt: TimestampSchema.describe('Time at which the subscription was created. Earlier events are not sent.'),
    updatedAt: TimestampSchema.describe('Equal to `createdAt`, because subscriptions cannot be changed.'),
  })
  .openapi('Subscription', { description: 'A subscription that sends events to a URL.' });

export type Subscription = z.infer<typeof SubscriptionSchema>;

export const ExecutionLogSchema = z
  .object({
    id: UuidSchema.describe('Id of this attempt. Use it to resend the delivery.'),
    companyId: z.string().describe('The company of the event, sent as X-Company-Id.'),
    subscriptionId: UuidSchema.describe('Subscription whose URL received the event.'),
    messageId: UuidSchema.meta({ description: 'Id of the delivery, sent as X-Message-Id. All attempts of a delivery have the same id.' }),
    eventType: EventTypeSchema.describe('Type of the event, sent as X-Event-Type.'),
    url: z.string().describe('URL to which the attempt was sent.'),
    payload: z.string().meta({ description: 'The exact body that was sent, as a string.' }),
    httpStatus: z.number().int().meta({ description: 'HTTP status of the response; 0 if there was no response.' }),
    status: z
      .enum(['SUCCESS', 'FAILED'])
      .openapi('ExecutionLogStatus', { description: 'Result of an attempt: SUCCESS is any 2xx response within the timeout.' })
      .describe('Result of the attempt.'),
    retryAttempts: z.number().int().meta({ description: 'Number of retries up to and including this attempt; 0 for the first attempt.' }),
    createdAt: TimestampSchema.describe('Time at which the attempt started.'),
    updatedAt: TimestampSchema.describe('Time at which the attempt ended and was logged.'),
    error: z.string().nullable().meta({ description: 'The error as a sentence; null on success.' }),
  })
  .openapi('ExecutionLog', { description: 'One attempt to deliver one event.' });

export type ExecutionLog = z.infer<typeof ExecutionLogSchema>;
