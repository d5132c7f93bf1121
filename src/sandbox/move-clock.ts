import { durationMs } from '../contract/shared/duration.js';
import { DomainError } from '../domain/errors.js';
import { setClock } from '../services/steering/clocks.js';
import type { ClockRecord } from '../world/rows.js';
import type { Session } from '../world/session.js';
import type { Advanced } from '../world/ticker.js';
import type { Sandbox } from './sandbox.js';

/** End of an advance of the clock: after the duration `by`, at the timestamp `to`, or when no timers are left. */
interface Goal {
  readonly by?: string | undefined;
  readonly to?: string | undefined;
  readonly untilIdle?: true | undefined;
}

/**
 * Advances the clock of a world to `now`, if given, and then sets the mode of the clock. Does nothing if a running clock is to run from a
 * time that it has passed by itself. @throws DomainError ADVANCE_IN_PROGRESS,
 * INVALID_STATUS_CHANGE if `now` is in the past
 */
export async function moveClock(
  sandbox: Sandbox,
  session: Session,
  to: { mode: ClockRecord['mode']; now?: string | undefined },
): Promise<void> {
  const { world } = session;
  session.check();
  if (world.isPinned)
    throw new DomainError('ADVANCE_IN_PROGRESS', 'The clock of this world is being advanced. Wait for the response to that request.');
  // Sending back what a GET returned changes nothing.
  if (to.mode === 'RUNNING' && to.now !== undefined && world.hasPassed(Date.parse(to.now))) return;
  if (to.now !== undefined) await sandbox.tickerOf(world).advance({ toMs: Date.parse(to.now) }, 'clock');
  await session.commit((uow) => setClock(uow, { mode: to.mode, realMs: sandbox.options.realNow() }));
}

/**
 * Advances the clock of a world. Resolves when all due work is done. @throws DomainError ADVANCE_IN_PROGRESS, INVALID_STATUS_CHANGE if `to`
 * is in the past
 */
export async function advanceClock(sandbox: Sandbox, session: Session, { by, to, untilIdle }: Goal): Promise<Advanced> {
  session.check();
  const goal = untilIdle ? 'IDLE' : to !== undefined ? { toMs: Date.parse(to) } : { byMs: durationMs(by ?? '') ?? 0 };
  const advanced = await sandbox.tickerOf(session.world).advance(goal, session.causeId, () => session.instant());
  session.check();
  return advanced;
}
