import { z } from '@hono/zod-openapi';
import { AmountValueSchema, TimestampSchema, UuidSchema, DetailsSchema, maxIntegerDigits } from '../shared/common.js';
import { DurationSchema } from '../shared/duration.js';
import { patternSchema, textSchema } from '../shared/messages/forms.js';
import { exactlyOne } from '../shared/rule.js';
import { PayerRequestSchema } from '../public/transactions.js';
import { AfterSchema } from './after.js';
import { DeliveryEffectSchema, RequestEffectSchema } from './effects.js';
import { kindOf, resourceTriggers, type ResourceTrigger } from '../shared/kinds.js';
import { ScenarioSettingsSchema } from './settings.js';

/** The subjects of rules: kinds of resource, requests and deliveries. */
export const triggers = [...resourceTriggers, 'REQUEST', 'DELIVERY'] as const;
export type Trigger = (typeof triggers)[number];
export const TriggerSchema = z
  .enum(triggers)
  .openapi('Trigger', { description: 'Subject of a rule: a kind of resource, requests or deliveries.' });

const ScalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const OperandsSchema = z.array(ScalarSchema).min(1).max(100);

const ConditionSchema = z
  .union([
    ScalarSchema,
    z
      .strictObject({
        eq: ScalarSchema.optional().describe('The value is equal.'),
        ne: ScalarSchema.optional().describe('The value is not equal; for a list, no item is equal.'),
        gt: ScalarSchema.optional().describe('The value is greater.'),
        gte: ScalarSchema.optional().describe('The value is greater or equal.'),
        lt: ScalarSchema.optional().describe('The value is less.'),
        lte: ScalarSchema.optional().describe('The value is less or equal.'),
        in: OperandsSchema.optional().describe('The value is one of these.'),
        nin: OperandsSchema.optional().describe('The value is not in this list.'),
        like: z.string().optional().describe('The string contains this one, ignoring case.'),
        text: z.string().optional().describe('The string contains all these words, ignoring case.'),
        last: ScalarSchema.optional().describe('The newest entry of a history is equal.'),
        last_ne: ScalarSchema.optional().describe('The newest entry of a history is not equal.'),
      })
      .openapi('Operators', {
        description: 'Operators and the values that they compare the field to; all must match. At least one is required.',
        minProperties: 1,
      })
      .refine((operators) => Object.values(operators).some((operand) => operand !== undefined), {
        message: 'expected an operator: eq, ne, gt, gte, lt, lte, in, nin, like, text, last or last_ne',
        when: ({ issues }) => issues.length === 0,
      }),
  ])
  .openapi('Condition', { description: 'The value of the field, or operators with the values that they compare it to.' });

export const ScenarioStepSchema = z
  .strictObject({
    after: AfterSchema.describe('Delay after the previous step, or after the start: a duration, a range, or business days.'),
    to: z.string().optional().describe('The new status.'),
    pay: z
      .strictObject({
        amount: AmountValueSchema.regex(/^[^-]*[1-9]/, 'expected an amount above zero')
          .regex(
            new RegExp(`^-?0*[0-9]{1,${maxIntegerDigits}}([.]|$)`),
            `expected an amount of at most ${maxIntegerDigits} digits before the decimal point`,
          )
          .optional()
          .describe('Amount that arrives, in the source asset of the quote.'),
        payer: PayerRequestSchema.describe('Person or company that pays the deposit.').optional(),
      })
      .optional()
      .describe('Instead of `to`: the payment of a deposit arrives. Default amount: exactly the quoted one.'),
    reason: z
      .strictObject({
        code: textSchema(100).describe('Reason as a code for programs.'),
        message: z
          .string()
          .max(500, 'expected at most 500 characters')
          .optional()
          .describe(
            'The reason as a sentence. Default: the message of the catalogue, or the code in words if the catalogue does not have it.',
          ),
        details: DetailsSchema.optional().describe('Facts about the reason, by name.'),
      })
      .openapi('StepReason', { description: 'The reason for the status of a step, which clients will read.' })
      .optional()
      .describe('Reason for the status. A code of the catalogue has its own message.'),
  })
  .refine((step) => (step.to === undefined) !== (step.pay === undefined), {
    message: 'expected either to or pay',
    when: ({ issues }) => issues.length === 0,
  })
  .openapi('ScenarioStep', {
    description: 'A step after a delay: a new status, or the payment of a deposit. Exactly one of `to` and `pay` is required.',
    ...exactlyOne('to', 'pay'),
  });

