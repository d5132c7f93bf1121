import { z } from '@hono/zod-openapi';
import { TimestampSchema } from '../shared/common.js';
import { maxErrorItems } from '../shared/errors.js';
import { FileMistakeSchema } from './scenario-files.js';

/** What a sandbox tells of itself. Without a token, where one is set, only what a caller needs to come back with it. */
export const StatusSchema = z
  .object({
    version: z.string().meta({ description: 'What was released: the version of the package and of the image.', example: '0.1.0' }),
    auth: z
      .enum(['none', 'token'])
      .openapi('ControlAuth', { description: 'What control calls have to carry: nothing, or the token of SANDBOX_CONTROL_TOKEN.' })
      .describe('What control calls have to carry.'),
    apiVersions: z
      .array(z.string())
      .max(100)
      .optional()
      .describe('The values of X-Service-Version that the public API knows, oldest first.'),
    startedAt: TimestampSchema.optional().describe('When the process started, in real time.'),
    internalUrl: z.string().optional().meta({
      description:
        'Base URL of the control plane as the sandbox itself reaches it: what the URLs of inboxes and listeners begin with, whatever names and ports lead there from outside.',
      example: 'http://127.0.0.1:4010',
    }),
    controlUrl: z
      .string()
      .optional()
      .meta({ description: 'Base URL of the control plane, by the host that this call named.', example: 'http://localhost:4010' }),
    publicUrl: z.string().optional().meta({
      description:
        'Base URL of the public API, by the host that this call named. Where the control plane has a port of its own, with the port that the sandbox listens at, which a container may map to another.',
      example: 'http://localhost:4010',
    }),
    inContainer: z.boolean().optional().meta({
      description:
        'Whether the sandbox runs in a container, where localhost in the URL of a webhook is the container and not your machine.',
    }),
    readOnly: z
      .boolean()
      .optional()
      .meta({ description: 'Whether nothing can be stored any more, so that all changes are refused. The log says why.' }),
    freeBytes: z
      .number()
      .int()
      .nullable()
      .optional()
      .meta({ description: 'How many bytes are free on the disk of the state; null where there is none.', example: 21_474_836_480 }),
    worlds: z.number().int().optional().describe('How many worlds there are; of those in PostgreSQL, how many this node has.'),
    scenarios: z
      .object({
        loadedAt: TimestampSchema.describe('When the scenario files were read last, in real time.'),
        mistakes: z
          .array(FileMistakeSchema)
          .max(maxErrorItems)
          .describe('What is wrong with them, at most 100 mistakes. Empty when all are sound.'),
      })
      .optional()
      .describe('How the scenario files stand.'),
  })
  .openapi('Status', {
    description: 'What a sandbox is and how it stands. Where a control token is set, a call without it is told `version` and `auth` alone.',
  });

export type Status = z.infer<typeof StatusSchema>;
