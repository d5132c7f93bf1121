import { z } from '@hono/zod-openapi';
import { SnapshotRequestSchema, SnapshotSchema, StateDocumentSchema, maxSnapshots } from '../state-document.js';
import { onePageMeta } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'State';

const params = z.object({
  snapshotName: z.string().min(1).meta({ description: 'What the snapshot was called when it was taken.', example: 'funded' }),
});

export const getStateRoute = defineRoute({
  operationId: 'getState',
  method: 'get',
  path: '/_sandbox/state',
  tag,
  summary: 'Export a world as one document',
  description: 'All that the world remembers, to keep, to edit, or to import into another world. At most 512 MiB.',
  status: 200,
  response: StateDocumentSchema,
  errors: ['PAYLOAD_TOO_LARGE'],
});

export const putStateRoute = defineRoute({
  operationId: 'putState',
  method: 'put',
  path: '/_sandbox/state',
  tag,
  summary: 'Put an exported document in the place of a world',
  description:
    'Name, credentials, customer and snapshots stay those of the world. References and the balance of the ledger are checked. ' +
    'What was under way is dropped; attempts that the document has pending are made.',
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
  description: 'The snapshots that can be gone back to, each with the instant that it holds.',
  status: 200,
  response: z
    .object({ data: z.array(SnapshotSchema).max(maxSnapshots).describe('The snapshots, oldest first.'), meta: onePageMeta() })
    .openapi('Snapshots', { description: 'What can be gone back to.' }),
  errors: [],
});

export const createSnapshotRoute = defineRoute({
  operationId: 'createSnapshot',
  method: 'post',
  path: '/_sandbox/snapshots',
  tag,
  summary: 'Remember a world as it is now',
  description: 'Under a name that no other snapshot of the world has. Nothing else changes.',
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
  summary: 'Go back to a snapshot',
  description: 'Everything comes back, pending timers too, and time goes on from the instant of the snapshot.',
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
  summary: 'Forget a snapshot',
  description: 'The world itself stays as it is.',
  params,
  status: 204,
  response: null,
  errors: [],
});

/** In the order of the document. */
export const stateRoutes = [
  getStateRoute,
  putStateRoute,
  listSnapshotsRoute,
  createSnapshotRoute,
  restoreSnapshotRoute,
  deleteSnapshotRoute,
] as const;
