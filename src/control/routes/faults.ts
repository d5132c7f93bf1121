import { z } from '@hono/zod-openapi';
import { FaultParams } from '../../contract/shared/path-params.js';
import { FaultRequestSchema, FaultSchema } from '../../contract/scenario/scenario.js';
import { ruleFaults } from '../../scenario/faults.js';
import { addFault } from '../../services/steering/add-fault.js';
import { removeFault } from '../../services/steering/remove-fault.js';
import { defineRoute } from '../../web/route.js';
import type { FaultRecord } from '../../world/rows.js';
import { faultRuleId } from '../../scenario/compile.js';
import type { View } from '../../world/view.js';
import type { ControlPlane } from '../plane.js';
import { refuseMistakes } from '../mistakes.js';

const tag = 'Faults';

const listFaults = defineRoute({
  operationId: 'listFaults',
  method: 'get',
  path: '/_sandbox/faults',
  tag,
  summary: 'List the faults of a world',
  status: 200,
  response: z.object({ data: z.array(FaultSchema) }).openapi('Faults'),
  errors: [],
});

const createFault = defineRoute({
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
  errors: [],
});

const deleteFault = defineRoute({
  operationId: 'deleteFault',
  method: 'delete',
  path: '/_sandbox/faults/{faultId}',
  tag,
  summary: 'End a fault',
  params: FaultParams,
  status: 204,
  response: null,
  errors: ['RESOURCE_NOT_FOUND'],
});

function faultView(view: View, { id, request, createdAt }: FaultRecord) {
  const { seen, hits } = view.get('ruleCounts', faultRuleId(id)) ?? { seen: 0, hits: 0 };
  return { id, ...request, createdAt, matches: seen, hits };
}

export function serveFaults(plane: ControlPlane): void {
  plane.serve(listFaults, ({ world }) =>
    world().read((view) => ({ data: [...view.rows('faults')].map((fault) => faultView(view, fault)) })),
  );
  plane.serve(createFault, ({ body, write }) => {
    refuseMistakes([], ruleFaults(body));
    return write((uow) => faultView(uow, addFault(uow, body)));
  });
  plane.serve(deleteFault, ({ params: { faultId }, write }) => write((uow) => removeFault(uow, { faultId })));
}
