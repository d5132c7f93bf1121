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
  client: 'state.export()',
  cli: {
    verb: 'state export',
    group: 'worlds',
    summary: 'Export the state of a world as one JSON document.',
    examples: [
      'crossborder-sandbox state export > world.json',
      'crossborder-sandbox state export --world default',
      'crossborder-sandbox state export | crossborder-sandbox state import -',
    ],
  },
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
  client: 'state.import(state)',
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
  client: 'world.snapshots().data',
  cli: {
    verb: 'snapshot list',
    group: 'worlds',
    examples: [
      'crossborder-sandbox snapshot list',
      'crossborder-sandbox snapshot list --json',
      'crossborder-sandbox snapshot list --quiet',
    ],
    id: '{name}',
    columns: { name: 'name', created: 'createdAt' },
    none: 'There are no snapshots.',
  },
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
  cli: {
    verb: 'snapshot save',
    group: 'worlds',
    summary: 'Save a snapshot of a world.',
    args: [{ name: 'name', field: 'name', meaning: 'Name of the snapshot.' }],
    examples: [
      'crossborder-sandbox snapshot save funded',
      'crossborder-sandbox snapshot save funded --json',
      'crossborder-sandbox snapshot save funded && crossborder-sandbox snapshot restore funded',
    ],
    line: 'SNAPSHOT {name} {createdAt}',
    id: '{name}',
  },
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
  client: 'snapshot.restore()',
  cli: {
    verb: 'snapshot restore',
    group: 'worlds',
    summary: 'Restore a world from a snapshot, with its pending timers and its time.',
    args: [{ name: 'name', field: 'snapshotName', meaning: 'Name of the snapshot.' }],
    examples: [
      'crossborder-sandbox snapshot save funded && crossborder-sandbox snapshot restore funded',
      'crossborder-sandbox snapshot save funded && crossborder-sandbox snapshot restore funded --json',
      'crossborder-sandbox snapshot save funded && crossborder-sandbox complete @last && crossborder-sandbox snapshot restore funded',
    ],
    line: 'SNAPSHOT {name} {createdAt}',
    id: '{name}',
  },
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
  client: 'snapshot.delete()',
  cli: {
    verb: 'snapshot delete',
    group: 'worlds',
    args: [{ name: 'name', field: 'snapshotName', meaning: 'Name of the snapshot.' }],
    examples: [
      'crossborder-sandbox snapshot save funded && crossborder-sandbox snapshot delete funded',
      'crossborder-sandbox snapshot save funded && crossborder-sandbox snapshot delete funded --quiet',
      'crossborder-sandbox snapshot save funded && crossborder-sandbox snapshot delete funded --json',
    ],
    done: 'Deleted snapshot {snapshotName}.',
  },
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
  client: 'state.differences(from, to?)',
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
