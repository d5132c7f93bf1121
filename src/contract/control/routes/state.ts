import { z } from '@hono/zod-openapi';
import { SnapshotRequestSchema, SnapshotSchema, StateDocumentSchema, maxSnapshots } from '../state-document.js';
import { StateDifferencesQuerySchema, StateDifferencesSchema } from '../state-differences.js';
import { onePageMeta } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'State';

const params = z.object({
  snapshotName: z.string().min(1).meta({ description: 'Name given when the snapshot was created.', example: 'funded' }),
});

export const getStateRoute = defineRoute({
  operationId: 'getState',
  method: 'get',
  path: '/_sandbox/state',
  tag,
  summary: 'Export a world as one document',
  description: 'The complete state of the world. You can store it, edit it, or import it into another world. At most 512 MiB.',
  status: 200,
  response: StateDocumentSchema,
  errors: ['PAYLOAD_TOO_LARGE'],
});

export const putStateRoute = defineRoute({
  operationId: 'putState',
  method: 'put',
  path: '/_sandbox/state',
  tag,
  summary: 'Replace the state of a world with an exported document',
  description:
    'The world keeps its name, credentials, customer and snapshots. References and the balance of the ledger are validated. ' +
    'Requests and deliveries in progress are dropped. Attempts that are pending in the document are sent.',
  body: StateDocumentSchema,
  streamedBody: true,
  status: 200,
  response: StateDocumentSchema,
  errors: [],
});

export const listSnapshotsRoute = defineRoute({
  operationId: 'listSnapshots',
  method: 'get',
  path: '/_sandbox/snapshots',
  tag,
  summary: 'List the snapshots of a world',
  description: 'The snapshots that you can restore, each with its world time.',
  status: 200,
  response: z
    .object({ data: z.array(SnapshotSchema).max(maxSnapshots).describe('The snapshots, oldest first.'), meta: onePageMeta() })
    .openapi('Snapshots', { description: 'The snapshots that you can restore.' }),
  errors: [],
});

export const createSnapshotRoute = defineRoute({
  operationId: 'createSnapshot',
  method: 'post',
  path: '/_sandbox/snapshots',
  tag,
  summary: 'Create a snapshot of a world',
  description: 'The name must be unique within the world. Nothing else changes.',
  body: SnapshotRequestSchema,
  status: 201,
  response: SnapshotSchema,
  errors: ['RESOURCE_ALREADY_EXISTS', 'RATE_LIMIT_EXCEEDED'],
});

export const restoreSnapshotRoute = defineRoute({
  operationId: 'restoreSnapshot',
  method: 'post',
  path: '/_sandbox/snapshots/{snapshotName}/restore',
  tag,
  summary: 'Restore a snapshot',
  description: 'Restores the complete state, including pending timers. The clock continues from the time of the snapshot.',
  params,
  status: 200,
  response: SnapshotSchema,
  errors: [],
});

export const deleteSnapshotRoute = defineRoute({
  operationId: 'deleteSnapshot',
  method: 'delete',
  path: '/_sandbox/snapshots/{snapshotName}',
  tag,
  summary: 'Delete a snapshot',
  description: 'The world does not change.',
  params,
  status: 204,
  response: null,
  errors: [],
});

export const compareStatesRoute = defineRoute({
  operationId: 'compareStates',
  method: 'get',
  path: '/_sandbox/state/differences',
  tag,
  summary: 'Compare two worlds or snapshots',
  description:
    'Returns the rows that were added, removed and changed between two states: snapshots of this world, or the present states of worlds. With several nodes, only worlds on the node of this world can be compared.',
  query: StateDifferencesQuerySchema,
  status: 200,
  response: StateDifferencesSchema,
  errors: [],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const stateRoutes = [
  getStateRoute,
  putStateRoute,
  listSnapshotsRoute,
  createSnapshotRoute,
  restoreSnapshotRoute,
  deleteSnapshotRoute,
  compareStatesRoute,
] as const;
