import { z } from '@hono/zod-openapi';
import { kindNames } from '../shared/kinds.js';

const statusSchema = z.string().meta({ description: 'A status.', example: 'PROCESSING' });

export const KindsSchema = z
  .object({
    data: z
      .array(
        z
          .object({
            kind: z
              .enum(kindNames)
              .openapi('KindName', { description: 'A kind of resource that has statuses.' })
              .describe('What it is that goes through these statuses.'),
            statuses: z.array(statusSchema).max(20).describe('Its statuses, in the order in which they are usually met.'),
            transitions: z
              .array(
                z
                  .object({
                    from: z.string().meta({ description: 'The status before.', example: 'PROCESSING' }),
                    to: z.string().meta({ description: 'The status afterwards.', example: 'COMPLETED' }),
                  })
                  .openapi('Transition', { description: 'A change of status that is legal.' }),
              )
              .max(100)
              .describe('The changes of status that are legal.'),
          })
          .openapi('Kind', { description: 'A kind of resource: its statuses, and how it goes from one to another.' }),
      )
      .max(20)
      .describe('The kinds of resource that have statuses.'),
  })
  .openapi('Kinds', { description: 'How resources of each kind go from status to status.' });

export type Kinds = z.infer<typeof KindsSchema>;
