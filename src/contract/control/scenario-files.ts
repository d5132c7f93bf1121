import { z } from '@hono/zod-openapi';
import { TimestampSchema, orNull } from '../shared/common.js';
import { TriggerSchema, maxLineage, maxRules } from '../scenario/scenario.js';
import { maxErrorItems } from '../shared/errors.js';

/** How many scenario files are read; as many again may be gone while worlds still use what they held. */
export const maxScenarioFiles = 1000;

/** A mistake in a file that people write. */
export const FileMistakeSchema = z
  .object({
    file: z.string().meta({ description: 'The file, as the settings lead to it.', example: 'scenarios/mine.yaml' }),
    line: z.number().int().min(1).meta({ description: 'Its line, from 1.' }),
    column: z.number().int().min(1).meta({ description: 'The character in that line, from 1.' }),
    message: z.string().meta({
      description: 'The field, what was expected there and what was found.',
      example: 'rules[0].steps[0].to: expected one of PROCESSING, COMPLETED; got "DONE"',
    }),
    expected: z.string().meta({ description: 'What was expected there, alone.' }),
  })
  .openapi('FileMistake', { description: 'What is wrong with a scenario file, and where.' });

export type FileMistake = z.infer<typeof FileMistakeSchema>;

/** A mistake as one line: file, line, column, and what was expected there. */
export function mistakeText({ file, line, column, message }: FileMistake): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** A scenario file as it stands. */
export const ScenarioFileSchema = z
  .object({
    file: z.string().meta({ description: 'The file, as the settings lead to it.', example: 'scenarios/mine.yaml' }),
    scenario: z.string().meta({ description: 'The scenario that it holds; of one that cannot be read, what its name suggests.' }),
    loadedAt: orNull(TimestampSchema).meta({
      description:
        'When the version that is in force was read, in real time: the last one without mistakes. Null when nothing of the file is in force, because of its mistakes or because another file replaces it.',
    }),
    mistakes: z.array(FileMistakeSchema).max(maxErrorItems).meta({
      description: 'What is wrong with the file as it is now, at most 100 mistakes. Empty when it is sound.',
    }),
  })
  .openapi('ScenarioFile', { description: 'A file of the scenario directories, with its mistakes.' });

export type ScenarioFile = z.infer<typeof ScenarioFileSchema>;

/** How long a scenario file may be, in characters; none that a person writes is longer. */
export const maxScenarioText = 65_536;

export const ScenarioTextSchema = z
  .strictObject({
    text: z
      .string()
      .max(maxScenarioText)
      .meta({ description: 'The text of a scenario file, YAML or JSON, as it would stand in a directory: at most 65,536 characters.' }),
    file: z
      .string()
      .min(1)
      .max(255)
      .default('scenario.yaml')
      .meta({ description: 'What the mistakes are to call the file.', example: 'scenarios/mine.yaml' }),
  })
  .openapi('ScenarioText', {
    description: 'A scenario file to look at.',
    example: { text: 'scenario: mine\nsummary: Mine.\nextends: default\nrules: []\n', file: 'scenarios/mine.yaml' } as never,
  });

const CheckedRuleSchema = z
  .object({
    name: z.string().describe('Name of the rule, or its place in its file.'),
    scenario: z.string().meta({ description: 'The scenario that the rule stands in: this one or an ancestor.' }),
    on: TriggerSchema.describe('What the rule is on.'),
  })
  .openapi('CheckedRule', { description: 'A rule of a scenario that was looked at.' });

export const ScenarioCheckSchema = z
  .object({
    valid: z.boolean().meta({ description: 'Whether the file could be loaded beside those that are.' }),
    mistakes: z
      .array(FileMistakeSchema)
      .max(maxErrorItems)
      .meta({ description: 'What is wrong with it, at most 100 mistakes. Empty when it is valid.' }),
    rules: z
      .array(CheckedRuleSchema)
      .max(maxLineage * maxRules)
      .meta({
        description: 'Its rules and those of its ancestors, in the order in which they would be tried. Empty when it is not valid.',
      }),
  })
  .openapi('ScenarioCheck', { description: 'What would come of a scenario file.' });

export type ScenarioCheck = z.infer<typeof ScenarioCheckSchema>;
