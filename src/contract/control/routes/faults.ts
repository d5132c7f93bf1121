import { z } from '@hono/zod-openapi';
import { FaultParams } from '../../shared/path-params.js';
import { FaultRequestSchema, FaultSchema, maxFaults } from '../../scenario/scenario.js';
import { onePageMeta } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Faults';

/** The command with which the examples create a fault. */
const armed = 'crossborder-sandbox fault add --on REQUEST --status 503';

export const listFaultsRoute = defineRoute({
  operationId: 'listFaults',
  method: 'get',
  path: '/_sandbox/faults',
  tag,
  summary: 'List the faults of a world',
  description: 'The active faults, and how often each was injected.',
  status: 200,
  response: z
    .object({
      data: z.array(FaultSchema).max(maxFaults).describe('The faults, oldest first: the order in which they are matched.'),
      meta: onePageMeta(),
    })
    .openapi('Faults', { description: 'All active faults of a world.' }),
  errors: [],
  client: 'world.faults().data',
});

export const createFaultRoute = defineRoute({
  operationId: 'createFault',
  method: 'post',
  path: '/_sandbox/faults',
  tag,
  summary: 'Inject a fault into requests or deliveries',
  description:
    'Faults take precedence over the rules of the scenario, oldest first. At most one fault applies to each request and delivery attempt. ' +
    'Phase `before` applies right after the token check, so the request has no effect. `after_commit` loses or damages the response of a request that has taken effect.',
  body: FaultRequestSchema,
  status: 201,
  response: FaultSchema,
  errors: ['RATE_LIMIT_EXCEEDED'],
});

export const deleteFaultRoute = defineRoute({
  operationId: 'deleteFault',
  method: 'delete',
  path: '/_sandbox/faults/{faultId}',
  tag,
  summary: 'Delete a fault',
  description: 'The fault is no longer injected. Its earlier effects stay.',
  params: FaultParams,
  status: 204,
  response: null,
  errors: ['RESOURCE_NOT_FOUND'],
  client: 'fault.remove()',
  cli: {
    verb: 'fault remove',
    group: 'scenarios',
    summary: 'Remove faults.',
    args: [{ name: 'id', field: 'faultId', idOf: 'fault' }],
    examples: [
      `${armed} && crossborder-sandbox fault remove @last`,
      `${armed} --quiet | crossborder-sandbox fault remove -`,
      `${armed} && crossborder-sandbox fault list --quiet | crossborder-sandbox fault remove -`,
    ],
    done: 'Removed fault {faultId}.',
  },
});

/** The operations of this file, in the order of the OpenAPI document. */
export const faultRoutes = [listFaultsRoute, createFaultRoute, deleteFaultRoute] as const;
