import { z } from '@hono/zod-openapi';
import { InstantSchema, TimestampSchema, UuidSchema, orNull, DetailsSchema } from '../shared/common.js';
import { form, text } from '../shared/messages/forms.js';
import { DurationSchema, TimeToLiveSchema, firstInstantMs, lastInstantMs } from '../shared/duration.js';
import { exactlyOne, fieldsOf, rule } from '../shared/rule.js';
import { InlineScenarioSchema, TriggerSchema, maxLineage, maxRules } from '../scenario/scenario.js';
import { resourceTriggers } from '../scenario/settings.js';
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

/** How many worlds there can be, whatever is set. */
export const mostWorlds = 100_000;

export const WorldNameSchema = form(
  /^[a-z0-9][a-z0-9-]{0,62}$/,
  'a name of 1 to 63 lower-case letters, digits and hyphens that does not begin with a hyphen',
  'ci-worker-7',
).meta({ description: 'Name of the world: 1 to 63 lower-case letters, digits and hyphens.', example: 'ci-worker-7' });

export const WorldRequestSchema = z
  .strictObject({
    name: WorldNameSchema.optional().describe(
      'What to call it: 1 to 63 lower-case letters, digits and hyphens. Left out: a name of its own making.',
    ),
    seed: z
      .union([z.string().max(200, 'expected at most 200 characters'), z.number()])
      .optional()
      .meta({ description: 'What ids and chance are drawn from; the same seed, name and calls make the same world.' }),
    scenario: z
      .string()
      .optional()
      .meta({ description: 'The scenario that is in force from the start; that of SANDBOX_SCENARIO when left out.', example: 'default' }),
    fixtures: z
      .enum(['default', 'empty'])
      .openapi('Fixtures', { description: 'What a world holds from the start: accounts, beneficiaries and a history, or nothing.' })
      .optional()
      .describe('What it holds from the start; `default` when left out.'),
    clock: ClockRequestSchema.optional().describe('What its clock does from the start; it runs with real time when left out.'),
    ttl: TimeToLiveSchema.optional().describe('How long it outlives its last call, of real time; for good when left out.'),
  })
  .openapi('WorldRequest', { description: 'What a new world is to be.' });

/** What a world of a known name is to be. */
export const NamedWorldRequestSchema = WorldRequestSchema.omit({ name: true }).openapi('NamedWorldRequest', {
  description: 'What a world of a known name is to be.',
});

export const WorldSchema = z
  .object({
    name: z.string().describe('What the world is called, for X-Sandbox-World.'),
    customerId: UuidSchema.describe('The customer whose world it is; tokens carry it.'),
    companyId: z.string().describe('The company of that customer; webhooks carry it as X-Company-Id.'),
    credentials: z
      .object({
        clientId: z.string().describe('Id to ask for an access token with.'),
        clientSecret: z.string().describe('Secret to ask for an access token with; it also keys the signatures of webhooks.'),
      })
      .openapi('Credentials', { description: 'What a client asks for access tokens with.' })
      .describe('What a client of the world asks for access tokens with.'),
    rows: z.number().int().meta({ description: 'How many rows its state has; SANDBOX_MAX_ROWS bounds those of all worlds together.' }),
  })
  .openapi('World', { description: 'A world: all that one client credential sees.' });

export const ForceRequestSchema = z
  .strictObject({
    reason: z
      .strictObject({
        code: text(100).meta({ description: 'Why, as a word for programs.', example: 'COMPLIANCE_REJECTED' }),
        message: text(500).optional().meta({
          description: 'Why, as a sentence for people; that of the catalogue when left out, or else the code in words.',
          example: 'Rejected by compliance.',
        }),
        details: DetailsSchema.default({}).describe('Facts beside the code, by their names.'),
      })
      .openapi('ForcedReason', { description: 'Why something is forced, as clients will read it.' })
      .optional()
      .describe('The reason of the new status; a usual one when left out where there has to be one.'),
  })
  .openapi('ForceRequest', { description: 'How a forced move explains itself.' });

export const ScenarioChoiceSchema = rule(
  z.strictObject({
    name: z
      .string()
      .min(1, 'expected the name of a scenario')
      .optional()
      .meta({ description: 'A scenario of the files. Either this or inline.', example: 'compliance-hold' }),
    inline: InlineScenarioSchema.optional().describe(
      'A scenario that this request brings along, for this world alone. Either this or name.',
    ),
  }),
  (raw, report) => {
    const { name, inline } = fieldsOf(raw);
    if (name === undefined && inline === undefined) report('REQUIRED', ['name'], 'expected name or inline');
    if (name !== undefined && inline !== undefined) report('INVALID_FORMAT', ['inline'], 'expected only one of name and inline');
  },
).openapi('ScenarioChoice', {
  description: 'The scenario that a world is to follow: exactly one of `name` and `inline`.',
  ...exactlyOne('name', 'inline'),
  example: { name: 'compliance-hold' } as never,
});

export const ScenarioSummarySchema = z
  .object({
    name: z.string().describe('What the scenario is called.'),
    summary: z.string().describe('What a client meets in it, in one sentence.'),
    extends: z.string().nullable().describe('The scenario whose rules apply where none of this one does; null for one that stands alone.'),
  })
  .openapi('ScenarioSummary', { description: 'A scenario, without its rules.' });

const RuleHitsSchema = z
  .object({
    name: z.string().describe('Name of the rule, or its place in its file.'),
    scenario: z.string().meta({ description: 'The scenario that the rule stands in: this one or an ancestor.' }),
    on: TriggerSchema.describe('What the rule is on.'),
    matches: z.number().int().meta({ description: 'How often its conditions held when it was its turn.' }),
    hits: z.number().int().meta({ description: 'How often it decided.' }),
  })
  .openapi('RuleHits', { description: 'A rule, and how often it has applied.' });

export const ActiveScenarioSchema = ScenarioSummarySchema.extend({
  rules: z
    .array(RuleHitsSchema)
    .max(maxLineage * maxRules)
    .meta({ description: 'Its rules and those of its ancestors, in the order in which they are tried.' }),
}).openapi('ActiveScenario', { description: 'The scenario that a world follows.' });

/** What the service sorts companies by, which decides the documents that they have to bring. */
export const segments = [
  'STANDARD_COMPANY',
  'PAYMENT_SERVICE_PROVIDER',
  'CRYPTO_BUSINESS',
  'NON_RESIDENT_ENTITY',
  'FUND',
  'EXCHANGE_OPERATOR',
] as const;
export type Segment = (typeof segments)[number];

export const SegmentChoiceSchema = z
  .strictObject({
    segment: z
      .enum(segments)
      .openapi('Segment', { description: 'What the service sorts companies by, which decides the documents that they have to bring.' })
      .describe('The segment to put the company into.'),
  })
  .openapi('SegmentChoice', { description: 'The segment that a company is to be in.' });
