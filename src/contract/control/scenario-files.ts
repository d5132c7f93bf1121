import { z } from '@hono/zod-openapi';
import { TimestampSchema, orNull } from '../shared/common.js';

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
    mistakes: z.array(FileMistakeSchema).meta({ description: 'What is wrong with the file as it is now. Empty when it is sound.' }),
  })
  .openapi('ScenarioFile', { description: 'A file of the scenario directories, with its mistakes.' });

export type ScenarioFile = z.infer<typeof ScenarioFileSchema>;
