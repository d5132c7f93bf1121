import { durationMs } from '../../contract/shared/duration.js';
import { DomainError } from '../../domain/errors.js';
import { setClock } from '../../services/steering/set-clock.js';
import type { World } from '../../world/world.js';
import type { ControlPlane } from '../plane.js';
import { getClock, putClock, advanceClock } from '../../contract/control/routes/clock.js';

function clockView(world: World) {
  return {
    now: new Date(world.nowMs()).toISOString(),
    mode: world.clock.mode,
    pendingTimers: world.state.jobs.size,
    nextTimerAt: world.nextJob()?.dueAt ?? null,
  };
}

export function serveClock(plane: ControlPlane): void {
  const { sandbox } = plane;
  plane.serve(getClock, ({ world }) => clockView(world()));
  plane.serve(putClock, async ({ world, body, write }) => {
    const target = world();
    if (target.isPinned)
      throw new DomainError('ADVANCE_IN_PROGRESS', 'The clock of this world is being advanced. Wait for that call to answer.');
    if (body.now !== undefined) await sandbox.tickerOf(target).advance({ toMs: Date.parse(body.now) }, 'clock');
    await write((uow) => setClock(uow, { mode: body.mode, realMs: sandbox.options.realNow() }));
    return clockView(target);
  });
  plane.serve(advanceClock, ({ world, body, causeId }) => {
    const goal = body.untilIdle ? 'IDLE' : body.to !== undefined ? { toMs: Date.parse(body.to) } : { byMs: durationMs(body.by ?? '') ?? 0 };
    return sandbox.tickerOf(world()).advance(goal, causeId);
  });
}
