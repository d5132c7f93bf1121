import { z } from '@hono/zod-openapi';
import { awaitedStatuses, kindSchemas } from '../kind-schemas.js';
import { WhySchema } from '../analysis/why.js';
import { patternSchema } from '../../shared/messages/forms.js';
import { kindOf, type AwaitedKind } from '../../shared/kinds.js';
import { WaitMsSchema } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

export const getWhyRoute = defineRoute({
  operationId: 'getWhy',
  method: 'get',
  path: '/_sandbox/why/{resourceId}',
  tag: 'Why',
  summary: 'Explain why a resource is in its present state',
  description:
    'Takes any id that the API or the control API shows: of a resource, quote, subscription, webhook message, attempt, ledger entry, request, fault, inbox message, timer or finding, or an idempotency key. Ids of earlier generations are found as long as their requests are recorded.',
  params: z.object({
    resourceId: patternSchema(/^[!-~]{1,255}$/, 'an id of 1 to 255 characters without spaces', 'b64c5118-f6d4-4569-84de-3908b37d019f').meta(
      {
        description: 'Any id that the API or the control API shows, or an idempotency key.',
        example: 'b64c5118-f6d4-4569-84de-3908b37d019f',
      },
    ),
  }),
  status: 200,
  response: WhySchema,
  errors: [],
  client: 'world.why(id)',
});

/** The routes that wait for a status, for each kind that supports it. */
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
      'Returns the resource as soon as it has the status. Fails with WAIT_TIMEOUT at the timeout, or earlier if the status can no longer be reached.',
    params,
    query: z.object({
      status: awaitedStatuses[kind].meta({ description: 'The request returns when the resource has this status.', example }),
      timeoutMs: WaitMsSchema,
    }),
    status: 200,
    response,
    errors: ['WAIT_TIMEOUT', 'RATE_LIMIT_EXCEEDED'],
  });
  return { kind, route };
});

/** The operations of this file, in the order of the OpenAPI document. */
export const waitingRoutes = [getWhyRoute, ...awaitRoutes.map(({ route }) => route)] as const;
