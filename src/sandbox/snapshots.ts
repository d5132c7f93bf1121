import { checkSnapshotName, createSnapshot } from '../services/steering/create-snapshot.js';
import { clockAt } from '../world/clock.js';
import { captureState } from '../world/document/capture.js';
import { packSnapshot, requireSnapshot, unpackSnapshot } from '../world/document/snapshots.js';
import type { SnapshotRecord } from '../world/rows.js';
import type { Session } from '../world/session.js';
import { emptyState } from '../world/state.js';
import type { Sandbox } from './sandbox.js';

/** Remembers what a world is now, while it goes on. @throws DomainError RESOURCE_ALREADY_EXISTS, RATE_LIMIT_EXCEEDED */
export async function takeSnapshot(session: Session, name: string): Promise<Pick<SnapshotRecord, 'id' | 'clock'>> {
  const captured = session.read((view) => {
    checkSnapshotName(view, name);
    return captureState(session.world.state, session.world.nowMs());
  });
  const parts = await packSnapshot(captured);
  await session.commit((uow) => createSnapshot(uow, { name, captured, parts }));
  return { id: name, clock: captured.clock };
}

/** Takes a world back to what a snapshot remembers of it. @throws DomainError RESOURCE_NOT_FOUND */
export async function restoreSnapshot(sandbox: Sandbox, session: Session, name: string): Promise<SnapshotRecord> {
  const snapshot = session.read((view) => requireSnapshot(view, name));
  const state = emptyState();
  state.identity.set('identity', session.world.identity);
  await session.read((view) => unpackSnapshot(view, name, state));
  const { mode, now } = snapshot.clock;
  state.clock.set('clock', clockAt(mode, Date.parse(now), sandbox.options.realNow()));
  await session.replace((world) => sandbox.replaceState(world, state, 'RESTORE'));
  return snapshot;
}
