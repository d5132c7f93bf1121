import { z } from '@hono/zod-openapi';
import { awaitedStatuses, kindSchemas } from '../kind-schemas.js';
import { WhySchema } from '../mirror/why.js';
import { uuidSchema } from '../../shared/common.js';
import { kindOf, type AwaitedKind } from '../../shared/kinds.js';
import { WaitMsSchema } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

export const getWhyRoute = defineRoute({
  operationId: 'getWhy',
  method: 'get',
  path: '/_sandbox/why/{resourceId}',
  tag: 'Why',
  summary: 'Tell why something is as it is',
  description: 'Of an operation, instruction, beneficiary, account, owner, document, webhook message, attempt or ledger entry.',
  params: z.object({
    resourceId: uuidSchema('the UUID of a resource (a call is shown by GET /_sandbox/requests/{requestId})').meta({
      description: 'Id of an operation, instruction, beneficiary, account, owner, document, webhook message, attempt or ledger entry.',
      example: 'b64c5118-f6d4-4569-84de-3908b37d019f',
    }),
  }),
  status: 200,
  response: WhySchema,
  errors: [],
});

/** The wait for a status of each kind that can be waited for. */
export const awaitRoutes = (Object.keys(awaitedStatuses) as AwaitedKind[]).map((kind) => {
  const { noun, one, path, awaited: example } = kindOf(kind);
  const { params, response } = kindSchemas[kind];
  const route = defineRoute({
    operationId: `await${noun}`,
    method: 'get',
    path: `/_sandbox/${path}/await`,
    tag: 'Why',
    summary: `Wait until ${one} has a status`,
    description:
      'Answers with the resource as soon as it is so, and with WAIT_TIMEOUT when the time is over or it cannot become so any more.',
    params,
    query: z.object({
      status: awaitedStatuses[kind].meta({ description: 'What the resource is to become before the call is answered.', example }),
      timeoutMs: WaitMsSchema,
    }),
    status: 200,
    response,
    errors: ['WAIT_TIMEOUT', 'RATE_LIMIT_EXCEEDED'],
  });
  return { kind, route };
});

/** In the order of the document. */
export const waitingRoutes = [getWhyRoute, ...awaitRoutes.map(({ route }) => route)] as const;
