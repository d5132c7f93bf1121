import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema, orNull } from '../../shared/common.js';

const streamKinds = [
  'REQUEST',
  'CONTROL',
  'RULE',
  'JOB',
  'STATE',
  'DELIVERY',
  'ATTEMPT',
  'LEDGER',
  'INBOX',
  'FAULT',
  'CLOCK',
  'SCENARIO',
  'FINDING',
  'WORLD',
] as const;

export type StreamKind = (typeof streamKinds)[number];

const isKind = (name: string): name is StreamKind => (streamKinds as readonly string[]).includes(name);

export const StreamItemSchema = z
  .object({
    seq: z
      .number()
      .int()
      .meta({ description: 'Number of the item. It increases by one for each item of the world, including those that a filter excludes.' }),
    at: TimestampSchema.describe('World time of the item.'),
    realAt: TimestampSchema.describe('Real time of the item.'),
    kind: z
      .enum(streamKinds)
      .openapi('StreamKind', {
        description:
          'REQUEST, CONTROL: a request to the public API or the control API got its response. RULE: a rule of the scenario matched. JOB: a timer was set. STATE: the status of a resource changed. DELIVERY: a delivery started or ended. ATTEMPT: a webhook attempt ended. LEDGER: money was booked. INBOX: an inbox received a message. FAULT: a fault was created, injected or removed. CLOCK: the clock was frozen, started or advanced. SCENARIO: the scenario or the settings changed. FINDING: a problem of the client was found. WORLD: the world was reset, replaced or deleted, or a snapshot was created or deleted.',
      })
      .describe('Kind of the item.'),
    id: z.string().meta({
      description: 'Id of the request, rule, job, resource, delivery, attempt, entry, message or fault. Use it to get details.',
    }),
    resource: orNull(z.string()).meta({
      description: 'Kind of the resource; null if the item is not about a resource.',
      example: 'OPERATION',
    }),
    resourceId: orNull(z.string()).describe('Id of the resource; null if the item is not about a resource.'),
    summary: z
      .string()
      .meta({ description: 'What happened, in one line without a full stop.', example: 'POST /api/operations/withdrawal' }),
    status: orNull(z.string()).meta({
      description: 'An HTTP status, or the status of a resource; null if there is none.',
      example: '201',
    }),
    ms: orNull(z.number()).meta({
      description: 'Duration of a request or an attempt, in milliseconds of real time; null for other items.',
    }),
    causeId: orNull(z.string()).meta({ description: 'Id of the cause, for use with `why`; null for requests.' }),
  })
  .openapi('StreamItem', { description: 'An event in a world.' });

export type StreamItem = z.infer<typeof StreamItemSchema>;

export const StreamQuerySchema = z.object({
  kinds: z
    .string()
    .optional()
    .transform((text, context): ReadonlySet<StreamKind> | undefined => {
      if (text === undefined || text === '') return undefined;
      const kinds = text.split(',').map((each) => each.trim());
      if (!kinds.every(isKind)) {
        const message = `expected one or more of ${streamKinds.join(', ')} separated by commas`;
        context.addIssue({ code: 'custom', message, params: { code: 'INVALID_ENUM' }, options: [...streamKinds] });
      }
      return new Set(kinds.filter(isKind));
    })
    .openapi({
      type: 'string',
      description: 'Only items of these kinds, separated by commas. Default: all kinds.',
      example: 'REQUEST,STATE,ATTEMPT',
    }),
  resourceId: UuidSchema.optional().meta({
    description: 'Only items of the resource with this id.',
    example: 'b64c5118-f6d4-4569-84de-3908b37d019f',
  }),
});

/** Data of the event `gap`: items that the client missed. */
export interface StreamGap {
  /** Number of the first missed item; null if unknown. */
  readonly from: number | null;
  /** Number of the last missed item. */
  readonly to: number;
}
