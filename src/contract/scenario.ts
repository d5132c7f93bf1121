import { z } from '@hono/zod-openapi';
import { DurationSchema } from './duration.js';

/** The kinds of thing whose course a scenario decides. */
export const triggers = ['OPERATION', 'PAYMENT_INSTRUCTION'] as const;
export type Trigger = (typeof triggers)[number];

const ScalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const ConditionSchema = z.union([
  ScalarSchema,
  z.strictObject({
    eq: ScalarSchema.optional(),
    ne: ScalarSchema.optional(),
    gt: ScalarSchema.optional(),
    gte: ScalarSchema.optional(),
    lt: ScalarSchema.optional(),
    lte: ScalarSchema.optional(),
    in: z.array(ScalarSchema).optional(),
    nin: z.array(ScalarSchema).optional(),
    like: z.string().optional(),
    text: z.string().optional(),
    last: ScalarSchema.optional(),
    last_ne: ScalarSchema.optional(),
  }),
]);

const StepSchema = z.strictObject({
  after: DurationSchema.describe('Time since the step before, or since the start.'),
  to: z.string().describe('The status to enter.'),
  reason: z
    .strictObject({
      code: z.string().min(1).max(100),
      message: z.string().max(500).optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .optional()
    .describe('Why. A code of the catalogue brings its own message.'),
});

export type ScenarioStep = z.infer<typeof StepSchema>;

const RuleSchema = z.strictObject({
  name: z.string().min(1).max(120).optional(),
  on: z.enum(triggers),
  when: z.record(z.string(), ConditionSchema).optional().describe('Conditions on the fields of the resource; all must hold.'),
  steps: z.array(StepSchema).describe('What happens, in order. None: it stays until it is forced.'),
});

export type ScenarioRule = z.infer<typeof RuleSchema>;

/** A scenario file. */
export const ScenarioSchema = z.strictObject({
  scenario: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
    .describe('Its name.'),
  summary: z.string().min(1).max(300),
  extends: z.string().optional().describe('The scenario whose rules apply where none of this one does.'),
  rules: z.array(RuleSchema),
});

export type Scenario = z.infer<typeof ScenarioSchema>;
