import { z } from '@hono/zod-openapi';
import { FaultParams } from '../../shared/path-params.js';
import { FaultRequestSchema, FaultSchema, maxFaults } from '../../scenario/scenario.js';
import { onePageMeta } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Faults';

export const listFaultsRoute = defineRoute({
  operationId: 'listFaults',
  method: 'get',
  path: '/_sandbox/faults',
  tag,
  summary: 'List the faults of a world',
  description: 'The faults that are in force, and how often each has struck.',
  status: 200,
  response: z
    .object({
      data: z.array(FaultSchema).max(maxFaults).describe('The faults, oldest first: the order in which they are tried.'),
      meta: onePageMeta(),
    })
    .openapi('Faults', { description: 'All faults that are in force in a world.' }),
  errors: [],
});

export const createFaultRoute = defineRoute({
  operationId: 'createFault',
  method: 'post',
  path: '/_sandbox/faults',
  tag,
  summary: 'Make requests or deliveries go wrong',
  description:
    'Faults come before the rules of the scenario, oldest first; each request and each delivery attempt meets one at most. ' +
    'Phase `before` strikes right after the token, with nothing done; `after_commit` loses or damages the answer of what was done.',
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
  summary: 'End a fault',
  description: 'It strikes no more; what it has done stays done.',
  params: FaultParams,
  status: 204,
  response: null,
  errors: ['RESOURCE_NOT_FOUND'],
});

/** In the order of the document. */
export const faultRoutes = [listFaultsRoute, createFaultRoute, deleteFaultRoute] as const;
