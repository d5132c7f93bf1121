import { durationMs } from '../contract/shared/duration.js';
import { DomainError } from '../domain/errors.js';
import { checkSnapshotName, createSnapshot } from '../services/steering/create-snapshot.js';
import { setClock } from '../services/steering/set-clock.js';
import { clockAt } from '../world/clock.js';
import { captureState } from '../world/document/capture.js';
import { packSnapshot, requireSnapshot, unpackSnapshot } from '../world/document/snapshots.js';
import type { ClockRecord, SnapshotRecord } from '../world/rows.js';
import type { Session } from '../world/session.js';
import { emptyState } from '../world/state.js';
import type { Advanced } from '../world/ticker.js';
import type { Sandbox } from './sandbox.js';

/** How far a call moves time: a span, an instant, or as far as there are timers. */
export interface Goal {
  readonly by?: string | undefined;
  readonly to?: string | undefined;
  readonly untilIdle?: true | undefined;
}

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

/** Takes a world to an instant, if one is given, and freezes its clock there or lets it run. @throws DomainError ADVANCE_IN_PROGRESS, INVALID_STATUS_CHANGE for an instant in the past */
export async function moveClock(
  sandbox: Sandbox,
  session: Session,
  to: { mode: ClockRecord['mode']; now?: string | undefined },
): Promise<void> {
  const { world } = session;
  session.check();
  if (world.isPinned)
    throw new DomainError('ADVANCE_IN_PROGRESS', 'The clock of this world is being advanced. Wait for that call to answer.');
  if (to.now !== undefined) await sandbox.tickerOf(world).advance({ toMs: Date.parse(to.now) }, 'clock');
  await session.commit((uow) => setClock(uow, { mode: to.mode, realMs: sandbox.options.realNow() }));
}

/** Moves the time of a world on; answers when the world is quiet again. @throws DomainError ADVANCE_IN_PROGRESS, INVALID_STATUS_CHANGE for an instant in the past */
export async function advanceClock(sandbox: Sandbox, session: Session, { by, to, untilIdle }: Goal): Promise<Advanced> {
  session.check();
  const goal = untilIdle ? 'IDLE' : to !== undefined ? { toMs: Date.parse(to) } : { byMs: durationMs(by ?? '') ?? 0 };
  const advanced = await sandbox.tickerOf(session.world).advance(goal, session.causeId);
  session.check();
  return advanced;
}