export type ScenarioStep = z.infer<typeof ScenarioStepSchema>;

const aShare = 'expected a number from 0 to 1';

/** Maximum length of the conditions of a rule, in characters of JSON. */
const maxConditionsLength = 16_384;

/** The fields of all rules: which subjects match, and how often the rule applies. */
const matching = {
  when: z
    .record(z.string(), ConditionSchema)
    .refine((conditions) => JSON.stringify(conditions).length <= maxConditionsLength, {
      message: `expected conditions of at most ${maxConditionsLength} characters as JSON`,
      params: { code: 'OUT_OF_RANGE', params: { maximum: maxConditionsLength } },
    })
    .optional()
    .describe(`Conditions on the fields of the subject; all must match. At most ${maxConditionsLength} characters as JSON.`),
  times: z.number().int().min(1).optional().describe('Maximum number of times that the rule applies.'),
  after: z.number().int().min(0).optional().describe('Number of matches to skip first.'),
  probability: z
    .number({ error: aShare })
    .min(0, { error: aShare })
    .max(1, { error: aShare })
    .optional()
    .describe("Share of the matches that the rule applies to, chosen by the world's seed."),
  ttl: DurationSchema.optional().describe('World time for which the rule applies after its activation.'),
};

/** Maximum number of steps of a rule. */
export const maxSteps = 100;
/** Maximum number of rules of a scenario. */
export const maxRules = 500;
/** Maximum number of scenarios in a chain of `extends`, including the first one. */
export const maxInheritanceChain = 10;
/** Maximum number of faults of a world, including those that no longer apply. */
export const maxFaults = 1000;

const phases = ['before', 'after_commit'] as const;
const PhaseSchema = z.enum(phases).openapi('Phase', {
  description: '`before`: the request has had no effect yet. `after_commit`: the request has taken effect, and the response is being sent.',
});
export type Phase = (typeof phases)[number];

const onRequest = {
  on: z.literal('REQUEST').describe('Applies to API requests.'),
  phase: PhaseSchema.optional().describe(
    'Whether to apply the effect before or after the request takes effect. Default for effects that change the response: `after_commit`.',
  ),
  effect: RequestEffectSchema.describe('Change to the request or its response, for example a delay or an error.'),
};
const onDelivery = {
  on: z.literal('DELIVERY').describe('Applies to webhooks.'),
  effect: DeliveryEffectSchema.describe('Change to the delivery, for example a delay or a duplicate.'),
};
const name = textSchema(120)
  .optional()
  .describe('Name of the rule, unique in its file. After a reload, rules that keep their name keep their counters.');

/**
 * Returns the schema of a rule for a kind of resource. Each kind has its own schema, because client generators use the schema name as the
 * value of `on`.
 */
const resourceRule = (on: ResourceTrigger) =>
  z
    .strictObject({
      name,
      on: z.literal(on).describe('Kind of resource that the rule applies to.'),
      ...matching,
      steps: z
        .array(ScenarioStepSchema)
        .max(maxSteps)
        .describe('Steps, in order. Without steps, the resource does not change until it is forced.'),
    })
    .openapi(`${kindOf(on).noun}Rule`, { description: `A rule that decides how ${kindOf(on).many} proceed.` });

