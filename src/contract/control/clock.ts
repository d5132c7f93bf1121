import { z } from '@hono/zod-openapi';
import { InstantSchema, TimestampSchema, UuidSchema, orNull } from '../shared/common.js';
import { DurationSchema, minWorldMs, maxWorldMs } from '../shared/duration.js';
import { exactlyOne, fieldsOf, rule } from '../shared/rule.js';
import { resourceTriggers } from '../shared/kinds.js';
import { SentEventTypeSchema } from '../public/webhooks.js';

export const ClockModeSchema = z.enum(['RUNNING', 'FROZEN']).openapi('ClockMode', {
  description: 'RUNNING: world time follows real time. FROZEN: world time stops until you advance it.',
});

/** Maximum number of timers, and of attempts, in the response to an advance. */
export const maxAdvanced = 10_000;

const [firstInstant, lastInstant] = [minWorldMs, maxWorldMs].map((ms) => new Date(ms).toISOString());

/** The allowed values for the time of a clock. */
export const ClockInstantSchema = InstantSchema.refine(
  (instant) => !(Date.parse(instant) < minWorldMs || Date.parse(instant) > maxWorldMs),
  { message: `expected a timestamp from ${firstInstant} to ${lastInstant}`, params: { code: 'INVALID_DATE' } },
);

export const ClockRequestSchema = z
  .strictObject({
    mode: ClockModeSchema.describe('Mode of the clock after this change.'),
    now: ClockInstantSchema.optional().meta({
      description:
        'Time to which the clock first advances, running all timers that become due; not before the present time. Default: the present time.',
    }),
  })
  .openapi('ClockRequest', { description: 'The mode and time to set on the clock of a world.' });

export const ClockSchema = z
  .object({
    now: TimestampSchema.describe('The time of the world.'),
    mode: ClockModeSchema.describe('Whether the clock is running or frozen.'),
    pendingTimers: z.number().int().meta({ description: 'Number of pending timers: scenario steps, retries and delayed deliveries.' }),
    nextTimerAt: orNull(TimestampSchema).describe('Time at which the next timer is due; null without one.'),
  })
  .openapi('Clock', { description: 'The time of a world, and its pending timers.' });

export const AdvanceRequestSchema = rule(
  z.strictObject({
    by: DurationSchema.optional().describe('Duration to advance by.'),
    to: ClockInstantSchema.optional().describe('Time to advance to; not before the present time.'),
    untilIdle: z.literal(true).optional().meta({ description: 'Advance until no timer is left, by at most 365 days.' }),
  }),
  (raw, report) => {
    const given = Object.entries(fieldsOf(raw)).filter(([name, value]) => ['by', 'to', 'untilIdle'].includes(name) && value !== undefined);
    if (given.length === 0) report('REQUIRED', ['by'], 'expected one of by, to and untilIdle');
    if (given.length > 1) report('INVALID_FORMAT', [given[1]![0]], 'expected only one of by, to and untilIdle');
  },
).openapi('AdvanceRequest', {
  description: 'How far to advance the clock: exactly one of `by`, `to` and `untilIdle`.',
  ...exactlyOne('by', 'to', 'untilIdle'),
  example: { by: 'PT30S' } as never,
});

export const AdvanceSchema = z
  .object({
    now: TimestampSchema.describe('The new time of the world.'),
    fired: z
      .array(
        z
          .object({
            at: TimestampSchema.describe('Time at which the timer was due.'),
            kind: z
              .enum(['STEP', 'RETRY', 'RELEASE', 'EXPIRY'])
              .openapi('FiredKind', {
                description:
                  'Type of a timer: a step of a scenario, a retry, the release of a delayed delivery, or the due date of an unpaid deposit.',
              })
              .describe('Type of the timer.'),
            resource: z
              .enum([...resourceTriggers, 'DELIVERY'])
              .openapi('FiredResource', { description: 'Kind of resource that a timer changes.' })
              .describe('Kind of the changed resource.'),
            id: z.string().meta({ description: 'Id of the changed resource; for an asset, `<account id>/<asset>`.' }),
            from: z.string().describe('Status before the change.'),
            to: z.string().describe('Status after the change.'),
          })
          .openapi('FiredTimer', { description: 'A timer that became due.' }),
      )
      .max(maxAdvanced)
      .describe('The timers that became due, in order; at most the first 10,000.'),
    deliveries: z
      .array(
        z
          .object({
            messageId: UuidSchema.describe('Id of the delivery: X-Message-Id of the attempt.'),
            eventType: SentEventTypeSchema.describe('Type of the event that the webhook reports.'),
            httpStatus: z.number().int().describe('HTTP status of the response; 0 if there was none.'),
            attempt: z.number().int().describe('Number of the attempt within its delivery, starting at 1.'),
          })
          .openapi('AdvancedDelivery', { description: 'A webhook attempt during an advance.' }),
      )
      .max(maxAdvanced)
      .describe('The webhook attempts during the advance, in order; at most the first 10,000.'),
    omitted: z
      .number()
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Number of further timers and attempts that are not listed; absent if there are none.' }),
    idle: z.boolean().meta({ description: 'True if no timer is left.' }),
  })
  .openapi('Advance', { description: 'The result of an advance of the clock.' });
