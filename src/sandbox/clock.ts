import { durationMs } from '../contract/shared/duration.js';
import { DomainError } from '../domain/errors.js';
import { setClock } from '../services/steering/set-clock.js';
import type { ClockRecord } from '../world/rows.js';
import type { Session } from '../world/session.js';
import type { Advanced } from '../world/ticker.js';
import type { Sandbox } from './sandbox.js';

/** How far a call moves time: a span, an instant, or as far as there are timers. */
interface Goal {
  readonly by?: string | undefined;
  readonly to?: string | undefined;
  readonly untilIdle?: true | undefined;
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