const RuleSchema = z
  .discriminatedUnion('on', [
    ...(resourceTriggers.map(resourceRule) as [ReturnType<typeof resourceRule>]),
    z.strictObject({ name, ...onRequest, ...matching }).openapi('RequestRule', { description: 'A rule with an effect on API requests.' }),
    z.strictObject({ name, ...onDelivery, ...matching }).openapi('DeliveryRule', { description: 'A rule with an effect on webhooks.' }),
  ])
  .openapi('ScenarioRule', { description: 'A rule of a scenario. `on` selects the variant.' });

export type ScenarioRule = z.infer<typeof RuleSchema>;

const ScenarioNameSchema = patternSchema(
  /^[a-z0-9][a-z0-9-]{0,63}$/,
  'a name of lower-case letters, digits and hyphens',
  'slow-monday',
).describe('Name of the scenario: lower-case letters, digits and hyphens.');

const scenarioFields = {
  extends: z.string().optional().describe('The scenario whose rules apply if no rule of this one matches.'),
  settings: ScenarioSettingsSchema.optional().describe('Settings of the world that the scenario changes.'),
  rules: z
    .array(RuleSchema)
    .max(maxRules)
    .describe('Rules of the scenario. Rules with conditions are evaluated first, in their order; the first match decides.'),
};

/** A scenario file. */
export const ScenarioSchema = z.strictObject({
  $schema: z.string().optional().describe('Path of this schema, for editors.'),
  scenario: ScenarioNameSchema,
  summary: textSchema(300).describe('Effect of this scenario on a client, in one sentence.'),
  ...scenarioFields,
});

export type Scenario = z.infer<typeof ScenarioSchema>;

/** A scenario definition in a request. */
export const InlineScenarioSchema = z
  .strictObject({
    scenario: ScenarioNameSchema.default('inline'),
    summary: textSchema(300).default('A scenario of this world only.').describe('Effect of this scenario on a client, in one sentence.'),
    ...scenarioFields,
    rules: scenarioFields.rules.default([]),
  })
  .openapi('InlineScenario', { description: 'A scenario definition in a request, in the format of the scenario files.' });

const RequestFaultSchema = z.strictObject({ ...onRequest, ...matching });
const DeliveryFaultSchema = z.strictObject({ ...onDelivery, ...matching });

/** A fault: a rule of one world, evaluated before the rules of its scenario. */
export const FaultRequestSchema = z
  .discriminatedUnion('on', [
    RequestFaultSchema.openapi('RequestFaultRequest', { description: 'A fault to inject into API requests.' }),
    DeliveryFaultSchema.openapi('DeliveryFaultRequest', { description: 'A fault to inject into webhooks.' }),
  ])
  .openapi('FaultRequest', { description: 'A fault to inject. `on` selects the variant.' });

export type FaultRequest = z.infer<typeof FaultRequestSchema>;

/** Maximum number of warnings about one fault. */
const maxWarnings = 10;

const standing = {
  id: UuidSchema.describe('Id of the fault. Use it to delete the fault.'),
  createdAt: TimestampSchema.describe('Time at which the fault was created.'),
  matches: z.number().int().meta({ description: 'How often the conditions of the fault matched when it was evaluated.' }),
  hits: z.number().int().meta({ description: 'How often the fault was injected.' }),
  warnings: z.array(z.string()).max(maxWarnings).optional().meta({
    description:
      'Only in the response to the creation: parts of the fault that are allowed, but differ from the documentation of the payments API. Absent without any.',
  }),
};

/** A fault and its counters. */
export const FaultSchema = z
  .discriminatedUnion('on', [
    RequestFaultSchema.extend(standing).openapi('RequestFault', {
      description: 'A fault of API requests, and how often it was injected.',
    }),
    DeliveryFaultSchema.extend(standing).openapi('DeliveryFault', { description: 'A fault of webhooks, and how often it was injected.' }),
  ])
  .openapi('Fault', { description: 'An active fault. `on` selects the variant.' });
