import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema } from '../shared/common.js';
import { elementsOf, fieldsOf, rule } from '../shared/rule.js';

/** The resources that a subscription can name, and the event types of each. */
export const resourceEvents = {
  OPERATION: ['OPERATION_REQUESTED', 'OPERATION_COMPLETED', 'OPERATION_FAILED'],
  BENEFICIARY: [
    'BENEFICIARY_PAYMENT_INSTRUCTION_CREATED',
    'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED',
    'BENEFICIARY_PAYMENT_INSTRUCTION_REJECTED',
  ],
  ACCOUNT: ['ASSET_ACTIVATED'],
} as const;

export type ResourceName = keyof typeof resourceEvents;
export type EventType = (typeof resourceEvents)[ResourceName][number];

export const resourceNames = Object.keys(resourceEvents) as [ResourceName, ...ResourceName[]];
export const eventTypes = Object.values(resourceEvents).flat() as [EventType, ...EventType[]];

export const EventTypeSchema = z.enum(eventTypes).openapi('EventType');
const ResourceNameSchema = z.enum(resourceNames).openapi('ResourceName');

const SubscriptionResourceRequestSchema = rule(
  z.object({
    name: ResourceNameSchema,
    events: z
      .array(EventTypeSchema)
      .max(eventTypes.length)
      .optional()
      .meta({ description: 'All events of the resource when empty or left out.' }),
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
        report('INVALID_ENUM', ['events', index], `${String(event)} is not an event of ${String(name)}.`, { allowed: own });
      } else if (seen.has(event)) {
        report('DUPLICATE_ENTRY', ['events', index], `${String(event)} is listed twice.`, { duplicate: event });
      }
      seen.add(event);
    }
  },
).openapi('SubscriptionResourceRequest');

/**
 * The request for a subscription. `url` is judged beyond its form by the URL policy, which is a setting of the sandbox.
 * With `includeAll`, `resources` is ignored, whatever it holds.
 */
const SubscriptionFieldsSchema = rule(
  z.object({
    url: z
      .string()
      .max(2048)
      .meta({ format: 'uri', description: 'Where events are POSTed to.', example: 'https://hooks.example.com/crossborder' }),
    includeAll: z.boolean().default(false),
    resources: z
      .array(SubscriptionResourceRequestSchema)
      .min(1)
      .max(resourceNames.length)
      .optional()
      .meta({ description: 'Required unless includeAll is true.' }),
    allowRetry: z.boolean().default(false).meta({ description: 'Whether failed deliveries are tried again.' }),
  }),
  (raw, report) => {
    const { includeAll, resources } = fieldsOf(raw);
    if (includeAll === true) return;
    if (resources === undefined) {
      report('REQUIRED', ['resources'], 'resources is required unless includeAll is true.');
      return;
    }
    const seen = new Set<unknown>();
    for (const [index, resource] of elementsOf(resources, resourceNames.length).entries()) {
      const { name } = fieldsOf(resource);
      if (!ResourceNameSchema.safeParse(name).success) continue;
      if (seen.has(name)) {
        report('DUPLICATE_ENTRY', ['resources', index, 'name'], `${String(name)} is listed twice; each resource may appear once.`, {
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
  .openapi('SubscriptionRequest');

export type SubscriptionRequest = z.output<typeof SubscriptionRequestSchema>;

export const SubscriptionSchema = z
  .object({
    id: UuidSchema,
    companyId: z.string(),
    url: z.string().meta({ format: 'uri' }),
    resources: z.array(z.object({ name: ResourceNameSchema, events: z.array(EventTypeSchema) })),
    allowRetry: z.boolean(),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  })
  .openapi('Subscription');

export type Subscription = z.infer<typeof SubscriptionSchema>;

export const ExecutionLogSchema = z
  .object({
    id: UuidSchema,
    companyId: z.string(),
    subscriptionId: UuidSchema,
    messageId: UuidSchema.meta({ description: 'The same for all attempts of one delivery; sent as X-Message-Id.' }),
    eventType: EventTypeSchema,
    url: z.string(),
    payload: z.string().meta({ description: 'The body that was sent, as text.' }),
    httpStatus: z.number().int().meta({ description: 'Status that the endpoint answered; 0 when no answer came.' }),
    status: z.enum(['SUCCESS', 'FAILED']),
    retryAttempts: z.number().int().meta({ description: 'Retries made up to and including this attempt.' }),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
    error: z.string().nullable().meta({ description: 'What went wrong; null on success.' }),
  })
  .openapi('ExecutionLog', { description: 'One attempt to deliver one event.' });

export type ExecutionLog = z.infer<typeof ExecutionLogSchema>;
