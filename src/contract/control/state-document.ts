import { z } from '@hono/zod-openapi';
import { ClockInstantSchema, ClockModeSchema } from './clock.js';
import { TimestampSchema, UuidSchema } from '../shared/common.js';
import { form } from '../shared/messages/forms.js';

/** How large a document may be, in bytes: what is exported can be imported. */
export const maxDocumentBytes = 512 * 1024 * 1024;

/** No row is shorter than this, in bytes. */
const minRowBytes = 10;

/** How many snapshots a world has at most. */
export const maxSnapshots = 1000;

export const StateDocumentSchema = z
  .strictObject({
    version: z
      .literal(1, 'expected 1, the version of the documents that this sandbox exports')
      .meta({ description: 'Version of this format.' }),
    customerId: UuidSchema.meta({ description: 'Becomes that of the world which imports the document, wherever it stands.' }),
    companyId: UuidSchema.describe('Becomes that of the world which imports the document, wherever it stands.'),
    clock: z
      .strictObject({
        mode: ClockModeSchema.describe('Whether time goes on by itself after the import.'),
        now: ClockInstantSchema.describe('The instant from which time goes on.'),
      })
      .openapi('StateClock', { description: 'The clock that a document brings along.' })
      .describe('What the clock of the world is set to.'),
    tables: z
      // Rows are looked at when they are taken, one by one: all at once would take long.
      .record(
        z.string(),
        z
          .array(z.unknown())
          .max(Math.floor(maxDocumentBytes / minRowBytes))
          .meta({ items: { type: 'object', additionalProperties: {} } }),
      )
      .meta({ description: 'All that the world remembers, by table, in the order of creation.' }),
  })
  .openapi('StateDocument', { description: 'A whole world but its name, its credentials and its snapshots.' });

/** What has to be known of a document before its rows are read. */
export const StateHeadSchema = StateDocumentSchema.pick({ customerId: true, companyId: true }).strip().extend({
  version: StateDocumentSchema.shape.version.optional(),
});

export type StateDocument = z.infer<typeof StateDocumentSchema>;

export const SnapshotRequestSchema = z
  .strictObject({
    name: form(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'a name of 1 to 64 letters, digits, dots, hyphens and underscores that begins with a letter or a digit',
      'funded',
    ).meta({ description: 'Unique in its world: letters, digits, dots, underscores and hyphens.', example: 'funded' }),
  })
  .openapi('SnapshotRequest', { description: 'What to call a snapshot.' });

export const SnapshotSchema = z
  .object({
    name: z.string().describe('What the snapshot is called.'),
    createdAt: TimestampSchema.meta({ description: 'The instant of the world that it holds, and from which time goes on.' }),
  })
  .openapi('Snapshot', { description: 'A world as it was at an instant, to go back to.' });
