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
              .openapi('KindName', { description: 'A kind of resource with statuses.' })
              .describe('Kind of resource with these statuses.'),
            statuses: z.array(statusSchema).max(20).describe('Statuses of the kind, in their usual order.'),
            transitions: z
              .array(
                z
                  .object({
                    from: z.string().meta({ description: 'Status before the transition.', example: 'PROCESSING' }),
                    to: z.string().meta({ description: 'Status after the transition.', example: 'COMPLETED' }),
                  })
                  .openapi('Transition', { description: 'An allowed change of status.' }),
              )
              .max(100)
              .describe('The allowed changes of status.'),
          })
          .openapi('Kind', { description: 'A kind of resource with its statuses and transitions.' }),
      )
      .max(20)
      .describe('The kinds of resource with statuses.'),
  })
  .openapi('Kinds', { description: 'The statuses and transitions of each kind of resource.' });

export type Kinds = z.infer<typeof KindsSchema>;
