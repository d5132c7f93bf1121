import { z } from '@hono/zod-openapi';
import { patternSchema, nameWithoutSecret, textSchema } from '../../shared/messages/forms.js';

/** The client of a world, and the subject of a report. */

export const ClientRequestSchema = z
  .strictObject({
    name: textSchema(100).meta({ description: 'Name of the client, for example of the service.', example: 'payout-service' }),
    version: textSchema(100).optional().meta({ description: 'Version of the client. Default: none.', example: '2.4.0' }),
    commit: textSchema(100).optional().meta({ description: 'Commit from which the client was built. Default: none.', example: '9fceb02' }),
  })
  .openapi('ClientRequest', {
    description: 'The client that uses a world.',
    example: { name: 'payout-service', commit: '9fceb02' } as never,
  });

export const ClientInfoSchema = z
  .object({
    name: z.string().meta({ description: 'Name of the program under test.', example: 'payout-service' }),
    version: z.string().nullable().meta({ description: 'Version of the client; null if it was not given.' }),
    commit: z.string().nullable().meta({ description: 'Commit from which the client was built; null if it was not given.' }),
  })
  .openapi('ClientInfo', { description: 'The client that uses a world.' });

export type ClientInfo = z.infer<typeof ClientInfoSchema>;

const part = '[a-zA-Z][a-zA-Z0-9_-]{0,31}=[!-+.-~-]{1,200}';

/** The judged build, as names and values. */
export const SubjectSchema = nameWithoutSecret(
  patternSchema(
    new RegExp(`^${part}(,${part}){0,9}$`),
    'at most 10 names with values, separated by commas',
    'commit=9fceb02,image=sha256:4e07',
  ),
);

/** Returns the names and values of a subject. */
export const subjectOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(',').map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
