import { z } from '@hono/zod-openapi';
import { defineRoute } from '../../../shared/route.js';
import { ReplaySchema } from '../../analysis/replay.js';
import { TestMarkSchema } from '../../analysis/record.js';

export const getReplayRoute = defineRoute({
  operationId: 'getReplay',
  method: 'get',
  path: '/_sandbox/replay',
  tag: 'Requests',
  summary: 'Get a replay file of a test',
  description:
    'One file, at most 2 MiB, that repeats the latest marked test in another sandbox: the world, every request and every webhook attempt, without secrets. ' +
    'Without a marked test, it repeats the present generation of the world.',
  query: z.object({
    test: TestMarkSchema.shape.name.optional().meta({
      description: 'Name of the test, which must be the latest marked one. Default: that one.',
      example: 'pays out',
    }),
  }),
  status: 200,
  response: ReplaySchema,
  errors: [],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const replayRoutes = [getReplayRoute] as const;
