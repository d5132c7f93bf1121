import { z } from '@hono/zod-openapi';
import { InstantSchema, TimestampSchema, UuidSchema, orNull } from '../shared/common.js';
import { DurationSchema, firstInstantMs, lastInstantMs } from '../shared/duration.js';
import { exactlyOne, fieldsOf, rule } from '../shared/rule.js';
import { resourceTriggers } from '../shared/kinds.js';
import { EventTypeSchema } from '../public/webhooks.js';

export const ClockModeSchema = z.enum(['RUNNING', 'FROZEN']).openapi('ClockMode', {
  description: 'Whether the time of a world goes on as real time does, or stands still until it is moved.',
});

/** How much of what a clock fired and attempted is told, of each. */
export const maxAdvanced = 10_000;

const [firstInstant, lastInstant] = [firstInstantMs, lastInstantMs].map((ms) => new Date(ms).toISOString());

/** Where a clock can be set to. */
export const ClockInstantSchema = InstantSchema.refine(
  (instant) => !(Date.parse(instant) < firstInstantMs || Date.parse(instant) > lastInstantMs),
  { message: `expected an instant from ${firstInstant} to ${lastInstant}`, params: { code: 'INVALID_DATE' } },
);

export const ClockRequestSchema = z
  .strictObject({
    mode: ClockModeSchema.describe('What the clock does from then on.'),
    now: ClockInstantSchema.optional().meta({
      description: 'Instant to go to first, firing what becomes due on the way; not before the present one. Left out: where the clock is.',
    }),
  })
  .openapi('ClockRequest', { description: 'What the clock of a world is to do, and where it is to be.' });

export const ClockSchema = z
  .object({
    now: TimestampSchema.describe('The time of the world.'),
    mode: ClockModeSchema.describe('Whether it goes on or stands still.'),
    pendingTimers: z.number().int().meta({ description: 'How many steps, retries and deliveries held back wait for their time.' }),
    nextTimerAt: orNull(TimestampSchema).describe('When the next of them is due; null when none waits.'),
  })
  .openapi('Clock', { description: 'What time it is in a world, and what waits for its time.' });

export const AdvanceRequestSchema = rule(
  z.strictObject({
    by: DurationSchema.optional().describe('How far to go.'),
    to: ClockInstantSchema.optional().describe('Where to go; not before the present instant.'),
    untilIdle: z.literal(true).optional().meta({ description: 'Go on until no timer is left, at most 365 days.' }),
  }),
  (raw, report) => {
    const given = Object.entries(fieldsOf(raw)).filter(([name, value]) => ['by', 'to', 'untilIdle'].includes(name) && value !== undefined);
    if (given.length === 0) report('REQUIRED', ['by'], 'expected one of by, to and untilIdle');
    if (given.length > 1) report('INVALID_FORMAT', [given[1]![0]], 'expected only one of by, to and untilIdle');
  },
).openapi('AdvanceRequest', {
  description: 'How far to move the clock: exactly one of `by`, `to` and `untilIdle`.',
  ...exactlyOne('by', 'to', 'untilIdle'),
  example: { by: 'PT30S' } as never,
});

export const AdvanceSchema = z
  .object({
    now: TimestampSchema.describe('The time of the world afterwards.'),
    fired: z
      .array(
        z
          .object({
            at: TimestampSchema.describe('When it was due.'),
            kind: z
              .enum(['STEP', 'RETRY', 'RELEASE'])
              .openapi('FiredKind', {
                description: 'What a timer was for: a step of a scenario, a retry, or the release of a delivery that was held back.',
              })
              .describe('What the timer was for.'),
            resource: z
              .enum([...resourceTriggers, 'DELIVERY'])
              .openapi('FiredResource', { description: 'A kind of thing that timers move.' })
              .describe('What it moved.'),
            id: z.string().meta({ description: 'Id of what it moved; of an asset, `<account id>/<asset>`.' }),
            from: z.string().describe('The status before.'),
            to: z.string().describe('The status afterwards.'),
          })
          .openapi('FiredTimer', { description: 'A timer that has become due.' }),
      )
      .max(maxAdvanced)
      .describe('All that became due, in the order in which it did; the first 10,000 of it.'),
    deliveries: z
      .array(
        z
          .object({
            messageId: UuidSchema.describe('The delivery: X-Message-Id of the attempt.'),
            eventType: EventTypeSchema.describe('What the event tells of.'),
            httpStatus: z.number().int().describe('Status that the endpoint answered; 0 when no answer came.'),
            attempt: z.number().int().describe('The how-many-th attempt of its delivery it was, from 1.'),
          })
          .openapi('AdvancedDelivery', { description: 'An attempt to deliver a webhook that was made on the way.' }),
      )
      .max(maxAdvanced)
      .describe('The webhooks that were attempted meanwhile, in order; the first 10,000 of them.'),
    omitted: z
      .number()
      .int()
      .min(1)
      .optional()
      .meta({ description: 'How many more of both there were than are told here; absent for none.' }),
    idle: z.boolean().meta({ description: 'Whether no timer is left.' }),
  })
  .openapi('Advance', { description: 'What happened while a clock was moved.' });
