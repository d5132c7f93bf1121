import { checkSnapshotName, createSnapshot, snapshotExists } from '../services/steering/snapshots.js';
import { clockAt } from '../world/clock-record.js';
import { captureState } from '../world/document/capture.js';
import { deleteParts, packSnapshot, putParts, requireSnapshot, unpackSnapshot } from '../world/document/snapshots.js';
import type { SnapshotRecord } from '../world/rows.js';
import type { Session } from '../world/session.js';
import type { World } from '../world/world.js';
import { emptyState } from '../world/state.js';
import type { Sandbox } from './sandbox.js';

/** Names of the snapshots that are being taken, by world. */
const taking = new WeakMap<World, Set<string>>();

/**
 * Stores a snapshot while the world continues. Stores its parts in several commits, so that no commit is large. The last commit registers
 * the snapshot.
 * @throws DomainError RESOURCE_ALREADY_EXISTS, RATE_LIMIT_EXCEEDED
 */
export async function takeSnapshot(session: Session, name: string): Promise<Pick<SnapshotRecord, 'id' | 'clock'>> {
  const captured = session.read((view) => {
    checkSnapshotName(view, name);
    return captureState(session.world.state, session.world.nowMs());
  });
  const names = taking.get(session.world) ?? new Set<string>();
  taking.set(session.world, names);
  if (names.has(name)) throw snapshotExists(name);
  names.add(name);
  try {
    const parts = await packSnapshot(captured);
    try {
      for (let next = 0; next < parts.length;) next = await session.commit((uow) => putParts(uow, name, parts, next));
      await session.commit((uow) => createSnapshot(uow, { name, captured, parts: parts.length }));
    } catch (error) {
      if (!session.isOvertaken) await session.commit((uow) => deleteParts(uow, name, parts.length)).catch(() => undefined);
      throw error;
    }
  } finally {
    names.delete(name);
  }
  return { id: name, clock: captured.clock };
}

/** Restores a world from a snapshot. @throws DomainError RESOURCE_NOT_FOUND */
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
