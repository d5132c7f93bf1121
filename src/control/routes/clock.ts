import { advanceClock, moveClock } from '../../sandbox/whole-worlds.js';
import type { World } from '../../world/world.js';
import type { ControlPlane } from '../plane.js';
import { getClock, putClock, advanceClock as advanceClockRoute } from '../../contract/control/routes/clock.js';

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
  plane.serve(getClock, ({ session }) => clockView(session.world));
  plane.serve(putClock, async ({ session, body }) => {
    await moveClock(sandbox, session, body);
    return clockView(session.world);
  });
  plane.serve(advanceClockRoute, ({ session, body }) => advanceClock(sandbox, session, body));
}
