import { z } from '@hono/zod-openapi';
import { SnapshotRequestSchema, SnapshotSchema, StateDocumentSchema } from '../../contract/state-document.js';
import { DomainError } from '../../domain/errors.js';
import { defineRoute } from '../../web/route.js';
import { exportState, importState } from '../../world/state-document.js';
import type { SnapshotRecord } from '../../world/state.js';
import type { ControlPlane } from '../plane.js';

const tag = 'State';
const params = z.object({ name: z.string().min(1) });

const getState = defineRoute({
  operationId: 'getState',
  method: 'get',
  path: '/_sandbox/state',
  tag,
  summary: 'Export a world as one document',
  status: 200,
  response: StateDocumentSchema,
  errors: [],
});

const putState = defineRoute({
  operationId: 'putState',
  method: 'put',
  path: '/_sandbox/state',
  tag,
  summary: 'Put an exported document in the place of a world',
  description:
    'Name, credentials, customer and snapshots stay those of the world. References and the balance of the ledger are checked. ' +
    'What was under way comes back to nothing; attempts that the document has pending are made.',
  body: StateDocumentSchema,
  largeBody: true,
  status: 200,
  response: StateDocumentSchema,
  errors: [],
});

const listSnapshots = defineRoute({
  operationId: 'listSnapshots',
  method: 'get',
  path: '/_sandbox/snapshots',
  tag,
  summary: 'List the snapshots of a world',
  status: 200,
  response: z.object({ data: z.array(SnapshotSchema) }).openapi('Snapshots'),
  errors: [],
});

const createSnapshot = defineRoute({
  operationId: 'createSnapshot',
  method: 'post',
  path: '/_sandbox/snapshots',
  tag,
  summary: 'Remember a world as it is now',
  body: SnapshotRequestSchema,
  status: 201,
  response: SnapshotSchema,
  errors: ['RESOURCE_ALREADY_EXISTS'],
});

const restoreSnapshot = defineRoute({
  operationId: 'restoreSnapshot',
  method: 'post',
  path: '/_sandbox/snapshots/{name}/restore',
  tag,
  summary: 'Go back to a snapshot',
  description: 'Everything comes back, pending timers too, and time goes on from the instant of the snapshot.',
  params,
  status: 200,
  response: SnapshotSchema,
  errors: [],
});

const deleteSnapshot = defineRoute({
  operationId: 'deleteSnapshot',
  method: 'delete',
  path: '/_sandbox/snapshots/{name}',
  tag,
  summary: 'Forget a snapshot',
  params,
  status: 204,
  response: null,
  errors: [],
});

const view = ({ id, document }: SnapshotRecord) => ({ name: id, createdAt: document.clock.now });

export function serveState(plane: ControlPlane): void {
  const { sandbox } = plane;
  const { realNow } = sandbox.options;
  plane.serve(getState, ({ world }) => exportState(world().state, world().nowMs()));
  plane.serve(putState, async ({ world, body }) => {
    const target = world();
    await sandbox.replaceState(target, importState(body, target.state, realNow()));
    return exportState(target.state, target.nowMs());
  });
  plane.serve(listSnapshots, ({ world }) => ({ data: [...world().state.snapshots.values()].map(view) }));
  plane.serve(createSnapshot, ({ world, body: { name }, write }) => {
    const target = world();
    return write((uow) => {
      if (uow.get('snapshots', name))
        throw new DomainError('RESOURCE_ALREADY_EXISTS', `There is a snapshot named ${name} already.`, { resource: 'snapshot', name });
      const snapshot = { id: name, document: exportState(target.state, target.nowMs()) };
      uow.put('snapshots', snapshot);
      return view(snapshot);
    });
  });
  plane.serve(restoreSnapshot, async ({ world, params: { name } }) => {
    const target = world();
    const snapshot = target.read((uow) => uow.require('snapshots', name, 'snapshot'));
    await sandbox.replaceState(target, importState(snapshot.document, target.state, realNow()));
    return view(snapshot);
  });
  plane.serve(deleteSnapshot, ({ params: { name }, write }) =>
    write((uow) => {
      uow.require('snapshots', name, 'snapshot');
      uow.delete('snapshots', name);
    }),
  );
}
