import { z } from '@hono/zod-openapi';
import { patternSchema } from '../shared/messages/forms.js';

/** Maximum number of different rows that are listed, and of fields of a changed row. */
export const maxDifferentRows = 200;
export const maxDifferentFields = 20;
/** Maximum length of a shown value, in characters. */
export const maxShownValue = 200;
/** Maximum number of tables in a comparison. */
const maxTables = 100;

const side = patternSchema(
  /^(snapshot:[A-Za-z0-9][A-Za-z0-9._-]{0,63}|world:[a-z0-9][a-z0-9-]{0,62})$/,
  'a snapshot of this world, or a world',
  'snapshot:funded',
);

export const StateDifferencesQuerySchema = z.object({
  from: side.meta({
    description: 'The state before: `snapshot:<name>` for a snapshot of this world, or `world:<name>` for the present state of a world.',
    example: 'snapshot:funded',
  }),
  to: side.optional().meta({
    description: 'The state after, like `from`. Default: the present state of this world.',
    example: 'world:ci-worker-7',
  }),
});

const ValueSchema = z.string().nullable();

const FieldDifferenceSchema = z
  .object({
    path: z.string().meta({ description: 'Path of the field in the row.', example: 'states.1.status' }),
    from: ValueSchema.describe(`The value before as JSON, at most ${maxShownValue} characters; null if the row did not have the field.`),
    to: ValueSchema.describe(`The value after as JSON, at most ${maxShownValue} characters; null if the row does not have the field.`),
  })
  .openapi('FieldDifference', { description: 'A field that differs between the two states.' });

const RowDifferenceSchema = z
  .object({
    table: z.string().meta({ description: 'Table of the row, as in the exported state.', example: 'operations' }),
    id: z.string().describe('Id of the row, equal in both compared states.'),
    change: z
      .enum(['ADDED', 'REMOVED', 'CHANGED'])
      .openapi('RowChange', { description: 'Whether a row is only in the state after, only in the state before, or in both.' })
      .describe('How the row differs.'),
    fields: z
      .array(FieldDifferenceSchema)
      .max(maxDifferentFields)
      .describe(`The fields that differ in a changed row, at most ${maxDifferentFields}; empty for an added or removed row.`),
  })
  .openapi('RowDifference', { description: 'A row that differs between the two states.' });

export type RowDifference = z.infer<typeof RowDifferenceSchema>;

const count = (what: string) => z.number().int().describe(`Number of rows that are ${what}.`);

export const StateDifferencesSchema = z
  .object({
    tables: z
      .array(
        z
          .object({
            table: z.string().meta({ description: 'Table, as in the exported state.', example: 'operations' }),
            added: count('only in the state after'),
            removed: count('only in the state before'),
            changed: count('in both states with different fields'),
          })
          .openapi('TableDifference', { description: 'A table that differs, with the number of its different rows.' }),
      )
      .max(maxTables)
      .describe('The tables that differ. Empty if the states are equal.'),
    rows: z
      .array(RowDifferenceSchema)
      .max(maxDifferentRows)
      .describe(`The rows that differ, at most ${maxDifferentRows}, in the order of the tables.`),
    omitted: z.number().int().meta({ description: 'Number of different rows that are not listed.' }),
  })
  .openapi('StateDifferences', { description: 'The rows that differ between two states.' });

export type StateDifferences = z.infer<typeof StateDifferencesSchema>;
