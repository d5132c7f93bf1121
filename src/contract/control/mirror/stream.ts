import { z } from '@hono/zod-openapi';
import { TimestampSchema, UuidSchema, orNull } from '../../shared/common.js';

/** What happens in a world, by kind. */
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
    seq: z.number().int().meta({ description: 'Its number, one more than that of the item before, whatever a reader asked for.' }),
    at: TimestampSchema.describe('When it happened, by the clock of the world.'),
    realAt: TimestampSchema.describe('When it happened, in real time.'),
    kind: z
      .enum(streamKinds)
      .openapi('StreamKind', {
        description:
          'REQUEST, CONTROL: a call of the public API or of the control plane was answered. RULE: a rule of the scenario was tried and held. JOB: a timer was set. STATE: a resource has another status. DELIVERY: an event is on its way to a subscription, or has come to its end. ATTEMPT: an attempt of one has ended. LEDGER: money was booked. INBOX: an inbox has received a message. FAULT: a fault was armed, struck or removed. CLOCK: the clock was frozen, let run or moved. SCENARIO: another scenario or other settings are in force. FINDING: something to tell the integrator was found. WORLD: the world was reset, replaced or deleted, or a snapshot taken or removed.',
      })
      .describe('What kind of thing happened.'),
    id: z.string().meta({
      description: 'Id of the call, rule, job, resource, delivery, attempt, entry, message or fault: what to ask for to learn more.',
    }),
    resource: orNull(z.string()).meta({
      description: 'What kind of thing it is about; null when it is about no resource.',
      example: 'OPERATION',
    }),
    resourceId: orNull(z.string()).describe('Id of the resource that it is about; null when it is about none.'),
    summary: z
      .string()
      .meta({ description: 'What happened, in a line for people, without a full stop.', example: 'POST /api/operations/withdrawal' }),
    status: orNull(z.string()).meta({
      description: 'What it came to: an HTTP status, or the status of a resource; null when there is none.',
      example: '201',
    }),
    ms: orNull(z.number()).meta({ description: 'How long a call or an attempt took, of real time; null for everything else.' }),
    causeId: orNull(z.string()).meta({ description: 'Id of what led to it, as `why` tells it; null for calls.' }),
  })
  .openapi('StreamItem', { description: 'Something that happened in a world.' });

export type StreamItem = z.infer<typeof StreamItemSchema>;

export const StreamQuerySchema = z.object({
  kinds: z
    .string()
    .optional()
    .transform((text, context): ReadonlySet<StreamKind> | undefined => {
      if (text === undefined || text === '') return undefined;
      const kinds = text.split(',').map((each) => each.trim());
      if (!kinds.every(isKind)) {
        const message = `expected one or more of ${streamKinds.join(', ')} with commas between`;
        context.addIssue({ code: 'custom', message, params: { code: 'INVALID_ENUM' }, options: [...streamKinds] });
      }
      return new Set(kinds.filter(isKind));
    })
    .openapi({
      type: 'string',
      description: 'Only items of these kinds, with commas between; all when left out.',
      example: 'REQUEST,STATE,ATTEMPT',
    }),
  resourceId: UuidSchema.optional().meta({
    description: 'Only items about the resource of this id.',
    example: 'b64c5118-f6d4-4569-84de-3908b37d019f',
  }),
});

/** What a reader is told that has missed something. */
export interface StreamGap {
  /** The number of the first item that it will not see; null when that is not known. */
  readonly from: number | null;
  /** The number of the last one. */
  readonly to: number;
}
