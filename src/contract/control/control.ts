import { z } from '@hono/zod-openapi';
import { InstantSchema, TimestampSchema, UuidSchema, text, orNull, DetailsSchema } from '../shared/common.js';
import { DurationSchema, lastInstantMs } from '../shared/duration.js';
import { fieldsOf, rule } from '../shared/rule.js';
import { InlineScenarioSchema, triggers } from '../scenario/scenario.js';
import { resourceTriggers } from '../scenario/settings.js';

const ClockModeSchema = z.enum(['RUNNING', 'FROZEN']).openapi('ClockMode');

/** Where a clock can be set to. */
export const ClockInstantSchema = InstantSchema.refine((instant) => !(Date.parse(instant) > lastInstantMs), {
  message: `A clock goes no further than ${new Date(lastInstantMs).toISOString()}.`,
  params: { code: 'INVALID_DATE' },
});

export const ClockRequestSchema = z
  .strictObject({
    mode: ClockModeSchema,
    now: ClockInstantSchema.optional().meta({
      description: 'Where to go first, firing what becomes due on the way; not before the present instant.',
    }),
  })
  .openapi('ClockRequest');

export const ClockSchema = z
  .object({
    now: TimestampSchema,
    mode: ClockModeSchema,
    pendingTimers: z.number().int().meta({ description: 'Steps, retries and deliveries held back that are waiting for their time.' }),
    nextTimerAt: orNull(TimestampSchema),
  })
  .openapi('Clock');

export const AdvanceRequestSchema = rule(
  z.strictObject({
    by: DurationSchema.optional(),
    to: ClockInstantSchema.optional(),
    untilIdle: z.literal(true).optional().meta({ description: 'As far as there are timers.' }),
  }),
  (raw, report) => {
    const given = Object.entries(fieldsOf(raw)).filter(([name, value]) => ['by', 'to', 'untilIdle'].includes(name) && value !== undefined);
    if (given.length === 0) report('REQUIRED', ['by'], 'Give one of by, to and untilIdle.');
    if (given.length > 1) report('INVALID_FORMAT', [given[1]![0]], 'Give only one of by, to and untilIdle.');
  },
).openapi('AdvanceRequest', { example: { by: 'PT30S' } as never });

export const AdvanceSchema = z
  .object({
    now: TimestampSchema,
    fired: z.array(
      z.object({
        at: TimestampSchema,
        kind: z.enum(['STEP', 'RETRY', 'RELEASE']),
        resource: z.enum([...resourceTriggers, 'DELIVERY']),
        id: z.string().meta({ description: 'Its id; of an asset, `<account id>/<asset>`.' }),
        from: z.string(),
        to: z.string(),
      }),
    ),
    deliveries: z.array(
      z.object({ messageId: UuidSchema, eventType: z.string(), httpStatus: z.number().int(), attempt: z.number().int() }),
    ),
    idle: z.boolean().meta({ description: 'Whether no timer is left.' }),
  })
  .openapi('Advance');

export const WorldNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
  .meta({ description: 'Lower-case letters, digits and hyphens.', example: 'ci-worker-7' });

export const WorldRequestSchema = z
  .strictObject({
    name: WorldNameSchema.optional(),
    seed: z
      .union([z.string().max(200), z.number()])
      .optional()
      .meta({ description: 'What ids and chance are drawn from; the same seed, name and calls make the same world.' }),
    scenario: z.string().optional().meta({ example: 'default' }),
    fixtures: z.enum(['default', 'empty']).optional(),
    clock: ClockRequestSchema.optional(),
    ttl: DurationSchema.optional().meta({ description: 'How long it outlives its last call, of real time; for good when left out.' }),
  })
  .openapi('WorldRequest');

/** What a world of a known name is to be. */
export const NamedWorldRequestSchema = WorldRequestSchema.omit({ name: true }).openapi('NamedWorldRequest');

export const WorldSchema = z
  .object({
    name: z.string(),
    customerId: UuidSchema,
    companyId: z.string(),
    credentials: z.object({ clientId: z.string(), clientSecret: z.string() }),
    rows: z.number().int().meta({ description: 'How many rows its state has; SANDBOX_MAX_ROWS bounds those of all worlds together.' }),
  })
  .openapi('World');

export const ForceRequestSchema = z
  .strictObject({
    reason: z.strictObject({ code: text(100), message: text(500), details: DetailsSchema.default({}) }).optional(),
  })
  .openapi('ForceRequest');

export const ScenarioChoiceSchema = rule(
  z.strictObject({
    name: z.string().min(1).optional().meta({ description: 'One of the scenario files.', example: 'compliance-hold' }),
    inline: InlineScenarioSchema.optional(),
  }),
  (raw, report) => {
    const { name, inline } = fieldsOf(raw);
    if (name === undefined && inline === undefined) report('REQUIRED', ['name'], 'Give name or inline.');
    if (name !== undefined && inline !== undefined) report('INVALID_FORMAT', ['inline'], 'Give only one of name and inline.');
  },
).openapi('ScenarioChoice', { example: { name: 'compliance-hold' } as never });

export const ScenarioSummarySchema = z
  .object({ name: z.string(), summary: z.string(), extends: z.string().nullable() })
  .openapi('ScenarioSummary');

const RuleHitsSchema = z
  .object({
    name: z.string(),
    scenario: z.string().meta({ description: 'The scenario that the rule stands in: this one or an ancestor.' }),
    on: z.enum(triggers),
    matches: z.number().int().meta({ description: 'How often its conditions held when it was its turn.' }),
    hits: z.number().int().meta({ description: 'How often it decided.' }),
  })
  .openapi('RuleHits');

export const ActiveScenarioSchema = ScenarioSummarySchema.extend({
  rules: z.array(RuleHitsSchema).meta({ description: 'In the order in which they are tried.' }),
}).openapi('ActiveScenario');

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
