import { z } from '@hono/zod-openapi';
import { CoverageSchema, TierSchema } from '../../analysis/coverage.js';
import { defineRoute } from '../../../shared/route.js';

export const getCoverageRoute = defineRoute({
  operationId: 'getCoverage',
  method: 'get',
  path: '/_sandbox/coverage',
  tag: 'Findings',
  summary: 'Get the part of the API that the client has covered',
  description:
    'Counts requests and webhooks in all generations of the world. An item is covered only if the client has observed it. ' +
    'Each missing item lists the requests that cause it. You can send them after you replace the parts in braces; ' +
    'requests of the public API also need a token and an idempotency key. DELETE /_sandbox/findings starts again from zero.',
  query: z.object({
    tier: TierSchema.default('all').meta({ description: 'Tier of the items to return.', example: 'all' }),
    missing: z.enum(['true', 'false']).default('false').meta({ description: 'Whether to list only missing items.' }),
  }),
  status: 200,
  response: CoverageSchema,
  errors: [],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const coverageRoutes = [getCoverageRoute] as const;
