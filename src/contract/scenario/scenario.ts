import { z } from '@hono/zod-openapi';
import { AmountValueSchema, TimestampSchema, UuidSchema, DetailsSchema, maxIntegerDigits } from '../shared/common.js';
import { DurationSchema } from '../shared/duration.js';
import { form, someText } from '../shared/messages/forms.js';
import { exactlyOne } from '../shared/rule.js';
import { DeliveryEffectSchema, RequestEffectSchema } from './effects.js';
import { kindOf, resourceTriggers, type ResourceTrigger } from '../shared/kinds.js';
import { ScenarioSettingsSchema } from './settings.js';

/** Everything that a rule can be on: kinds of resource, and the two things that pass over the wire. */
export const triggers = [...resourceTriggers, 'REQUEST', 'DELIVERY'] as const;
export type Trigger = (typeof triggers)[number];
export const TriggerSchema = z
  .enum(triggers)
  .openapi('Trigger', { description: 'What a rule is on: a kind of resource, or requests, or deliveries.' });

const ScalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const OperandsSchema = z.array(ScalarSchema).min(1).max(100);

const ConditionSchema = z
  .union([
    ScalarSchema,
    z
      .strictObject({
        eq: ScalarSchema.optional().describe('The value is this one.'),
        ne: ScalarSchema.optional().describe('The value is another one; of a list, none of its values is this one.'),
        gt: ScalarSchema.optional().describe('The value is greater.'),
        gte: ScalarSchema.optional().describe('The value is greater or the same.'),
        lt: ScalarSchema.optional().describe('The value is less.'),
        lte: ScalarSchema.optional().describe('The value is less or the same.'),
        in: OperandsSchema.optional().describe('The value is one of these.'),
        nin: OperandsSchema.optional().describe('The value is none of these.'),
        like: z.string().optional().describe('The text has this in it, whatever the case of its letters.'),
        text: z.string().optional().describe('The text has all of these words, whatever the case of their letters.'),
        last: ScalarSchema.optional().describe('The newest entry of a history is this one.'),
        last_ne: ScalarSchema.optional().describe('The newest entry of a history is another one.'),
      })
      .openapi('Operators', {
        description: 'Operators with what they compare the field to; all have to hold. At least one.',
        minProperties: 1,
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
        amount: AmountValueSchema.regex(/^[^-]*[1-9]/, 'expected an amount above zero')
          .regex(
            new RegExp(`^-?0*[0-9]{1,${maxIntegerDigits}}([.]|$)`),
            `expected an amount of at most ${maxIntegerDigits} digits before the point`,
          )
          .optional()
          .describe("How much arrives, in the quote's source asset."),
      })
      .optional()
      .describe('In the place of `to`: the payment of a deposit arrives, exactly what was quoted unless an amount is given.'),
    reason: z
      .strictObject({
        code: someText(100).describe('Why, as a word for programs.'),
        message: z
          .string()
          .max(500, 'expected at most 500 characters')
          .optional()
          .describe('Why, as a sentence for people; that of the catalogue when left out, or else the code in words.'),
        details: DetailsSchema.optional().describe('Facts beside the code, by their names.'),
      })
      .openapi('StepReason', { description: 'Why a step leads to a status, as clients will read it.' })
      .optional()
      .describe('Why. A code of the catalogue brings its own message.'),
  })
  .refine((step) => (step.to === undefined) !== (step.pay === undefined), {
    message: 'expected either to or pay',
    when: ({ issues }) => issues.length === 0,
  })
  .openapi('ScenarioStep', {
    description: 'Something that happens after a time: a status is entered, or a deposit is paid. Exactly one of `to` and `pay`.',
    ...exactlyOne('to', 'pay'),
  });

export type ScenarioStep = z.infer<typeof ScenarioStepSchema>;

const aShare = 'expected a number from 0 to 1';

/** How many characters the conditions of a rule have at most, as JSON. */
const maxConditionsLength = 16_384;

/** What all rules share: which of the things they are on they mean, and how often. */
const matching = {
  when: z
    .record(z.string(), ConditionSchema)
    .refine((conditions) => JSON.stringify(conditions).length <= maxConditionsLength, {
      message: `expected conditions of at most ${maxConditionsLength} characters as JSON`,
      params: { code: 'OUT_OF_RANGE', params: { maximum: maxConditionsLength } },
    })
    .optional()
    .describe(`Conditions on its fields; all must hold. At most ${maxConditionsLength} characters as JSON.`),
  times: z.number().int().min(1).optional().describe('How often the rule applies at most.'),
  after: z.number().int().min(0).optional().describe('How many matches it lets pass first.'),
  probability: z
    .number({ error: aShare })
    .min(0, { error: aShare })
    .max(1, { error: aShare })
    .optional()
    .describe("The share of matches it applies to, drawn from the world's seed."),
  ttl: DurationSchema.optional().describe('How long it applies, of world time, from its activation.'),
};

/** How many steps a rule has at most. */
export const maxSteps = 100;
/** How many rules a scenario has at most, and of how many scenarios a line of ancestors consists, itself among them. */
export const maxRules = 500;
export const maxLineage = 10;
/** How many faults a world has at most, those that strike no more among them. */
export const maxFaults = 1000;

