import { z } from '@hono/zod-openapi';
import { CoverageSchema, TierSchema } from '../../mirror/coverage.js';
import { defineRoute } from '../../../shared/route.js';

export const getCoverageRoute = defineRoute({
  operationId: 'getCoverage',
  method: 'get',
  path: '/_sandbox/coverage',
  tag: 'Mirror',
  summary: 'Show which part of the API the client has met',
  description:
    'Counted as calls and webhooks pass, over all chapters of the world. What happened without the client’s being told counts as not met. ' +
    'What is missing says how to come by it, with requests that can be sent as they stand, but for what is in braces; ' +
    'those of the public API also want a token and an idempotency key. DELETE of the findings begins anew.',
  query: z.object({
    tier: TierSchema.default('all').meta({ description: 'What to show.', example: 'all' }),
    missing: z.enum(['true', 'false']).default('false').meta({ description: 'Whether to list only what is missing.' }),
  }),
  status: 200,
  response: CoverageSchema,
  errors: [],
});

/** In the order of the document. */
export const coverageRoutes = [getCoverageRoute] as const;
