import { z } from '@hono/zod-openapi';
import { TimestampSchema } from '../shared/common.js';
import { maxErrorItems } from '../shared/errors.js';
import { FileMistakeSchema } from './scenario-files.js';

/** The status of a sandbox. A request without a required token gets only `version` and `auth`. */
export const StatusSchema = z
  .object({
    version: z.string().meta({ description: 'Version of the package and of the image.', example: '0.1.0' }),
    auth: z
      .enum(['none', 'token'])
      .openapi('ControlAuth', {
        description: 'The required authentication of control requests: none, or the token in SANDBOX_CONTROL_TOKEN.',
      })
      .describe('Required authentication of control requests.'),
    apiVersions: z.array(z.string()).max(100).optional().describe('The supported values of X-Service-Version, oldest first.'),
    bootId: z.string().optional().meta({
      description: 'Id of the running process. It changes at each restart, when the numbers of events start again.',
      example: 'V1StGXR8_Z',
    }),
    startedAt: TimestampSchema.optional().describe('Real time at which the process started.'),
    internalUrl: z.string().optional().meta({
      description:
        'Base URL of the control API from inside the sandbox. Use it for the URLs of inboxes and listeners, even if the control API has other names and ports from outside.',
      example: 'http://127.0.0.1:4010',
    }),
    controlUrl: z
      .string()
      .optional()
      .meta({ description: 'Base URL of the control API, with the host of this request.', example: 'http://localhost:4010' }),
    publicUrl: z.string().optional().meta({
      description:
        'Base URL of the public API, with the host of this request. If the control API has a separate port, this URL has the port on which the sandbox listens; a container may map it to another port.',
      example: 'http://localhost:4010',
    }),
    inContainer: z.boolean().optional().meta({
      description: 'Whether the sandbox runs in a container. If so, localhost in a webhook URL is the container and not your machine.',
    }),
    readOnly: z
      .boolean()
      .optional()
      .meta({ description: 'True if the sandbox cannot store data, so it rejects all changes. The log has the reason.' }),
    freeBytes: z
      .number()
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Free bytes on the disk that stores the state; null if there is no disk.', example: 21_474_836_480 }),
    worlds: z.number().int().optional().describe('Number of worlds. With PostgreSQL: number of worlds on this node.'),
    scenarios: z
      .object({
        loadedAt: TimestampSchema.describe('Real time at which the scenario files were last read.'),
        errors: z.array(FileMistakeSchema).max(maxErrorItems).describe('Errors in the files, at most 100. Empty if all are valid.'),
      })
      .optional()
      .describe('Status of the scenario files.'),
  })
  .openapi('Status', {
    description: 'Version and status of a sandbox. If a control token is configured, a request without it gets only `version` and `auth`.',
  });

export type Status = z.infer<typeof StatusSchema>;
