import { z } from '@hono/zod-openapi';
import { TimestampSchema, orNull } from '../shared/common.js';
import { TriggerSchema, maxInheritanceChain, maxRules, triggers } from '../scenario/scenario.js';
import { maxErrorItems } from '../shared/errors.js';

/** Maximum number of scenario files. Worlds may still use an equal number of deleted files. */
export const maxScenarioFiles = 1000;

/** An error in a file that users write. */
export const FileMistakeSchema = z
  .object({
    file: z.string().meta({ description: 'Path of the file, starting with the configured directory.', example: 'scenarios/mine.yaml' }),
    line: z.number().int().min(1).meta({ description: 'Line, starting at 1.' }),
    column: z.number().int().min(1).meta({ description: 'Character in the line, starting at 1.' }),
    message: z.string().meta({
      description: 'The field, the expected value and the value found.',
      example: 'rules[0].steps[0].to: expected one of PROCESSING, COMPLETED; got "DONE"',
    }),
    expected: z.string().meta({ description: 'The expected value only.' }),
  })
  .openapi('FileMistake', { description: 'An error in a scenario file, with its position.' });

export type FileMistake = z.infer<typeof FileMistakeSchema>;

/** Formats an error as one line: file, line, column and message. */
export function mistakeText({ file, line, column, message }: FileMistake): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** A scenario file, the time at which its active version was read, and its errors. */
export const ScenarioFileSchema = z
  .object({
    file: z.string().meta({ description: 'Path of the file, starting with the configured directory.', example: 'scenarios/mine.yaml' }),
    scenario: z.string().meta({ description: 'Name of the scenario in the file; derived from the file name if the file cannot be read.' }),
    loadedAt: orNull(TimestampSchema).meta({
      description:
        'Real time at which the active version was read: the last one without errors. Null if no version is active, because of errors or because another file replaces this one.',
    }),
    errors: z.array(FileMistakeSchema).max(maxErrorItems).meta({
      description: 'Errors in the present version of the file, at most 100. Empty if it is valid.',
    }),
  })
  .openapi('ScenarioFile', { description: 'A file of the scenario directories, with its errors.' });

export type ScenarioFile = z.infer<typeof ScenarioFileSchema>;

/** Maximum length of a scenario file, in characters. Files written by hand are shorter. */
export const maxScenarioText = 65_536;

export const ScenarioTextSchema = z
  .strictObject({
    text: z.string().max(maxScenarioText).meta({ description: 'Content of a scenario file, in YAML or JSON; at most 65,536 characters.' }),
    file: z
      .string()
      .min(1)
      .max(255)
      .default('scenario.yaml')
      .meta({ description: 'Name of the file in the errors.', example: 'scenarios/mine.yaml' }),
  })
  .openapi('ScenarioText', {
    description: 'A scenario file to check.',
    example: { text: 'scenario: mine\nsummary: Mine.\nextends: default\nrules: []\n', file: 'scenarios/mine.yaml' } as never,
  });

const CheckedRuleSchema = z
  .object({
    name: z.string().describe('Name of the rule, or its position in the file.'),
    scenario: z.string().meta({ description: 'The scenario that contains the rule: the checked scenario, or one that it extends.' }),
    on: TriggerSchema.describe('Subject of the rule: a kind of resource, requests or deliveries.'),
  })
  .openapi('CheckedRule', { description: 'A rule that the checked scenario would apply.' });

export const ScenarioCheckSchema = z
  .object({
    valid: z.boolean().meta({ description: 'True if the file could be loaded in addition to the present files.' }),
    errors: z.array(FileMistakeSchema).max(maxErrorItems).meta({ description: 'Errors in the file, at most 100. Empty if it is valid.' }),
    warnings: z.array(FileMistakeSchema).max(maxErrorItems).meta({
      description:
        'Parts of the file that are allowed, but differ from the documentation of the payments API; at most 100. Empty if the file is not valid.',
    }),
    rules: z
      .array(CheckedRuleSchema)
      .max(maxInheritanceChain * maxRules)
      .meta({
        description: 'The rules of the file and of the scenarios that it extends, in matching order. Empty if the file is not valid.',
      }),
    definition: orNull(z.record(z.string(), z.unknown())).meta({
      description: 'The scenario as JSON, for `inline` of `PUT /_sandbox/scenario`; null if the file is not valid.',
    }),
  })
  .openapi('ScenarioCheck', { description: 'The result of checking a scenario file.' });

export type ScenarioCheck = z.infer<typeof ScenarioCheckSchema>;

/** Maximum number of past triggers of each kind on which a scenario is tried. */
export const maxTrials = 50;

/** Maximum number of rules whose mismatch is explained for one trigger. */
export const maxMissed = 3;

const ScenarioTrialSchema = z
  .object({
    on: TriggerSchema.describe('What the rule would have applied to.'),
    id: z.string().describe('Id of the resource; X-Request-Id of a request; id of the execution log of an attempt.'),
    at: TimestampSchema.describe('World time of the request or attempt, or of the creation of the resource.'),
    summary: z.string().describe('The resource, request or attempt in one line.'),
    rule: z.string().nullable().describe('Name of the rule that would have applied; null if none.'),
    scenario: z
      .string()
      .nullable()
      .describe('The scenario that contains the rule: the tried one, or one that it extends; null without a rule.'),
    missed: z
      .array(z.string().meta({ example: 'Rule "large" did not match: sourceAmount.asset is USDT, the rule asks for BRL.' }))
      .max(maxMissed)
      .describe('Why rules of the tried scenario itself did not match, at most 3. Empty if one of them would have applied.'),
  })
  .openapi('ScenarioTrial', { description: 'A past request, attempt or resource, and the rule that would have applied to it.' });

export type ScenarioTrial = z.infer<typeof ScenarioTrialSchema>;

export const ScenarioTrialsSchema = z
  .object({
    valid: z.boolean().meta({ description: 'True if the scenario could be tried.' }),
    errors: z
      .array(FileMistakeSchema)
      .max(maxErrorItems)
      .meta({ description: 'Errors in the scenario, at most 100. Empty if it is valid.' }),
    scenario: z.string().nullable().describe('Name of the tried scenario; null if it is not valid.'),
    data: z
      .array(ScenarioTrialSchema)
      .max(maxTrials * triggers.length)
      .describe(`The newest ${maxTrials} triggers of each kind for which the scenario has rules, newest first. Empty if it is not valid.`),
  })
  .openapi('ScenarioTrials', { description: 'The rules of a scenario that past triggers would have matched.' });

export type ScenarioTrials = z.infer<typeof ScenarioTrialsSchema>;

export const ScenarioSourceSchema = z
  .strictObject({
    text: ScenarioTextSchema.shape.text,
    replace: z.boolean().default(false).meta({
      description: 'True to replace a scenario that already exists. Default: false, which rejects the request in this case.',
    }),
  })
  .openapi('ScenarioSource', {
    description: 'A scenario file to save.',
    example: { text: 'scenario: mine\nsummary: Mine.\nextends: default\nrules: []\n' } as never,
  });
