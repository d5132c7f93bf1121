import type { Context } from 'hono';
import { StateDocumentSchema, StateHeadSchema, maxDocumentBytes } from '../../contract/control/state-document.js';
import { checkSnapshotName, createSnapshot as createSnapshotVerb } from '../../services/steering/create-snapshot.js';
import { streamed } from '../../web/streamed.js';
import { readTableDocument } from '../../web/table-document.js';
import { checkBody } from '../../web/validation.js';
import { clockAt } from '../../world/clock.js';
import { deleteSnapshot, packSnapshot, requireSnapshot, unpackSnapshot } from '../../world/document/snapshots.js';
import { captureState } from '../../world/document/capture.js';
import { checkLength, documentText, StateImport } from '../../world/document/state-document.js';
import type { SnapshotRecord } from '../../world/rows.js';
import { emptyState, type State } from '../../world/state.js';
import { inTurns } from '../../world/turns.js';
import type { World } from '../../world/world.js';
import type { ControlPlane } from '../plane.js';
import {
  getState,
  putState,
  listSnapshots,
  createSnapshot,
  restoreSnapshot,
  deleteSnapshotRoute,
} from '../../contract/control/routes/state.js';

const view = ({ id, clock }: Pick<SnapshotRecord, 'id' | 'clock'>) => ({ name: id, createdAt: clock.now });

/** The state that the body of a request describes. @throws DomainError INVALID_DATA, RATE_LIMIT_EXCEEDED, and as reading a body does */
async function readState(context: Context, reading: StateImport): Promise<State> {
  const document = await readTableDocument(context, {
    begin: (head) => reading.begin(checkBody(StateHeadSchema, head)),
    edit: (text) => reading.edit(text),
    row: (table, index, row) => reading.row(table, index, row),
  });
  return inTurns(reading.finish(checkBody(StateDocumentSchema, document)));
}

export function serveState(plane: ControlPlane): void {
  const { sandbox } = plane;
  const { realNow } = sandbox.options;
  const capture = (world: World) => captureState(world.state, world.nowMs());
  plane.serve(getState, async ({ world }) => {
    const captured = capture(world());
    await inTurns(checkLength(captured, maxDocumentBytes));
    return streamed(documentText(captured));
  });
  plane.serve(putState, async ({ world, context }) => {
    const target = world();
    await sandbox.replaceState(target, await readState(context, new StateImport(target.state, realNow)));
    return streamed(documentText(capture(target)));
  });
  plane.serve(listSnapshots, ({ world }) => ({ data: [...world().state.snapshots.values()].map(view) }));
  plane.serve(createSnapshot, async ({ world, body: { name }, write }) => {
    const target = world();
    target.read((seen) => checkSnapshotName(seen, name));
    const captured = capture(target);
    const parts = await packSnapshot(captured);
    return write((uow) => {
      createSnapshotVerb(uow, { name, captured, parts });
      return view({ id: name, clock: captured.clock });
    });
  });
  plane.serve(restoreSnapshot, async ({ world, params: { snapshotName: name } }) => {
    const target = world();
    const snapshot = target.read((uow) => requireSnapshot(uow, name));
    const state = emptyState();
    state.identity.set('identity', target.identity);
    await target.read((uow) => unpackSnapshot(uow, name, state));
    const { mode, now } = snapshot.clock;
    state.clock.set('clock', clockAt(mode, Date.parse(now), realNow()));
    await sandbox.replaceState(target, state);
    return view(snapshot);
  });
  plane.serve(deleteSnapshotRoute, ({ params: { snapshotName: name }, write }) => write((uow) => deleteSnapshot(uow, { name })));
}
