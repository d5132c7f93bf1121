import { z } from '@hono/zod-openapi';
import { AmountValueSchema, TimestampSchema, UuidSchema, DetailsSchema } from '../shared/common.js';
import { DurationSchema } from '../shared/duration.js';
import { DeliveryEffectSchema, RequestEffectSchema } from './effects.js';
import { resourceTriggers, ScenarioSettingsSchema } from './settings.js';

/** Everything that a rule can be on: kinds of resource, and the two things that pass over the wire. */
export const triggers = [...resourceTriggers, 'REQUEST', 'DELIVERY'] as const;
export type Trigger = (typeof triggers)[number];

const ScalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const OperandsSchema = z.array(ScalarSchema).min(1).max(100);

const ConditionSchema = z
  .union([
    ScalarSchema,
    z
      .strictObject({
        eq: ScalarSchema.optional(),
        ne: ScalarSchema.optional(),
        gt: ScalarSchema.optional(),
        gte: ScalarSchema.optional(),
        lt: ScalarSchema.optional(),
        lte: ScalarSchema.optional(),
        in: OperandsSchema.optional(),
        nin: OperandsSchema.optional(),
        like: z.string().optional(),
        text: z.string().optional(),
        last: ScalarSchema.optional(),
        last_ne: ScalarSchema.optional(),
      })
      .refine((operators) => Object.values(operators).some((operand) => operand !== undefined), {
        message: 'expected an operator: eq, ne, gt, gte, lt, lte, in, nin, like, text, last or last_ne',
        when: ({ issues }) => issues.length === 0,
      }),
  ])
  .openapi('Condition', { description: 'The value that the field has, or operators with what they compare it to.' });

export const ScenarioStepSchema = z
  .strictObject({
    after: DurationSchema.describe('Time since the step before, or since the start.'),
    to: z.string().optional().describe('The status to enter.'),
    pay: z
      .strictObject({
        amount: AmountValueSchema.regex(/^[^-]*[1-9]/, 'expected an amount above zero').optional(),
      })
      .optional()
      .describe('In the place of `to`: the payment of a deposit arrives, exactly what was quoted unless an amount is given.'),
    reason: z
      .strictObject({
        code: z.string().min(1).max(100),
        message: z.string().max(500).optional(),
        details: DetailsSchema.optional(),
      })
      .optional()
      .describe('Why. A code of the catalogue brings its own message.'),
  })
  .refine((step) => (step.to === undefined) !== (step.pay === undefined), {
    message: 'expected either to or pay',
    when: ({ issues }) => issues.length === 0,
  })
  .openapi('ScenarioStep');

export type ScenarioStep = z.infer<typeof ScenarioStepSchema>;

/** What all rules share: which of the things they are on they mean, and how often. */
const matching = {
  when: z.record(z.string(), ConditionSchema).optional().describe('Conditions on its fields; all must hold.'),
  times: z.number().int().min(1).optional().describe('How often the rule applies at most.'),
  after: z.number().int().min(0).optional().describe('How many matches it lets pass first.'),
  probability: z.number().min(0).max(1).optional().describe("The share of matches it applies to, drawn from the world's seed."),
  ttl: DurationSchema.optional().describe('How long it applies, of world time, from its activation.'),
};

const phases = ['before', 'after_commit'] as const;
export type Phase = (typeof phases)[number];

const onRequest = {
  on: z.literal('REQUEST'),
  phase: z
    .enum(phases)
    .optional()
    .describe('Before anything happened, or after it happened. Shapes of the answer come after_commit unless told otherwise.'),
  effect: RequestEffectSchema,
};
const onDelivery = { on: z.literal('DELIVERY'), effect: DeliveryEffectSchema };
const name = z.string().min(1).max(120).optional().describe('Unique in its file; a reload keeps the counters of names that stay.');

const ResourceRuleSchema = z
  .strictObject({
    name,
    on: z.enum(resourceTriggers),
    ...matching,
    steps: z.array(ScenarioStepSchema).max(100).describe('What happens, in order. None: it stays until it is forced.'),
  })
  .openapi('ResourceRule');

const RuleSchema = z
  .discriminatedUnion('on', [
    ResourceRuleSchema,
    z.strictObject({ name, ...onRequest, ...matching }).openapi('RequestRule'),
    z.strictObject({ name, ...onDelivery, ...matching }).openapi('DeliveryRule'),
  ])
  .openapi('ScenarioRule');

export type ScenarioRule = z.infer<typeof RuleSchema>;

const ScenarioNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, { message: 'expected a name of lower-case letters, digits and hyphens' })
  .describe('Its name.');

const scenarioFields = {
  extends: z.string().optional().describe('The scenario whose rules apply where none of this one does.'),
  settings: ScenarioSettingsSchema.optional().describe('What it changes of the settings of a world.'),
  rules: z.array(RuleSchema).max(500),
};

/** A scenario file. */
export const ScenarioSchema = z.strictObject({
  $schema: z.string().optional().describe('Where this schema is, for editors.'),
  scenario: ScenarioNameSchema,
  summary: z.string().min(1).max(300).describe('What a client will meet, in one sentence.'),
  ...scenarioFields,
});

export type Scenario = z.infer<typeof ScenarioSchema>;

/** A scenario that a request brings along. */
export const InlineScenarioSchema = z
  .strictObject({
    scenario: ScenarioNameSchema.default('inline'),
    summary: z.string().min(1).max(300).default('A scenario of this world alone.'),
    ...scenarioFields,
    rules: scenarioFields.rules.default([]),
  })
  .openapi('InlineScenario');

const RequestFaultSchema = z.strictObject({ ...onRequest, ...matching });
const DeliveryFaultSchema = z.strictObject({ ...onDelivery, ...matching });

/** A fault: a rule of a world alone, tried before those of its scenario. */
export const FaultRequestSchema = z
  .discriminatedUnion('on', [RequestFaultSchema.openapi('RequestFaultRequest'), DeliveryFaultSchema.openapi('DeliveryFaultRequest')])
  .openapi('FaultRequest');

export type FaultRequest = z.infer<typeof FaultRequestSchema>;

const standing = {
  id: UuidSchema,
  createdAt: TimestampSchema,
  matches: z.number().int().meta({ description: 'How often its conditions held when it was its turn.' }),
  hits: z.number().int().meta({ description: 'How often it struck.' }),
};

/** A fault as it stands. */
export const FaultSchema = z
  .discriminatedUnion('on', [
    RequestFaultSchema.extend(standing).openapi('RequestFault'),
    DeliveryFaultSchema.extend(standing).openapi('DeliveryFault'),
  ])
  .openapi('Fault');
