import { z } from '@hono/zod-openapi';
import { ExpectRequestSchema, ExpectedFindingSchema, FindingsSchema } from '../../mirror/findings.js';
import { defineRoute } from '../../../shared/route.js';

const tag = 'Mirror';

const flag = (description: string) => z.enum(['true', 'false']).default('false').meta({ description });

export const listFindingsRoute = defineRoute({
  operationId: 'listFindings',
  method: 'get',
  path: '/_sandbox/findings',
  tag,
  summary: 'List what the client has done that it should not',
  description:
    'Found by rules as calls and webhooks pass, one finding for each rule, operation or event, and test, with what shows it and what mends it. ' +
    'What comes later may excuse one, which then is no longer listed.',
  query: z.object({
    chapter: z
      .enum(['all'])
      .optional()
      .meta({ description: '`all` for those from before the last reset, restore or import, too.', example: 'all' }),
    hints: flag('Whether hints are listed too: what might be better, and never fails anything.'),
    final: flag('Whether nothing more comes: what only the end of a run can show is found then.'),
  }),
  status: 200,
  response: FindingsSchema,
  errors: [],
});

export const clearFindingsRoute = defineRoute({
  operationId: 'clearFindings',
  method: 'delete',
  path: '/_sandbox/findings',
  tag,
  summary: 'Forget all findings of a world, and its coverage',
  description: 'And all that they are found by, what was announced, and what the client has met: as if the client had done nothing so far.',
  status: 204,
  response: null,
  errors: [],
});

export const expectFindingRoute = defineRoute({
  operationId: 'expectFinding',
  method: 'post',
  path: '/_sandbox/findings/expect',
  tag,
  summary: 'Announce a misuse that a test commits on purpose',
  description:
    'The next findings of the rule, in the test that is marked now, are EXPECTED, and fail nothing. One that does not come is told in the list.',
  body: ExpectRequestSchema,
  status: 201,
  response: ExpectedFindingSchema,
  errors: [],
});

/** In the order of the document. */
export const findingRoutes = [listFindingsRoute, clearFindingsRoute, expectFindingRoute] as const;
