import { z } from '@hono/zod-openapi';
import { exactlyOne, fieldsOf, rule } from '../shared/rule.js';
import { InlineScenarioSchema, TriggerSchema, maxInheritanceChain, maxRules } from '../scenario/scenario.js';

export const ScenarioChoiceSchema = rule(
  z.strictObject({
    name: z.string().min(1, 'expected the name of a scenario').optional().meta({
      description: 'Name of a scenario from the files. Exactly one of `name` and `inline` is required.',
      example: 'compliance-hold',
    }),
    inline: InlineScenarioSchema.optional().describe(
      'A scenario definition for this world only. Exactly one of `name` and `inline` is required.',
    ),
  }),
  (raw, report) => {
    const { name, inline } = fieldsOf(raw);
    if (name === undefined && inline === undefined) report('REQUIRED', ['name'], 'expected name or inline');
    if (name !== undefined && inline !== undefined) report('INVALID_FORMAT', ['inline'], 'expected only one of name and inline');
  },
).openapi('ScenarioChoice', {
  description: 'The scenario of a world: exactly one of `name` and `inline`.',
  ...exactlyOne('name', 'inline'),
  example: { name: 'compliance-hold' } as never,
});

export const ScenarioSummarySchema = z
  .object({
    name: z.string().describe('Name by which worlds select the scenario.'),
    summary: z.string().describe('Effect of this scenario on a client, in one sentence.'),
    extends: z.string().nullable().describe('The scenario whose rules apply if no rule of this one matches; null without one.'),
  })
  .openapi('ScenarioSummary', { description: 'A scenario, without its rules.' });

const RuleHitsSchema = z
  .object({
    name: z.string().describe('Name of the rule, or its position in the file.'),
    scenario: z.string().meta({ description: 'The scenario that contains the rule: the active scenario, or one that it extends.' }),
    on: TriggerSchema.describe('Subject of the rule: a kind of resource, requests or deliveries.'),
    matches: z.number().int().meta({ description: 'How often the conditions of the rule matched when it was evaluated.' }),
    hits: z.number().int().meta({ description: 'How often the rule was applied.' }),
  })
  .openapi('RuleHits', { description: 'A rule, and how often it was applied.' });

export const ActiveScenarioSchema = ScenarioSummarySchema.extend({
  rules: z
    .array(RuleHitsSchema)
    .max(maxInheritanceChain * maxRules)
    .meta({ description: 'The rules of the scenario and of those that it extends, in matching order.' }),
}).openapi('ActiveScenario', { description: 'The scenario that a world uses now, with the hits of its rules.' });