const phases = ['before', 'after_commit'] as const;
const PhaseSchema = z
  .enum(phases)
  .openapi('Phase', { description: '`before`: nothing has happened yet. `after_commit`: all has happened, and the answer is on its way.' });
export type Phase = (typeof phases)[number];

const onRequest = {
  on: z.literal('REQUEST').describe('Says that this is about calls of the API.'),
  phase: PhaseSchema.optional().describe(
    'Before anything happened, or after it happened. Shapes of the answer come after_commit unless told otherwise.',
  ),
  effect: RequestEffectSchema.describe('What becomes of the request.'),
};
const onDelivery = {
  on: z.literal('DELIVERY').describe('Says that this is about webhooks.'),
  effect: DeliveryEffectSchema.describe('What becomes of the delivery.'),
};
const name = someText(120).optional().describe('Unique in its file; a reload keeps the counters of names that stay.');

/** One shape for each kind of resource: generators of clients take the name of a shape for the value of `on`. */
const resourceRule = (on: ResourceTrigger) =>
  z
    .strictObject({
      name,
      on: z.literal(on).describe('The kind of resource whose course this decides.'),
      ...matching,
      steps: z.array(ScenarioStepSchema).max(maxSteps).describe('What happens, in order. None: it stays until it is forced.'),
    })
    .openapi(`${kindOf(on).noun}Rule`, { description: `A rule that decides the course of ${kindOf(on).many}.` });

const RuleSchema = z
  .discriminatedUnion('on', [
    ...(resourceTriggers.map(resourceRule) as [ReturnType<typeof resourceRule>]),
    z
      .strictObject({ name, ...onRequest, ...matching })
      .openapi('RequestRule', { description: 'A rule that does something to calls of the API.' }),
    z
      .strictObject({ name, ...onDelivery, ...matching })
      .openapi('DeliveryRule', { description: 'A rule that does something to webhooks.' }),
  ])
  .openapi('ScenarioRule', { description: 'A rule of a scenario; `on` tells which of the shapes it is.' });

export type ScenarioRule = z.infer<typeof RuleSchema>;

const ScenarioNameSchema = form(/^[a-z0-9][a-z0-9-]{0,63}$/, 'a name of lower-case letters, digits and hyphens', 'slow-monday').describe(
  'What it is called: lower-case letters, digits and hyphens.',
);

const scenarioFields = {
  extends: z.string().optional().describe('The scenario whose rules apply where none of this one does.'),
  settings: ScenarioSettingsSchema.optional().describe('What it changes of the settings of a world.'),
  rules: z
    .array(RuleSchema)
    .max(maxRules)
    .describe('Its rules. Those with conditions are tried first, in their order; the first that holds decides.'),
};

/** A scenario file. */
export const ScenarioSchema = z.strictObject({
  $schema: z.string().optional().describe('Where this schema is, for editors.'),
  scenario: ScenarioNameSchema,
  summary: someText(300).describe('What a client will meet, in one sentence.'),
  ...scenarioFields,
});

export type Scenario = z.infer<typeof ScenarioSchema>;

/** A scenario that a request brings along. */
export const InlineScenarioSchema = z
  .strictObject({
    scenario: ScenarioNameSchema.default('inline'),
    summary: someText(300).default('A scenario of this world alone.').describe('What a client will meet, in one sentence.'),
    ...scenarioFields,
    rules: scenarioFields.rules.default([]),
  })
  .openapi('InlineScenario', { description: 'A scenario that a request brings along, in the form of the scenario files.' });

const RequestFaultSchema = z.strictObject({ ...onRequest, ...matching });
const DeliveryFaultSchema = z.strictObject({ ...onDelivery, ...matching });

/** A fault: a rule of a world alone, tried before those of its scenario. */
export const FaultRequestSchema = z
  .discriminatedUnion('on', [
    RequestFaultSchema.openapi('RequestFaultRequest', { description: 'Something that is to go wrong with calls of the API.' }),
    DeliveryFaultSchema.openapi('DeliveryFaultRequest', { description: 'Something that is to go wrong with webhooks.' }),
  ])
  .openapi('FaultRequest', { description: 'Something that is to go wrong; `on` tells which of the shapes it is.' });

export type FaultRequest = z.infer<typeof FaultRequestSchema>;

const standing = {
  id: UuidSchema.describe('Id of the fault, to end it by.'),
  createdAt: TimestampSchema.describe('When it was made.'),
  matches: z.number().int().meta({ description: 'How often its conditions held when it was its turn.' }),
  hits: z.number().int().meta({ description: 'How often it struck.' }),
};

/** A fault as it stands. */
export const FaultSchema = z
  .discriminatedUnion('on', [
    RequestFaultSchema.extend(standing).openapi('RequestFault', {
      description: 'A fault of calls of the API, and how often it has struck.',
    }),
    DeliveryFaultSchema.extend(standing).openapi('DeliveryFault', { description: 'A fault of webhooks, and how often it has struck.' }),
  ])
  .openapi('Fault', { description: 'Something that goes wrong; `on` tells which of the shapes it is.' });
