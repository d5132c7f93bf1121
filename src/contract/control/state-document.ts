import { z } from '@hono/zod-openapi';
import { ClockInstantSchema, ClockModeSchema } from './clock.js';
import { TimestampSchema, UuidSchema } from '../shared/common.js';
import { patternSchema, nameWithoutSecret } from '../shared/messages/forms.js';

/** Maximum size of an exported or imported state document, in bytes. */
export const maxDocumentBytes = 512 * 1024 * 1024;

/** Minimum size of a row in a state document, in bytes. */
const minRowBytes = 10;

/** Maximum number of snapshots of a world. */
export const maxSnapshots = 1000;

export const StateDocumentSchema = z
  .strictObject({
    version: z
      .literal(1, 'expected 1, the version of the documents that this sandbox exports')
      .meta({ description: 'Version of this format.' }),
    customerId: UuidSchema.meta({
      description: 'Customer id. An import replaces it everywhere in the document with that of the importing world.',
    }),
    companyId: UuidSchema.describe('Company id. An import replaces it everywhere in the document with that of the importing world.'),
    clock: z
      .strictObject({
        mode: ClockModeSchema.describe('Mode of the clock after the import.'),
        now: ClockInstantSchema.describe('World time from which the clock continues.'),
      })
      .openapi('StateClock', { description: 'Mode and time of the exported clock.' })
      .describe('The clock to set in the world.'),
    tables: z
      // Rows are validated one by one during the import: validating all at once would block the process.
      .record(
        z.string(),
        z
          .array(z.unknown())
          .max(Math.floor(maxDocumentBytes / minRowBytes))
          .meta({ items: { type: 'object', additionalProperties: {} } }),
      )
      .meta({ description: 'All rows of the world, by table, in the order of creation.' }),
  })
  .openapi('StateDocument', { description: 'The complete state of a world, without its name, credentials and snapshots.' });

/** The fields that an import needs before it reads the rows. */
export const StateHeadSchema = StateDocumentSchema.pick({ customerId: true, companyId: true }).strip().extend({
  version: StateDocumentSchema.shape.version.optional(),
});

export type StateDocument = z.infer<typeof StateDocumentSchema>;

export const SnapshotRequestSchema = z
  .strictObject({
    name: nameWithoutSecret(
      patternSchema(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
        'a name of 1 to 64 letters, digits, dots, hyphens and underscores that begins with a letter or a digit',
        'funded',
      ),
    ).meta({
      description: 'Name of the snapshot, unique in its world: letters, digits, dots, underscores and hyphens.',
      example: 'funded',
    }),
  })
  .openapi('SnapshotRequest', { description: 'The name of a new snapshot.' });

export const SnapshotSchema = z
  .object({
    name: z.string().describe('Name given when the snapshot was created.'),
    createdAt: TimestampSchema.meta({ description: 'World time of the snapshot. After a restore, the clock continues from this time.' }),
  })
  .openapi('Snapshot', { description: 'A stored state of a world, which you can restore.' });
