import type { Context } from 'hono';
import { StateDocumentSchema, StateHeadSchema, maxDocumentBytes } from '../../../contract/control/state-document.js';
import { onePage } from '../../../domain/lists/page.js';
import { restoreSnapshot, takeSnapshot } from '../../../sandbox/snapshots.js';
import { streamed } from '../../plane/streamed.js';
import { readJsonRows, type RowsPlace } from '../../plane/body/json-rows.js';
import { checkBody } from '../../plane/validation.js';
import { notFound } from '../../../domain/errors.js';
import { oneAtATime } from '../../../domain/one-at-a-time.js';
import { deleteSnapshot, unpackSnapshot } from '../../../world/document/snapshots.js';
import { differencesBetween } from '../../../world/document/differences.js';
import { captureState, exportedTables } from '../../../world/document/capture.js';
import { checkLength, documentText, StateImport } from '../../../world/document/state-document.js';
import type { SnapshotRecord } from '../../../world/rows.js';
import { emptyState, rowsOf, type State } from '../../../world/state.js';
import { runInSlices } from '../../../world/turns.js';
import type { Session } from '../../../world/session.js';
import { partnerOf } from '../partner.js';
import type { ControlPlane } from '../plane.js';
import {
  getStateRoute,
  putStateRoute,
  listSnapshotsRoute,
  createSnapshotRoute,
  restoreSnapshotRoute,
  deleteSnapshotRoute,
  compareStatesRoute,
} from '../../../contract/control/routes/state.js';

const snapshotView = ({ id, clock }: Pick<SnapshotRecord, 'id' | 'clock'>) => ({ name: id, createdAt: clock.now });

/** Position and maximum size of the rows in a state document. */
const tablesPlace: RowsPlace = { level: 3, hasRows: (outer) => outer === 'tables', maxBytes: maxDocumentBytes };

/** Reads the state from a request body. @throws DomainError INVALID_DATA, RATE_LIMIT_EXCEEDED, and errors of reading the body */
async function readState(context: Context, reading: StateImport): Promise<State> {
  const document = await readJsonRows(context, tablesPlace, {
    begin: (head) => reading.begin(checkBody(StateHeadSchema, head)),
    edit: (text) => reading.edit(text),
    row: (table, index, row) => reading.row(table, index, row),
  });
  return runInSlices(reading.finish(checkBody(StateDocumentSchema, document)));
}

export function serveState(plane: ControlPlane): void {
  const { sandbox } = plane;
  const { realNow, scenarios, maxRows } = sandbox.options;
  const capture = ({ world }: Session) => captureState(world.state, world.nowMs());
  plane.serve(getStateRoute, async ({ session }) => {
    const captured = capture(session);
    await runInSlices(checkLength(captured, maxDocumentBytes));
    return streamed(documentText(captured));
  });
  plane.serve(putStateRoute, async ({ session, context }) => {
    const state = await readState(context, new StateImport(session.world.state, realNow, scenarios, maxRows));
    await session.replace((world) => sandbox.replaceState(world, state, 'IMPORT'));
    return streamed(documentText(capture(session)));
  });
  plane.serve(listSnapshotsRoute, ({ session }) => session.read((view) => onePage(Array.from(view.rows('snapshots'), snapshotView))));
  plane.serve(createSnapshotRoute, async ({ session, body: { name } }) => snapshotView(await takeSnapshot(session, name)));
  plane.serve(restoreSnapshotRoute, async ({ session, params: { snapshotName } }) =>
    snapshotView(await restoreSnapshot(sandbox, session, snapshotName)),
  );
  plane.serve(deleteSnapshotRoute, ({ params: { snapshotName: name }, session }) => session.commit((uow) => deleteSnapshot(uow, { name })));
  /** Compares the states that a request names. @throws DomainError RESOURCE_NOT_FOUND */
  const compare = async ({ from, to }: { from: string; to?: string | undefined }, session: Session, own: string | undefined) => {
    /** Returns a state by its name in the query. @throws DomainError RESOURCE_NOT_FOUND */
    const stateOf = async (side: string | undefined): Promise<State> => {
      if (side === undefined) return session.world.state;
      const [kind, name = ''] = side.split(':');
      if (kind === 'snapshot') {
        const state = emptyState();
        await session.read((view) => unpackSnapshot(view, name, state));
        return state;
      }
      const world = own === undefined || own === name ? sandbox.worlds.get(name) : undefined;
      if (!world) throw notFound('world', { name }, own === undefined && !sandbox.options.hosted ? sandbox.worlds.keys() : []);
      return world.state;
    };
    const states = [await stateOf(from), await stateOf(to)] as const;
    // Both sides are captured in one turn, after all waiting, because the worlds change meanwhile.
    return runInSlices(differencesBetween(rowsOf(states[0], exportedTables), rowsOf(states[1], exportedTables)));
  };
  // Each comparison holds two whole states in memory.
  const compareInTurn = oneAtATime(compare);
  plane.serve(compareStatesRoute, ({ query, session, context }) => compareInTurn(query, session, partnerOf(context)));
}
