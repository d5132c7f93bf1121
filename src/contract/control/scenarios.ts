import { z } from '@hono/zod-openapi';
import { exactlyOne, fieldsOf, rule } from '../shared/rule.js';
import { InlineScenarioSchema, TriggerSchema, maxLineage, maxRules } from '../scenario/scenario.js';

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
