import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema } from '../shared/common.js';
import { expected } from '../shared/messages/forms.js';
import { elementsOf, fieldsOf, rule, requiredUnless } from '../shared/rule.js';

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

/** What each event tells of. */
export const eventMeanings: Readonly<Record<EventType, { readonly summary: string; readonly description: string }>> = {
  OPERATION_REQUESTED: {
    summary: 'An operation was created',
    description: 'Sent for every withdrawal, transfer, swap and deposit as soon as it is REQUESTED. Nothing has moved yet.',
  },
  OPERATION_COMPLETED: {
    summary: 'An operation was completed',
    description: 'The money has arrived, and the operation is final. `transactions` are what it consists of.',
  },
  OPERATION_FAILED: {
    summary: 'An operation has failed',
    description: 'Nothing was booked, and the operation is final. `currentState.reason` says why.',
  },
  BENEFICIARY_PAYMENT_INSTRUCTION_CREATED: {
    summary: 'A payment instruction was added to a beneficiary',
    description: 'Its review begins; it cannot be used yet.',
  },
  BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED: {
    summary: 'A payment instruction was approved',
    description: 'From now on withdrawals can pay by it.',
  },
  BENEFICIARY_PAYMENT_INSTRUCTION_REJECTED: {
    summary: 'A payment instruction was rejected',
    description: 'No withdrawal can pay by it. GET of the beneficiary shows the reason.',
  },
  ASSET_ACTIVATED: {
    summary: 'An asset of an account was activated',
    description: 'The account can hold and move the asset from now on. Each asset has an event of its own.',
  },
};

export const EventTypeSchema = z.enum(eventTypes).openapi('EventType', {
  description:
    'What happened: an operation was requested or has ended, a payment instruction was created or reviewed, an asset of an account was activated.',
});
export const ResourceNameSchema = z.enum(resourceNames).openapi('ResourceName', {
  description:
    'What events are about: OPERATION has the OPERATION events, BENEFICIARY those of payment instructions, ACCOUNT has ASSET_ACTIVATED.',
});

const SubscriptionResourceRequestSchema = rule(
  z.object({
    name: ResourceNameSchema.describe('What to hear of; each once in a request.'),
    events: z
      .array(EventTypeSchema)
      .max(eventTypes.length)
      .optional()
      .meta({ description: 'Which of its events to send, each once; all of them when empty or left out.' }),
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

/**
 * The request for a subscription. `url` is judged beyond its form by the URL policy, which is a setting of the sandbox.
 * With `includeAll`, `resources` is ignored, whatever it holds.
 */
const SubscriptionFieldsSchema = rule(
  z.object({
    url: z
      .string({ error: expected('a URL', 'https://hooks.example.com/crossborder') })
      .max(2048)
      .meta({
        format: 'uri',
        minLength: 1,
        description: 'Where events are POSTed to: https and public, or a host that exists beside the sandbox, as its URL policy says.',
        example: 'https://hooks.example.com/crossborder',
      }),
    includeAll: z.boolean().default(false).describe('Whether all events of all resources are sent; `resources` says nothing then.'),
    resources: z
      .array(SubscriptionResourceRequestSchema)
      .min(1)
      .max(resourceNames.length)
      .optional()
      .meta({ description: 'What to hear of, each resource once; required unless includeAll is true.' }),
    allowRetry: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether failed deliveries are tried again: three times, 5 s apart, unless settings say otherwise.' }),
  }),
  (raw, report) => {
    const { includeAll, resources } = fieldsOf(raw);
    if (includeAll === true) return;
    if (resources === undefined) {
      report('REQUIRED', ['resources'], 'expected a list of resources, or includeAll: true');
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
    id: UuidSchema.describe('Id of the subscription: what its attempts are listed by.'),
    companyId: z.string().describe('The company that the events belong to; sent as X-Company-Id.'),
    url: z.string().meta({ format: 'uri', description: 'Where events are POSTed to.' }),
    resources: z
      .array(
        z
          .object({
            name: ResourceNameSchema.describe('What it hears of.'),
            events: z.array(EventTypeSchema).max(eventTypes.length).describe('Which events of it are sent, spelt out.'),
          })
          .openapi('SubscriptionResource', { description: 'Events of one resource that a subscription gets.' }),
      )
      .max(resourceNames.length)
      .describe('All that is sent, spelt out; `includeAll` is resolved.'),
    allowRetry: z.boolean().describe('Whether failed deliveries are tried again.'),
    createdAt: TimestampSchema.describe('When the subscription was made; events before it are not sent.'),
    updatedAt: TimestampSchema.describe('When it was changed last: the same, since nothing changes it.'),
  })
  .openapi('Subscription', { description: 'The wish to get events, by a URL.' });

export type Subscription = z.infer<typeof SubscriptionSchema>;

export const ExecutionLogSchema = z
  .object({
    id: UuidSchema.describe('Id of this one attempt: what it is resent by.'),
    companyId: z.string().describe('The company that the event belongs to; sent as X-Company-Id.'),
    subscriptionId: UuidSchema.describe('Whose URL the event was sent to: a subscription.'),
    messageId: UuidSchema.meta({ description: 'Names the delivery: the same for all of its attempts; sent as X-Message-Id.' }),
    eventType: EventTypeSchema.describe('What the event tells of; sent as X-Event-Type.'),
    url: z.string().describe('Where it was sent.'),
    payload: z.string().meta({ description: 'The body that was sent, as text, byte for byte.' }),
    httpStatus: z.number().int().meta({ description: 'Status that the endpoint answered; 0 when no answer came.' }),
    status: z
      .enum(['SUCCESS', 'FAILED'])
      .openapi('ExecutionLogStatus', { description: 'What became of an attempt: SUCCESS is any 2xx in time.' })
      .describe('What became of the attempt.'),
    retryAttempts: z.number().int().meta({ description: 'Retries made up to and including this attempt; 0 for the first one.' }),
    createdAt: TimestampSchema.describe('When the attempt began.'),
    updatedAt: TimestampSchema.describe('When it ended and was logged.'),
    error: z.string().nullable().meta({ description: 'What went wrong, in words; null on success.' }),
  })
  .openapi('ExecutionLog', { description: 'One attempt to deliver one event.' });

export type ExecutionLog = z.infer<typeof ExecutionLogSchema>;
